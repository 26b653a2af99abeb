package jsonrt

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestShape writes maps whose keys come from a few sets, so that guesses are right,
// wrong, and not tried, with one state and both ways to quote, and compares with
// encoding/json.
func TestShape(t *testing.T) {
	r := rand.New(rand.NewPCG(91, 92))
	sets := [][]string{
		{"locale", "plan", "mfa", "risk", "ui", "login_count", "experiments", "a<b>"},
		{"", "a", "ab", "<&>", "é\u2028", `"`, strings.Repeat("x", 15), strings.Repeat("x", 20)},
		{"\xff", strings.Repeat("x", 21)},
		{strings.Repeat("long", 9), "short", "\xfe"},
	}
	var draw func(i, level, depth int) map[string]any
	draw = func(i, level, depth int) map[string]any {
		m := map[string]any{}
		for _, k := range sets[(i/100+level)%len(sets)] {
			switch r.IntN(8) {
			case 0:
			case 1:
				m[k] = k + k
			case 2:
				if depth > 0 {
					m[k] = draw(i, level+1, depth-1)
				}
			default:
				m[k] = r.IntN(100)
			}
		}
		for range r.IntN(20) / 19 * 3 { // keys that do not come again
			m[randomKey(r)] = true
		}
		return m
	}
	e := NewEnc(false)
	guessed := 0
	for i := range 20_000 {
		if i%1000 == 0 { // as wrong guesses would, for good
			e.shapes = [shapes]shape{}
		}
		e.failed, e.plain = false, i%1000 >= 500 && r.IntN(20) > 0
		m := draw(i, 0, i%6)
		texts := map[string]string{}
		for k := range m {
			texts[k] = k
		}
		if s := &e.shapes[1]; s.wait == 0 && s.plain == e.plain && len(m) <= fewKeys &&
			lookUp(&shape{keys: s.keys}, m, new([fewKeys]entry[any])) {
			guessed++
		}
		for _, c := range []struct {
			v    any
			have []byte
		}{{m, EncodeAnyMap(e, nil, &m)}, {texts, EncodeStringMap(e, nil, &texts)}} {
			var want bytes.Buffer
			enc := json.NewEncoder(&want)
			enc.SetEscapeHTML(!e.plain)
			if err := enc.Encode(c.v); err != nil {
				t.Fatal(err)
			}
			if string(c.have)+"\n" != want.String() || e.failed || e.depth != 0 || len(e.keys) != 0 {
				t.Fatalf("plain %v:\nhave %s\nwant %s", e.plain, c.have, &want)
			}
		}
	}
	if guessed < 1000 {
		t.Errorf("only %d guesses were right: this tests nothing", guessed)
	}
}

func randomKey(r *rand.Rand) string {
	return string(rune('a'+r.IntN(26))) + string(rune('a'+r.IntN(26)))
}

// TestShapeGivesUp counts what maps cost that never have the same keys.
func TestShapeGivesUp(t *testing.T) {
	r := rand.New(rand.NewPCG(93, 94))
	e := NewEnc(false)
	tried := 0
	for range 10_000 {
		m := map[string]any{randomKey(r) + randomKey(r): 1, randomKey(r) + randomKey(r): 2}
		if e.shapes[1].wait == 0 {
			tried++
		}
		EncodeAnyMap(e, nil, &m)
	}
	if tried > 100 {
		t.Errorf("%d of 10000 maps without a common key were guessed", tried)
	}
}

// TestShapeLearnsOnce writes by turns maps of other keys, most of which a guess for the
// next one lacks, and some that are too long for a shape: once they are known, nothing
// is learned, so nothing allocated.
func TestShapeLearnsOnce(t *testing.T) {
	e := NewEnc(false)
	var maps []map[string]string
	for _, keys := range []string{"a b c d", "e f g h i", "z", strings.Repeat("long", 9) + " a"} {
		m := map[string]string{}
		for _, k := range strings.Fields(keys) {
			m[k] = k
		}
		maps = append(maps, m)
	}
	b := make([]byte, 0, 1<<10)
	allocs := testing.AllocsPerRun(1000, func() {
		for _, m := range maps {
			e.shapes[1].wait, e.shapes[1].fails = 0, 0 // guess always
			EncodeStringMap(e, b, &m)
		}
	})
	if allocs > 0 {
		t.Errorf("%v allocations for four maps that are known", allocs)
	}
}
