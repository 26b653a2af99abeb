package jsonrt

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"testing"
)

// TestNumbers decodes documents of all lengths, and so with all sorts of room behind
// their texts, into dynamic values, which must not change when others are made.
func TestNumbers(t *testing.T) {
	var got, want []any
	for n := range 300 {
		for nums := range 12 {
			doc := []byte(`["` + strings.Repeat("x", n) + `","é\n"` + strings.Repeat(`,0.5,7,"s"`, nums) + fmt.Sprintf(`,%d.25]`, n))
			var x, y any
			if err := UnmarshalWith(doc, &x, 0); err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal(doc, &y); err != nil {
				t.Fatal(err)
			}
			clear(doc)
			got, want = append(got, x), append(want, y)
		}
		if n%50 == 0 {
			runtime.GC()
		}
	}
	runtime.GC()
	if !reflect.DeepEqual(got, want) {
		t.Error("dynamic values have changed")
	}
}

// TestTexts decodes documents of one type whose size and share of text change at random, so that
// texts get too little room, too much, and the memory of the document. Values that were decoded
// earlier must not change, and the memory of each document is used again at once.
func TestTexts(t *testing.T) {
	type entry struct {
		Name  string
		Tags  []string
		Ints  []int
		Short []int8
		Any   any
		Attrs map[string]string
		Raw   json.RawMessage
		Num   json.Number
		Once  string `fxjson:"intern"`
	}
	type doc struct {
		A   string
		L   []entry
		Pad []bool // no text at all
	}
	r := rand.New(rand.NewPCG(1, 2))
	text := func() string {
		s := strings.Repeat("0123456789abcdef", 8)[:r.IntN(1<<r.IntN(8))]
		switch r.IntN(8) {
		case 0:
			s += "\n\"é中\u2028"
		case 1:
			s = "\xff" + s
		}
		return s
	}
	var group sync.WaitGroup
	for range 4 {
		group.Add(1)
		seed := r.Uint64()
		docs := make([][]byte, 500)
		for i := range docs {
			var v doc
			v.A = text()
			if r.IntN(50) == 0 {
				v.A = strings.Repeat(text(), 500)
			}
			v.Pad = make([]bool, r.IntN(1<<r.IntN(9)))
			for range r.IntN(1 << r.IntN(6)) {
				e := entry{Name: text(), Any: []any{text(), 1.5, r.Float64(), map[string]any{text(): text()}}, Num: "1e3", Once: text()}
				for range r.IntN(1 << r.IntN(8)) {
					e.Ints = append(e.Ints, int(r.Int64()>>r.IntN(64)))
				}
				e.Short = make([]int8, r.IntN(5))
				e.Tags = []string{text(), text()}
				e.Attrs = map[string]string{text(): text()}
				e.Raw, _ = json.Marshal(text())
				v.L = append(v.L, e)
			}
			docs[i], _ = json.Marshal(v)
		}
		go func() {
			defer group.Done()
			r := rand.New(rand.NewPCG(seed, 3))
			got := make([]doc, len(docs))
			for i, b := range docs {
				opt := Options(0)
				if r.IntN(9) == 0 {
					opt = ShareStrings
				}
				b = bytes.Clone(b)
				if err := UnmarshalWith(b, &got[i], opt); err != nil {
					t.Error(err)
				}
				clear(b)
			}
			for i, b := range docs {
				var want doc
				if err := json.Unmarshal(b, &want); err != nil {
					t.Error(err)
				}
				if !reflect.DeepEqual(got[i], want) {
					t.Errorf("document %d: %s", i, b)
				}
			}
		}()
	}
	group.Wait()
}

// TestLearnTexts: texts of a document that has little text get a piece of about their size, those of
// one that is all text, or many short strings, share its copy, and a type whose documents change is learnt anew.
func TestLearnTexts(t *testing.T) {
	type doc struct {
		A, B, C string
		L       []string
	}
	dec := decoderOf(reflect.TypeFor[doc](), false)
	d := new(Dec)
	little := `{"A":"a","B":"bc","C":"` + strings.Repeat("d", 50) + `","unknown":[` + strings.Repeat("false,", 100) + `0]}`
	all := `{"A":"` + strings.Repeat("a", 4000) + `"}`
	short := `{"L":["a"` + strings.Repeat(`,"b"`, 100) + `]}`
	for _, x := range []struct {
		doc   string
		alias bool
		most  int // size of the piece
	}{{little, false, 96}, {all, true, 0}, {little, false, 96}, {short, true, 0}} {
		for range 100*relearn + 5 { // learn does not look at the last one
			var v doc
			d.load([]byte(x.doc), dec.texts, 0)
			if i := dec.do(d, 0, placeOf(reflect.ValueOf(&v).Elem())); i != len(x.doc) {
				t.Fatalf("ends at %d of %d", i, len(x.doc))
			}
			d.learn()
		}
		if d.look || d.alias != x.alias || !d.alias && cap(d.slab) > x.most {
			t.Errorf("%.40s: look %v, alias %v, %d bytes, want no look, alias %v, at most %d bytes",
				x.doc, d.look, d.alias, cap(d.slab), x.alias, x.most)
		}
	}
}

// TestIsZero sets each byte of values of all remainders by 32, one at a time.
func TestIsZero(t *testing.T) {
	one := func(size int, zero func() bool, set func(int, byte)) {
		if !zero() {
			t.Errorf("%d bytes: zero is not", size)
		}
		for i := range size {
			for _, c := range []byte{1, 0x80} {
				set(i, c)
				if zero() {
					t.Errorf("%d bytes: byte %d is passed over", size, i)
				}
			}
			set(i, 0)
		}
	}
	var a [1]byte
	one(len(a), func() bool { return isZero(&a) }, func(i int, c byte) { a[i] = c })
	var b [31]byte
	one(len(b), func() bool { return isZero(&b) }, func(i int, c byte) { b[i] = c })
	var c [64]byte
	one(len(c), func() bool { return isZero(&c) }, func(i int, x byte) { c[i] = x })
	var d [47]byte
	one(len(d), func() bool { return isZero(&d) }, func(i int, x byte) { d[i] = x })
	var e [168]byte
	one(len(e), func() bool { return isZero(&e) }, func(i int, x byte) { e[i] = x })
}
