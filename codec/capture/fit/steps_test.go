package fit

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// marksOf counts what codecs treat in different ways: special characters by kind, special characters
// that follow another within two bytes, and stretches of 16 plain bytes.
func marksOf(list []string) map[string]float64 {
	out := map[string]float64{}
	for _, s := range list {
		from := -100
		for i := 0; i < len(s); i++ {
			kind, size := specialAt(s, i)
			if kind < 0 {
				continue
			}
			out[fmt.Sprintf("kind %d", kind)]++
			gap := i - from
			if from < 0 {
				gap = i
			}
			if gap <= 2 {
				out["bunched"]++
			}
			out["stretches"] += float64(gap / 16)
			i += size - 1
			from = i + 1
		}
	}
	return out
}

// Texts that are drawn have as many special characters of each kind as those that were learned, and as
// close together: within a fifth, and a tenth of the number of texts.
func TestSteps(t *testing.T) {
	word := func(r *rand.Rand) string { return strings.Repeat("w", 2+r.IntN(9)) }
	for name, sample := range map[string]func(r *rand.Rand) string{
		"JSON": func(r *rand.Rand) string {
			return fmt.Sprintf(`{"order":"ORD-%07d","state":"%s","total":%d,"note":"%s"}`, r.IntN(1e7), word(r), r.IntN(1000), word(r))
		},
		"link": func(r *rand.Rand) string {
			return `<a href="https://example.com/` + word(r) + `" rel="nofollow">` + word(r) + `</a>`
		},
		"Windows paths": func(r *rand.Rand) string { return `D:\parts\` + word(r) + `\` + word(r) },
		"lines": func(r *rand.Rand) string {
			var b strings.Builder
			for range 3 + r.IntN(6) {
				b.WriteString(word(r) + " " + word(r) + ": \"" + word(r) + "\"\r\n")
			}
			return b.String()
		},
		"Chinese and English": func(r *rand.Rand) string {
			var b strings.Builder
			for range 2 + r.IntN(5) {
				b.WriteString(strings.Repeat("字", 1+r.IntN(12)) + " " + word(r))
			}
			return b.String()
		},
	} {
		l := NewLearner(Limits{})
		r := rand.New(rand.NewPCG(1, 1))
		var seen, drawn []string
		for range 1000 {
			seen = append(seen, sample(r))
			l.Value(seen[len(seen)-1])
		}
		d := NewDrawer(l.Fit.Subjects[0])
		for range 1000 {
			var s string
			if err := json.Unmarshal(d.Document(r, nil, false), &s); err != nil {
				t.Fatal(err)
			}
			drawn = append(drawn, s)
		}
		got := marksOf(drawn)
		want := marksOf(seen)
		for what := range got {
			want[what] += 0
		}
		for what, want := range want {
			if math.Abs(got[what]-want) > 0.2*want+100 {
				t.Errorf("%s: %s: drawn %.0f, seen %.0f; such as %q", name, what, got[what], want, drawn[0])
			}
		}
	}
}

// Records that are held as maps are drawn as records: few sets of keys, and a kind for each key.
func TestRecordsInMaps(t *testing.T) {
	l := NewLearner(Limits{})
	r := rand.New(rand.NewPCG(1, 1))
	for i := range 1000 {
		m := map[string]any{"id": i, "name": fmt.Sprint("name ", i), "active": i%2 == 0, "tags": []any{"a"}, "customer": fmt.Sprint(i)}
		if i%3 == 0 {
			m["coupon"] = i
		}
		l.Value(m)
	}
	d := NewDrawer(l.Fit.Subjects[0])
	sets, keys, kindsOf, members := map[string]bool{}, map[string]int{}, map[string]bool{}, 0
	for range 1000 {
		var m map[string]json.RawMessage
		if err := json.Unmarshal(d.Document(r, nil, false), &m); err != nil {
			t.Fatal(err)
		}
		set := ""
		for _, k := range sortedKeys(m) {
			set += k + "\n"
			keys[k]++
			members++
			kindsOf[fmt.Sprint(k, len(k), strings.ContainsAny(string(m[k][:1]), "0123456789"), m[k][0] == '"', m[k][0] == '[')] = true
		}
		sets[set] = true
	}
	if len(sets) > 3 || len(keys) != 6 || len(kindsOf) > 7 || members < 5200 || members > 5450 {
		t.Errorf("%d sets of %d keys with %d kinds, %d members in all", len(sets), len(keys), len(kindsOf), members)
	}
	// Keys that differ each time are no records.
	l = NewLearner(Limits{})
	for i := range 1000 {
		l.Value(map[string]int{fmt.Sprint("key", i): 1, fmt.Sprint("other", i): 2})
	}
	d, keys = NewDrawer(l.Fit.Subjects[0]), map[string]int{}
	for range 1000 {
		var m map[string]int
		if err := json.Unmarshal(d.Document(r, nil, false), &m); err != nil {
			t.Fatal(err)
		}
		for k := range m {
			keys[k]++
		}
	}
	if len(keys) < 1800 {
		t.Errorf("%d keys, of 2000 that differ", len(keys))
	}
}

func sortedKeys(m map[string]json.RawMessage) []string {
	return slices.Sorted(maps.Keys(m))
}
