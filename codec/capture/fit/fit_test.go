package fit

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"
)

// everything is a type with every kind of value.
type everything struct {
	Text    string              `json:"text"`
	Bytes   []byte              `json:"bytes"`
	Int     int64               `json:"int"`
	Uint    uint64              `json:"uint"`
	Float   float64             `json:"float"`
	Quoted  int64               `json:"quoted,string"`
	Map     map[string]string   `json:"map"`
	Deep    map[string]any      `json:"deep"`
	Raw     json.RawMessage     `json:"raw,omitempty"`
	Number  json.Number         `json:"number,omitempty"`
	Big     *big.Int            `json:"big"`
	Err     spelt               `json:"err"`
	Any     any                 `json:"any"`
	List    []any               `json:"list"`
	Keys    map[int64]bool      `json:"keys"`
	Strings []map[string]string `json:"strings"`
	At      time.Time           `json:"at"`
	hidden  string
}

// spelt has a text of its own.
type spelt struct{ text string }

func (s spelt) MarshalText() ([]byte, error) {
	if s.text == "refused" {
		return nil, errors.New("a secret in an error: " + s.text)
	}
	return []byte(s.text), nil
}

func (s *spelt) UnmarshalText(b []byte) error { s.text = string(b); return nil }

// plant returns values and documents that hold a secret text and a secret number everywhere.
func plant(r *rand.Rand, text string, number int64) (values []any, docs []string) {
	quoted, _ := json.Marshal(text)
	raw := fmt.Sprintf(`{%s:%s,"n":%d,"list":[%s,{"a":{%s:[%d.5]}}]}`, quoted, quoted, number, quoted, quoted, number)
	values = append(values, everything{
		Text: text, Bytes: []byte(text), Int: number, Uint: uint64(number), Float: float64(number) + 0.25, Quoted: number,
		Map: map[string]string{text: text}, Deep: map[string]any{"x": map[string]any{text: []any{text, number}}},
		Raw: json.RawMessage(raw), Number: json.Number(strconv.FormatInt(number, 10)), Big: big.NewInt(number), Err: spelt{text},
		Any: map[any]any{text: text}, List: []any{text, float64(number), errors.New(text), everything{Text: text}},
		Keys: map[int64]bool{number: true}, Strings: []map[string]string{{"k": text, text: "v"}},
		At: time.Unix(number%4e9, number%1e9), hidden: text,
	}, text, number, []string{text, text}, map[string]int64{text: number}, &spelt{text}, errors.New(text), spelt{"refused"})
	docs = append(docs, raw, string(quoted), strconv.FormatInt(number, 10),
		fmt.Sprintf(`[%s,%d,-%d,%d.75,%de3]`, quoted, number, number, number, number),
		fmt.Sprintf(`{"text":%s,"unknown_%s":1,%s:{"text":%s},"any":{%s:1},"deep":{%s:{"text":2}}}`, quoted, strings.Trim(string(quoted), `"`),
			quoted, quoted, quoted, quoted), `{"text":`+string(quoted), string(quoted)+`}`)
	for range r.IntN(4) {
		docs = append(docs, docs[r.IntN(len(docs))])
	}
	return values, docs
}

// leaks returns the first piece of six bytes of a secret that a file holds: as it is, in hexadecimal
// or in base64, at each of its three alignments.
func leaks(file, secret string) string {
	lower := strings.ToLower(file)
	for i := 0; i+6 <= len(secret); i++ {
		piece := secret[i : i+6]
		if strings.Contains(file, piece) {
			return piece
		}
		if strings.Contains(lower, hex.EncodeToString([]byte(piece))) {
			return "hex of " + piece
		}
	}
	for _, enc := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
		for shift := range 3 {
			whole := enc.EncodeToString(append(make([]byte, shift), secret...))
			if inner := whole[min(len(whole), 4):max(4, len(whole)-4)]; len(inner) >= 8 && strings.Contains(file, inner) {
				return "base64 of " + secret
			}
		}
	}
	return ""
}

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=-_.:<&\"\\ é日"

func secretOf(r *rand.Rand) (string, int64) {
	letters := []rune(alphabet)
	var b strings.Builder
	for range 12 + r.IntN(40) {
		b.WriteRune(letters[r.IntN(len(letters))])
	}
	if r.IntN(4) == 0 { // a secret that looks like a key
		return hex.EncodeToString([]byte(b.String())[:12]), 4e15 + r.Int64N(9e14)
	}
	return b.String(), 4e15 + r.Int64N(9e14) // 16 digits, as of a card
}

// FuzzSecret: wherever a secret is planted, the file holds no six bytes of it.
func FuzzSecret(f *testing.F) {
	for i := range uint64(80) {
		f.Add(i)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		r := rand.New(rand.NewPCG(seed, 7))
		text, number := secretOf(r)
		values, docs := plant(r, text, number)
		l := NewLearner(Limits{Names: []string{"text"}, Public: map[string][]string{"*": {"public"}}})
		for range 1 + r.IntN(3) {
			for _, v := range values {
				l.Value(v)
			}
			for i, d := range docs {
				l.JSON("POST /a", []byte(d), nil)
				if i%2 == 0 {
					l.JSON("", []byte(d), reflect.TypeFor[everything]())
				}
			}
		}
		file, err := l.Fit.Marshal()
		if err != nil {
			t.Fatal(err)
		}
		if l.Fit.Documents() < 10 || !strings.Contains(string(file), `"name": "quoted"`) {
			t.Fatal("too little was learned")
		}
		for _, secret := range []string{text, strconv.FormatInt(number, 10)} {
			if at := leaks(string(file), secret); at != "" {
				t.Errorf("seed %d: the file holds %q of %q", seed, at, secret)
			}
		}
		if lines := fmt.Sprint(l.Fit.Subjects[0].Lines()); leaks(lines, text) != "" {
			t.Errorf("seed %d: the summary holds a piece of %q", seed, text)
		}
	})
}

// The test above would notice a leak: at public paths it finds the secret.
func TestSecretIsFoundWherePublic(t *testing.T) {
	text, number := secretOf(rand.New(rand.NewPCG(1, 1)))
	values, docs := plant(rand.New(rand.NewPCG(1, 1)), text, number)
	l := NewLearner(Limits{Public: map[string][]string{"*": {"text"}}})
	l.Value(values[0])
	file, _ := l.Fit.Marshal()
	if leaks(string(file), text) == "" {
		t.Errorf("the path text is public, and %q is not in the file", text)
	}
	l = NewLearner(Limits{Public: map[string][]string{"*": {"*"}}})
	l.JSON("x", []byte(docs[0]), nil)
	file, _ = l.Fit.Marshal()
	if leaks(string(file), strconv.FormatInt(number, 10)) == "" {
		t.Error("all is public, and the number is not in the file")
	}
}

// random makes a fit of values of several types.
func randomFit(r *rand.Rand) *Fit {
	l := NewLearner(Limits{MaxValues: 4 + r.IntN(8), Public: map[string][]string{"*": {"text", "list[]", "map"}}})
	for range r.IntN(40) {
		text, number := secretOf(r)
		values, docs := plant(r, text[:1+r.IntN(3)], number%int64(1+r.IntN(1000)))
		l.Value(values[r.IntN(len(values))])
		l.JSON([]string{"a", "b"}[r.IntN(2)], []byte(docs[r.IntN(len(docs))]), nil)
	}
	return l.Fit
}

func text(t testing.TB, f *Fit) string {
	t.Helper()
	b, err := f.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// Merging is associative and commutative, the empty fit changes nothing, and a file is its fit.
func TestMerge(t *testing.T) {
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 3))
		a, b, c := randomFit(r), randomFit(r), randomFit(r)
		before := text(t, a)
		left, right := text(t, Merge(Merge(a, b), c)), text(t, Merge(a, Merge(b, c)))
		if left != right {
			t.Fatalf("seed %d: (a+b)+c is not a+(b+c):\n%s\n%s", seed, left, right)
		}
		if x, y := text(t, Merge(a, b, c)), text(t, Merge(c, a, b)); x != y || x != left {
			t.Fatalf("seed %d: a+b+c is not c+a+b", seed)
		}
		if text(t, Merge(a, &Fit{Format: Format})) != before || text(t, a) != before {
			t.Fatalf("seed %d: merging changed a fit", seed)
		}
		again, err := Parse([]byte(left))
		if err != nil || text(t, again) != left {
			t.Fatalf("seed %d: the file does not come back: %v", seed, err)
		}
	}
}

// Two halves of the same values add up to the whole.
func TestMergeIsWhole(t *testing.T) {
	type doc struct {
		ID    string `json:"id"`
		Count int    `json:"count"`
	}
	l := [3]*Learner{}
	for i := range l {
		l[i] = NewLearner(Limits{Public: map[string][]string{"*": {"id"}}})
	}
	for i := range 5000 {
		v := doc{fmt.Sprintf("id-%d", i*i%977), i}
		l[0].Value(v)
		l[1+i%2].Value(v)
	}
	if text(t, Merge(l[1].Fit, l[2].Fit)) != text(t, l[0].Fit) {
		t.Error("the halves are not the whole")
	}
}

func TestDistinct(t *testing.T) {
	for _, n := range []int{1, 10, 100, 1000, 50_000} {
		var s Sketch
		for range 3 {
			for i := range n {
				s.add(hash(strconv.Itoa(i)))
			}
		}
		if got := s.Count(); math.Abs(got/float64(n)-1) > 0.2 {
			t.Errorf("%d distinct values count as %.0f", n, got)
		}
	}
}

func TestClasses(t *testing.T) {
	for s, want := range map[string]string{
		"": ClassPlain, "hello world": ClassPlain, "say \"hi\"": ClassEscaped, "a\nb": ClassEscaped, "a<b": ClassHTML, "größe": ClassUnicode,
		"\xff": ClassInvalid, "true": ClassBool, "0": ClassInteger, "-17": ClassInteger, "007": ClassDigits, "12345678901234567890": ClassDigits,
		"1.5": ClassDecimal, "-": ClassPlain, "1.": ClassPlain, ".5": ClassPlain, "2024-05-01T10:00:00Z": ClassTime,
		"2024-05-01T10:00:00.123+02:00": ClassTime, "2024-05-01": ClassDate, "2024-05-01 10:00:00": ClassDateTime,
		"2024-05-01T10:00:00.5": ClassLocal, "2024-05-01T10:00": ClassMinute, "123e4567-e89b-42d3-a456-426614174000": ClassUUID,
		"10.0.3.255": ClassIP, "10.0.3.256": ClassPlain, "deadbeef01": ClassHex, "DEADBEEF01": ClassHexUpper, "deadbeef0": ClassPlain,
		"QUJDREVGR0hJSktM0a==": ClassBase64, "-0": ClassPlain, "2024-13-01": ClassPlain,
	} {
		if got, _, _ := classOf(s); got != want {
			t.Errorf("%q is of class %s, want %s", s, got, want)
		}
	}
}

// A value and its JSON teach the same shape.
func TestValueIsItsJSON(t *testing.T) {
	type part struct {
		A int      `json:"a,omitempty"`
		B *float64 `json:"b"`
	}
	type whole struct {
		part
		Name  string            `json:"name"`
		Parts []part            `json:"parts"`
		Tags  map[string]string `json:"tags"`
		At    time.Time         `json:"at"`
		Skip  int               `json:"-"`
		Big   uint64
		F     float64
		N     json.Number
	}
	half := 0.5
	r := rand.New(rand.NewPCG(1, 2))
	byValue, byText := NewLearner(Limits{}), NewLearner(Limits{})
	for i := range 200 {
		v := whole{part: part{A: i % 3}, Name: strings.Repeat("x", i), At: time.Unix(int64(i)*1e6, int64(i)), Big: r.Uint64(),
			F: r.ExpFloat64(), N: "1.50", Tags: map[string]string{strconv.Itoa(i): "v"}}
		if i%2 == 0 {
			v.Parts = []part{{B: &half}, {A: i}}
		}
		doc, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		byValue.Value(v)
		byText.JSON("", doc, reflect.TypeFor[whole]())
	}
	clear := func(n *Node) *Node { // numbers of Go and of JSON are hashed differently
		n.Walk("", func(_ string, n *Node, _ float64) bool { n.Distinct = nil; return true })
		return n
	}
	clear(byValue.Fit.Subjects[0].Root)
	clear(byText.Fit.Subjects[0].Root)
	if a, b := text(t, byValue.Fit), text(t, byText.Fit); a != b {
		t.Errorf("by value\n%s\nby text\n%s", a, b)
	}
}

// Hostile values do not take more memory than Limits.MaxBytes, nor forever.
func TestMemory(t *testing.T) {
	const limit = 2 << 20
	for name, feed := range map[string]func(l *Learner, i int){
		"names":    func(l *Learner, i int) { l.JSON("x", fmt.Appendf(nil, `{"k%d":{"k%d":%d}}`, i, i*7, i), nil) },
		"subjects": func(l *Learner, i int) { l.JSON(fmt.Sprintf("subject %d", i), []byte(`{"a":"b"}`), nil) },
		"lengths": func(l *Learner, i int) {
			v := map[string]any{}
			for j := range 40 {
				v[fmt.Sprintf("f%d", j)] = []any{strings.Repeat("é\"a0<"[j%4:], i*j%5000), math.Ldexp(float64(i), j*20%900), int64(i) << (j % 60)}
			}
			l.Value(v)
		},
		"deep": func(l *Learner, i int) {
			l.JSON("x", []byte(strings.Repeat(`{"a":[`, 2000)+"1"+strings.Repeat(`]}`, 2000)), nil)
		},
		"values": func(l *Learner, i int) { l.Value(strings.Repeat(strconv.Itoa(i), 400)) },
	} {
		t.Run(name, func(t *testing.T) {
			l := NewLearner(Limits{MaxBytes: limit, MaxPaths: 1 << 20, MaxValues: 1 << 18, Public: map[string][]string{"*": {"*"}}})
			var before, after runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&before)
			for i := range 1500 {
				if name == "deep" && i > 50 {
					break
				}
				feed(l, i)
			}
			runtime.GC()
			runtime.ReadMemStats(&after)
			if got := int64(after.HeapAlloc) - int64(before.HeapAlloc); got > limit {
				t.Errorf("%d KiB in use, the limit is %d KiB", got>>10, limit>>10)
			}
			text(t, l.Fit)
			runtime.KeepAlive(l)
		})
	}
}

// A list or map that refers to itself ends.
func TestCycle(t *testing.T) {
	type ring struct {
		Next *ring
		Any  any
	}
	r := new(ring)
	r.Next = r
	list := []any{1}
	list[0] = list
	r.Any = list
	var p any
	p = &p
	l := NewLearner(Limits{})
	for _, v := range []any{r, list, p, &p} {
		l.Value(v)
	}
	if s := l.Fit.Skipped; s.Deep == 0 || s.Beyond == 0 {
		t.Errorf("%+v", s)
	}
}

// Numbers that are zero by their own word: 7 by value, and 8 by a pointer.
type (
	seven   int
	eight   int
	zeroing interface{ IsZero() bool }
)

func (s seven) IsZero() bool  { return s == 7 }
func (e *eight) IsZero() bool { return *e == 8 }

// Members with omitzero are there when encoding/json writes them.
func TestOmitZero(t *testing.T) {
	type doc struct {
		Seven   seven   `json:"seven,omitzero"`
		Eight   eight   `json:"eight,omitzero"`
		Any     any     `json:"any,omitzero"`
		Zeroing zeroing `json:"zeroing,omitzero"`
		Pointer *seven  `json:"pointer,omitzero"`
	}
	s, e := seven(7), eight(8)
	for _, d := range []doc{{}, {Seven: 7, Eight: 8, Any: time.Time{}, Zeroing: (*eight)(nil), Pointer: &s}, {Zeroing: &e, Any: seven(7)}} {
		for _, v := range []any{d, &d} {
			out, err := json.Marshal(v)
			if err != nil {
				t.Fatal(err)
			}
			var want map[string]any
			if err := json.Unmarshal(out, &want); err != nil {
				t.Fatal(err)
			}
			l := NewLearner(Limits{})
			l.Value(v)
			got := map[string]any{}
			for _, m := range l.Fit.Subjects[0].Root.Object.Members {
				got[m.Name] = want[m.Name]
			}
			if l.Fit.Skipped.Failed > 0 || !reflect.DeepEqual(got, want) {
				t.Errorf("%s: learned %v, skipped %+v", out, got, l.Fit.Skipped)
			}
		}
	}
}

// itself is a pointer that may lead to itself.
type itself *itself

// A pointer that leads to itself ends, and so does its type.
func TestPointerToItself(t *testing.T) {
	var p itself
	p = &p
	l := NewLearner(Limits{})
	done := make(chan struct{})
	go func() {
		l.Value(itself(nil))
		l.Value(p)
		l.JSON("", []byte(`{"a":1}`), reflect.TypeFor[itself]())
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(10 * time.Second):
		t.Fatal("it does not end")
	}
	if n := l.Fit.Documents(); n != 3 || l.Fit.Skipped.Beyond != 1 {
		t.Errorf("%d documents, skipped %+v", n, l.Fit.Skipped)
	}
}

// Values that a public path does not keep leave the memory to other paths.
func TestPublicValuesLeaveRoom(t *testing.T) {
	l := NewLearner(Limits{MaxBytes: 256 << 10, MaxValues: 16, Public: map[string][]string{"*": {"id"}}})
	for i := range 50_000 {
		l.JSON("x", fmt.Appendf(nil, `{"id":"public-%d"}`, i), reflect.TypeFor[struct {
			ID string `json:"id"`
		}]())
	}
	l.JSON("y", []byte(`[1]`), nil)
	if l.Fit.Subject("y") == nil || l.Fit.Skipped.Full > 0 {
		t.Errorf("skipped %+v", l.Fit.Skipped)
	}
}

// A file that is damaged or hostile is refused, or draws documents of bounded size.
func FuzzParse(f *testing.F) {
	f.Add([]byte(text(f, randomFit(rand.New(rand.NewPCG(1, 2))))))
	f.Add([]byte(`{"zmy_fit":3,"subjects":[{"name":"x","root":{"seen":3,"list":{"n":3,"length":[[1073741824,3]],` +
		`"elem":{"seen":1,"string":{"n":1,"classes":{"plain":{"n":1,"length":[[1073741824,1]]},` +
		`"time":{"n":1,"length":[[20,1]],"times":{"digits":[],"from":1,"to":2}}}}}}}}]}`))
	f.Add([]byte(`{"zmy_fit":3,"subjects":[{"name":"x","root":{"seen":3,` +
		`"number":{"n":3,"bits":[[1100,1]],"exponent":[[-1100,18446744073709551615],[1100,9]]}}}]}`))
	f.Add([]byte(`{"zmy_fit":3,"subjects":[null]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		fit, err := Parse(data)
		if err != nil {
			return
		}
		for _, s := range fit.Subjects {
			d := NewDrawer(s)
			for i := range uint64(3) {
				if doc := d.Document(rand.New(rand.NewPCG(1, i)), nil, i == 2); !json.Valid(doc) || len(doc) > mostDrawn+8*longestDrawn {
					t.Fatalf("%d bytes: %.200s", len(doc), doc)
				}
			}
			s.Lines()
		}
		text(t, fit)
	})
}

// Lengths of 64 bits count in the last bin that a program of 32 bits reads.
func TestLongestLength(t *testing.T) {
	h := Hist{{At: lengthBin(math.MaxInt), N: 1}}
	if err := h.checkLengths(); err != nil || h[0].At != maxLength || maxLength+lengthWidth(maxLength) > math.MaxInt32 {
		t.Errorf("bin %d of %d: %v", h[0].At, maxLength, err)
	}
}

// Small files whose documents would be drawn for hours are cut short.
func TestDrawingIsBounded(t *testing.T) {
	members := strings.Repeat(`{"name":"x","node":{"seen":0}},`, 999) + `{"name":"x","node":{"seen":0}}`
	const many = `[[1073741824,9]]`
	for _, root := range []string{
		`{"seen":1,"list":{"n":9,"length":` + many + `,"elem":{"seen":1,"object":{"n":1,"members":[` + members + `]}}}}`,
		`{"seen":1,"list":{"n":9,"length":` + many + `,"elem":{"seen":1,"distinct":"about 3","number":{"n":9,"bits":[[1,1]]}}}}`,
		`{"seen":1,"list":{"n":9,"length":` + many + `,"elem":{"seen":1,"object":{"n":9,"map":{"n":9,"size":[[0,9]],"distinct":"about 60",` +
			`"keys":{"n":9,"classes":{"plain":{"n":9,"length":[[9,9]]}}}}}}}}`,
		`{"seen":1,"object":{"n":9,"map":{"n":9,"size":` + many + `,"keys":{"n":9,"classes":{"bool":{"n":9,"length":[[4,9]]}}}}}}`,
		`{"seen":1,"object":{"n":9,"map":{"n":9,"size":` + many + `}}}`,
	} {
		f, err := Parse([]byte(`{"zmy_fit":3,"subjects":[{"name":"x","root":` + root + `}]}`))
		if err != nil {
			t.Fatal(err)
		}
		d := NewDrawer(f.Subjects[0])
		d.most = 1 << 20
		doc := d.Document(rand.New(rand.NewPCG(1, 1)), nil, false)
		if !json.Valid(doc) || d.work <= d.most || d.work > 2*d.most {
			t.Errorf("%.100s: work %d of %d, %.100s", root, d.work, d.most, doc)
		}
	}
}

func TestFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "fit.json")
	f := randomFit(rand.New(rand.NewPCG(5, 5)))
	if err := f.WriteFile(name); err != nil {
		t.Fatal(err)
	}
	again, err := ReadFile(name)
	if err != nil || text(t, again) != text(t, f) {
		t.Errorf("the file does not come back: %v", err)
	}
	if info, _ := os.Stat(name); info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v", info.Mode())
	}
	if list, _ := os.ReadDir(filepath.Dir(name)); len(list) != 1 {
		t.Errorf("%d files beside it", len(list)-1)
	}
	if err := f.WriteFile(filepath.Join(name, "x", "fit.json")); err == nil || !strings.Contains(err.Error(), "fit: write") {
		t.Errorf("written below a file: %v", err)
	}
	for text, want := range map[string]string{`{"a":1}`: "not a fit", `nonsense`: "not a fit", `{"zmy_fit":1,"root":{}}`: "learn it anew",
		`{"zmy_fit":3,"subjects":[{"name":"x"}]}`: "damaged"} {
		if _, err := Parse([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}
