package values

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"net/netip"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/zmylab/zmy/codec/capture/fit"
)

// documents marshals values as captured payloads would be.
func documents[T any](t testing.TB, vals []T) []Document {
	t.Helper()
	var out []Document
	for i := range vals {
		text, err := json.Marshal(vals[i])
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, Document{File: "x", Line: i + 1, Text: text})
	}
	return out
}

func learn(t testing.TB, docs []Document) *fit.Subject {
	t.Helper()
	f, err := Learn(docs, "x")
	if err != nil {
		t.Fatal(err)
	}
	return f.Subjects[0]
}

// captures is a type with every form that a fit knows.
type captures struct {
	ID       string            `json:"id"`
	UUID     string            `json:"uuid"`
	Status   string            `json:"status"`
	Email    string            `json:"email"`
	IP       netip.Addr        `json:"ip"`
	Text     string            `json:"text"`
	Price    string            `json:"price"`
	Rate     float64           `json:"rate"`
	Big      uint64            `json:"big"`
	Small    int8              `json:"small"`
	Level    int               `json:"level"`
	Noise    float64           `json:"noise"`
	On       bool              `json:"on"`
	At       time.Time         `json:"at"`
	Blob     []byte            `json:"blob"`
	Tags     []string          `json:"tags"`
	Lines    []line            `json:"lines"`
	Parent   *line             `json:"parent"`
	Note     string            `json:"note,omitempty"`
	Counters map[string]int    `json:"counters"`
	Any      map[string]any    `json:"any"`
	Names    map[string]string `json:"names"`
}

type line struct {
	Sku string  `json:"sku"`
	Qty int     `json:"qty"`
	Net float64 `json:"net"`
}

func capture(r *rand.Rand) captures {
	f := newFiller(r, newLore())
	c := captures{
		ID: fmt.Sprintf("ord_%012x", r.Uint64()>>16), UUID: f.uuid(),
		Status: pick(r, []string{"paid", "paid", "paid", "open", "failed"}), Email: f.email(),
		IP: netip.AddrFrom4([4]byte{10, byte(r.UintN(8)), byte(r.UintN(256)), byte(r.UintN(256))}), Text: f.text(), Price: f.decimal(2),
		Rate: round(r.NormFloat64()*3+50, 2), Big: math.MaxUint64 - r.Uint64N(1e6), Small: int8(r.IntN(256) - 128), Level: r.IntN(4),
		Noise: r.ExpFloat64(), On: r.IntN(10) < 7, At: timesFrom.Add(time.Duration(r.Int64N(1e15))).Truncate(time.Millisecond),
		Blob:     f.randomBytes(10 + r.IntN(200)),
		Counters: map[string]int{}, Any: map[string]any{"a": 1, "b": "x"}, Names: map[string]string{},
	}
	for range r.IntN(6) {
		c.Tags = append(c.Tags, f.word())
	}
	for range 1 + r.IntN(9) {
		c.Lines = append(c.Lines, line{f.code("SKU"), 1 + int(r.ExpFloat64()*4), f.amount()})
	}
	if r.IntN(3) > 0 {
		c.Parent = &c.Lines[0]
	}
	if r.IntN(4) == 0 {
		c.Note = f.phrase(3)
	}
	for range r.IntN(5) {
		c.Counters[fmt.Sprintf("host-%d", r.IntN(500))] = r.IntN(100)
		c.Names[pick(r, []string{"de", "en", "fr"})] = f.word()
	}
	return c
}

// A fit of what was drawn by a fit is the first fit again: presence, lengths, numbers and classes of
// strings have the same distributions. The bound is Kolmogorov and Smirnov's for two samples of this
// size, at a chance of 1 in 10,000 for each path.
func TestFitReproducesDistributions(t *testing.T) {
	const n = 1500
	r := rand.New(rand.NewPCG(1, 2))
	vals := make([]captures, n)
	for i := range vals {
		vals[i] = capture(r)
	}
	first := learn(t, documents(t, vals))
	drawn, refused, err := FromFit[captures](first, Options{Seed: 5, N: n})
	if err != nil || len(refused) > 0 || len(drawn) != n {
		t.Fatalf("%d values, refused %v, %v", len(drawn), refused, err)
	}
	second := learn(t, documents(t, drawn))
	nodes := map[string]*fit.Node{}
	share := map[string]float64{}
	second.Root.Walk("", func(path string, n *fit.Node, p float64) bool { nodes[path], share[path] = n, p; return true })
	paths := 0
	first.Root.Walk("", func(path string, a *fit.Node, p float64) bool {
		paths++
		b := nodes[path]
		if b == nil {
			if p > 0.01 {
				t.Errorf("%s is never drawn", path)
			}
			return true
		}
		if math.Abs(p-share[path]) > 0.06 {
			t.Errorf("%s: presence %.3f, drawn %.3f", path, p, share[path])
		}
		same := func(what string, x, y []fit.Bin) {
			n, m := fit.Hist(x).N(), fit.Hist(y).N()
			if n < 16 || m < 16 {
				return
			}
			bound := 2.3 * math.Sqrt(1/float64(n)+1/float64(m))
			if d := distance(x, y); d > bound+0.011 { // what lies between two quantiles
				t.Errorf("%s: %s differ by %.3f", path, what, d)
			}
		}
		if a.Number != nil && b.Number != nil {
			same("sizes of integers", a.Number.Bits, b.Number.Bits)
			same("exponents", a.Number.Exponent, b.Number.Exponent)
			same("numbers", numbers(a.Number.Values), numbers(b.Number.Values))
		}
		if a.List != nil && b.List != nil {
			same("lengths", a.List.Length, b.List.Length)
		}
		if a.String != nil && b.String != nil {
			for class, c := range a.String.Classes {
				if d := b.String.Classes[class]; d != nil && class != fit.ClassPlain && class != fit.ClassIP { // these are drawn word by word
					same("lengths of class "+class, c.Length, d.Length)
				} else if d == nil && float64(c.N) > 0.02*float64(a.String.N) {
					t.Errorf("%s: class %s is never drawn", path, class)
				}
			}
		}
		return true
	})
	if paths < 25 {
		t.Errorf("%d paths", paths)
	}
	uuid := regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)
	seen := map[string]bool{}
	for _, v := range vals {
		seen[v.UUID], seen[v.ID] = true, true
	}
	for _, v := range drawn {
		if !uuid.MatchString(v.UUID) || seen[v.UUID] || seen[v.ID] {
			t.Fatalf("UUID %s, ID %s: no fresh ones", v.UUID, v.ID)
		}
	}
}

// numbers returns public numbers as bins of 1/1000.
func numbers(v *fit.Values) (out []fit.Bin) {
	for _, x := range v.List() {
		f, err := strconv.ParseFloat(x.Value, 64)
		if err == nil && math.Abs(f) < 1e15 {
			out = append(out, fit.Bin{At: int(f * 1000), N: x.N})
		}
	}
	slices.SortFunc(out, func(a, b fit.Bin) int { return a.At - b.At })
	return out
}

// distance is the largest difference of two distribution functions.
func distance(x, y []fit.Bin) (most float64) {
	n, m := float64(fit.Hist(x).N()), float64(fit.Hist(y).N())
	var a, b float64
	for i, j := 0, 0; i < len(x) || j < len(y); {
		at := math.MaxInt
		if i < len(x) {
			at = x[i].At
		}
		if j < len(y) {
			at = min(at, y[j].At)
		}
		for ; i < len(x) && x[i].At == at; i++ {
			a += float64(x[i].N) / n
		}
		for ; j < len(y) && y[j].At == at; j++ {
			b += float64(y[j].N) / m
		}
		most = max(most, math.Abs(a-b))
	}
	return most
}

func TestFitIsData(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	vals := make([]captures, 200)
	for i := range vals {
		vals[i] = capture(r)
	}
	f := learn(t, documents(t, vals))
	text, err := (&fit.Fit{Format: fit.Format, Subjects: []*fit.Subject{f}}).Marshal()
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "fit.json")
	if err := os.WriteFile(name, text, 0o644); err != nil {
		t.Fatal(err)
	}
	again, ok, err := ReadFit(name)
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	a, _, err := FromFit[captures](f, Options{Seed: 9, N: 20})
	if err != nil {
		t.Fatal(err)
	}
	b, _, err := FromFit[captures](again.Subjects[0], Options{Seed: 9, N: 50})
	if err != nil || !reflect.DeepEqual(a, b[:20]) {
		t.Errorf("a fit that was saved draws other values, or value i depends on how many there are: %v", err)
	}
	c, _, _ := FromFit[captures](f, Options{Seed: 10, N: 20})
	if reflect.DeepEqual(a, c) {
		t.Error("two seeds, the same values")
	}
	relearnt := learn(t, documents(t, vals))
	again2, err := (&fit.Fit{Format: fit.Format, Subjects: []*fit.Subject{relearnt}}).Marshal()
	if err != nil || !bytes.Equal(text, again2) {
		t.Error("two fits of the same documents differ")
	}
	for name, text := range map[string]string{"a.json": `{"x":1}`, "b.json": `nonsense`, "c.ndjson": string(text)} {
		file := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, ok, err := ReadFit(file); ok || err != nil {
			t.Errorf("%s is taken for a fit: %v", name, err)
		}
	}
	newer := bytes.Replace(text, fmt.Appendf(nil, `"zmy_fit": %d`, fit.Format), []byte(`"zmy_fit": 99`), 1)
	if err := os.WriteFile(name, newer, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, ok, err := ReadFit(name); !ok || err == nil || !strings.Contains(err.Error(), "-fit") {
		t.Errorf("a fit of another form: %v, %v", ok, err)
	}
}

func TestFitLines(t *testing.T) {
	var docs []Document
	for i := range 40 {
		docs = append(docs, Document{Text: fmt.Appendf(nil, `{"n":%d,"s":%q,"list":[%d],"maybe":%s}`, i*10, []string{"a", "b"}[i%2],
			i%3, []string{"null", "true"}[i%2])})
	}
	var got []string
	for _, l := range learn(t, docs).Lines() {
		got = append(got, fmt.Sprintf("%s | %s | %.2f | %s", l.Path, l.Kind, l.Presence, l.Text))
	}
	want := []string{
		". | object | 1.00 | 4 members", "n | number | 1.00 | integers 19.5 · 195 · 370.5", `s | string | 1.00 | "a" 50%, "b" 50%`,
		"list | list | 1.00 | length 1", `list[] | number | 1.00 | "0" 35%, "1" 32%, "2" 32%`, "maybe | bool or null | 0.50 | true 100%",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

// A map's keys are drawn as such, not each as a member.
func TestFitKnowsMaps(t *testing.T) {
	var docs []Document
	for i := range 400 {
		docs = append(docs, Document{Text: fmt.Appendf(nil, `{"m":{"k%d":1,"k%d":2},"s":{"a":1,"b":2}}`, i%100, (i+1)%100)})
	}
	f := learn(t, docs)
	m, s := f.Root.Object.Members[0].Node.Object.View(), f.Root.Object.Members[1].Node.Object.View()
	if m.Map == nil || s.Map != nil || !slices.Equal(m.Map.Size, fit.Hist{{At: 2, N: 400}}) {
		t.Errorf("map %+v, struct %+v", m, s)
	}
	type doc struct {
		M map[string]int
		S struct{ A, B int }
	}
	vals, refused, err := FromFit[doc](f, Options{N: 50})
	if err != nil || refused != nil {
		t.Fatal(refused, err)
	}
	for _, v := range vals {
		if len(v.M) != 2 || v.S.A != 1 || v.S.B != 2 {
			t.Fatalf("%+v", v)
		}
	}
}

// A type that does not read what is drawn is an error that says why, not a set of zeros.
func TestFitOfAnotherType(t *testing.T) {
	f := learn(t, []Document{{Text: json.RawMessage(`{"x":"text"}`)}})
	if v, _, err := FromFit[point](f, Options{N: 10}); err == nil || !strings.Contains(err.Error(), "cannot unmarshal string") {
		t.Errorf("%v, %v", v, err)
	}
}

func FuzzLearn(f *testing.F) {
	for _, s := range []string{`{"a":[1,2.5,-0.0,1e300,18446744073709551615]}`, `[["2024-01-02T03:04:05.123+02:00"],["a@b.c",""]]`,
		`{"":{"":null}}`, `"\u0000\ud800"`, `true`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if !json.Valid([]byte(text)) {
			t.Skip()
		}
		s := learn(t, []Document{{Text: json.RawMessage(text)}, {Text: json.RawMessage(text)}})
		d, r := fit.NewDrawer(s), rand.New(rand.NewPCG(1, 1))
		for i := range 20 {
			if doc := d.Document(r, nil, i%2 == 0); !json.Valid(doc) {
				t.Fatalf("%s: drew %s", text, doc)
			}
		}
		s.Lines()
	})
}

// even is a number that is even, and refuses others.
type even struct{ n int }

func (e *even) UnmarshalText(b []byte) error {
	n, err := strconv.Atoi(string(b))
	if err == nil && n%2 != 0 {
		err = errors.New("odd")
	}
	e.n = n
	return err
}

func (e even) MarshalText() ([]byte, error) { return strconv.AppendInt(nil, int64(e.n), 10), nil }

// TestFitRefusals: a value is refused once, and only if none of its tries is read.
func TestFitRefusals(t *testing.T) {
	type parcel struct {
		Number even `json:"number"`
	}
	var docs []Document
	for i := range 200 { // half of what is drawn from these is odd
		docs = append(docs, Document{File: "x", Line: i + 1, Text: fmt.Appendf(nil, `{"number":"%d"}`, 1000+i)})
	}
	vals, refused, err := FromFit[parcel](learn(t, docs), Options{Seed: 1, N: 256})
	if err != nil || len(vals) != 256 || len(refused) > 16 {
		t.Errorf("%d values, %d refused, %v", len(vals), len(refused), err)
	}
}
