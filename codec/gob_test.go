package codec

import (
	"bytes"
	"encoding/gob"
	"flag"
	"fmt"
	"io"
	"math/big"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/zmylab/zmy/examples/nested16"
	orderlite "github.com/zmylab/zmy/examples/order-lite"
	"github.com/zmylab/zmy/examples/result"
	"github.com/zmylab/zmy/examples/sensor"
	"github.com/zmylab/zmy/examples/sse"
	"github.com/zmylab/zmy/examples/user"
)

// anyOf has an interface within reach.
type anyOf struct {
	N int
	V any
	L []any
}

type gobTree struct {
	Name string
	Kids []*gobTree
	M    map[string]gobLeaf
	A    [3]int
}

type gobLeaf struct {
	T time.Time
	B []byte
	I *big.Int
	C complex128
}

// byMethod travels by methods of its own.
type byMethod struct{ s string }

func (b byMethod) MarshalBinary() ([]byte, error)     { return []byte(b.s), nil }
func (b *byMethod) UnmarshalBinary(data []byte) error { b.s = string(data); return nil }

// gobValues are one value each of many shapes, maps with one key at most, so that
// equal values have equal bytes.
func gobValues() []any {
	r := rand.New(rand.NewPCG(3, 3))
	order := orderlite.SampleOrder(r)
	order.Metadata = map[string]string{"one": "key"}
	event := sse.SampleSSEEvent(r)
	event.Meta = map[string]string{"tenant": "t-1"}
	leaf := gobLeaf{time.Unix(1, 2).UTC(), []byte("b"), big.NewInt(77), complex(1, 2)}
	return []any{
		order, &order, event, sensor.SampleSensorData(r), user.SampleUser(r), nested16.SampleNode(r), result.SampleResult(r),
		gobTree{Name: "root", Kids: []*gobTree{{Name: "kid", A: [3]int{1}}}, M: map[string]gobLeaf{"x": leaf}},
		leaf, byMethod{"text"}, struct{ B byMethod }{byMethod{"inside"}},
		7, "text", []string{"a", "b"}, map[string]int{"one": 1}, [2]float64{1, 2}, true, time.Unix(5, 0).UTC(),
		anyOf{1, "text", []any{1, 2.5}}, anyOf{2, leaf, nil}, anyOf{3, orderlite.Item{Sku: "x"}, []any{leaf}}, anyOf{}, []any{"x"},
	}
}

func init() {
	gob.Register(gobLeaf{})
	gob.Register(orderlite.Item{})
}

// newGob is the slow twin: a new Encoder for the message.
func newGob(t testing.TB, v any) []byte {
	t.Helper()
	var buf bytes.Buffer
	if err := gob.NewEncoder(&buf).Encode(v); err != nil {
		t.Fatalf("%T: %v", v, err)
	}
	return buf.Bytes()
}

func TestGobIsEncodingGob(t *testing.T) {
	for round := range 3 {
		for _, v := range gobValues() {
			want := newGob(t, v)
			got, err := Gob{}.AppendMarshal([]byte("before"), v)
			if err != nil || string(got) != "before"+string(want) {
				t.Fatalf("round %d, %T (%v):\n got %q\nwant before%q", round, v, err, got, want)
			}
			b, w := reflect.New(reflect.TypeOf(v)), reflect.New(reflect.TypeOf(v))
			if err := (Gob{}).Unmarshal(want, b.Interface()); err != nil {
				t.Fatalf("round %d, %T: %v", round, v, err)
			}
			if err := gob.NewDecoder(bytes.NewReader(want)).DecodeValue(w); err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(b.Interface(), w.Interface()) {
				t.Fatalf("round %d, %T reads\n%+v\nwant\n%+v", round, v, b.Elem(), w.Elem())
			}
		}
	}
}

// What is kept is kept for types of fixed description only, and it is used.
func TestGobKeepsWhatItMay(t *testing.T) {
	for _, v := range gobValues() {
		c := gobCacheOf(v)
		if free := !strings.Contains(fmt.Sprintf("%T", v), "any") && !strings.Contains(fmt.Sprintf("%T", v), "interface"); c.fixed != free {
			t.Errorf("%T: fixed is %v", v, c.fixed)
		}
		b, err := c.appendMessage(nil, v)
		if err != nil {
			t.Fatal(err)
		}
		n, id, ok := splitGob(b)
		if c.fixed && (!ok || id < 0) { // definitions inside of values are not understood, and need not be
			t.Errorf("%T: %q is not understood", v, b)
		}
		if d := c.definitions.Load(); (d != nil) != c.fixed || c.fixed && !bytes.Equal(*d, b[:n]) {
			t.Errorf("%T: definitions are not those of the message", v)
		}
		if ok && n > 0 && c.fixed != gobDefinesNoInterface(b[:n]) {
			t.Errorf("%T: by its definitions no interfaces inside: %v", v, !c.fixed)
		}
	}
}

// Types of one name in other versions of a program: their descriptions differ,
// and their messages come mixed.
func TestGobOtherSenders(t *testing.T) {
	type target struct {
		A int
		B string
	}
	type more struct {
		C float64
		B string
		A int
	}
	type less struct{ B string }
	type other struct{ A string }
	type unknown struct {
		B string
		C any
	}
	for range 3 {
		for _, c := range []struct {
			sent any
			want target
			bad  bool
		}{
			{target{1, "x"}, target{1, "x"}, false},
			{more{2.5, "y", 3}, target{3, "y"}, false},
			{less{"z"}, target{B: "z"}, false},
			{other{"w"}, target{}, true},
			{unknown{"u", gobLeaf{B: []byte("b")}}, target{B: "u"}, false}, // brings definitions of its own
			{7, target{}, true},
		} {
			var got target
			err := Gob{}.Unmarshal(newGob(t, c.sent), &got)
			if (err != nil) != c.bad || err == nil && got != c.want {
				t.Errorf("%T: %+v, %v; want %+v", c.sent, got, err, c.want)
			}
		}
	}
	if m := gobCacheOf(&target{}).known.Load(); m == nil || len(*m) != 3 {
		t.Errorf("%v descriptions are known, want those three without interfaces that were read", m)
	}
}

// The number of descriptions that are kept does not grow with what is received.
func TestGobKnownIsBounded(t *testing.T) {
	type target struct{ A int }
	for i := range 3 * gobMaxKnown {
		sent := reflect.New(reflect.StructOf([]reflect.StructField{
			{Name: "A", Type: reflect.TypeFor[int]()},
			{Name: fmt.Sprintf("B%d", i), Type: reflect.TypeFor[int]()},
		}))
		sent.Elem().Field(0).SetInt(int64(i))
		sent.Elem().Field(1).SetInt(1)
		message := newGob(t, sent.Interface())
		for range 2 {
			var got target
			if err := (Gob{}).Unmarshal(message, &got); err != nil || got.A != i {
				t.Fatalf("%d: %+v, %v", i, got, err)
			}
		}
		if n := len(*gobCacheOf(&target{}).known.Load()); n > gobMaxKnown {
			t.Fatalf("%d descriptions are known", n)
		}
	}
}

func TestGobManyGoroutines(t *testing.T) {
	values := gobValues()
	var want [][]byte
	for _, v := range values {
		want = append(want, newGob(t, v))
	}
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := range 200 {
				k := (g + i) % len(values)
				got, err := Gob{}.Marshal(values[k])
				if err != nil || !bytes.Equal(got, want[k]) {
					t.Errorf("%T: %v", values[k], err)
					return
				}
				if err := (Gob{}).Unmarshal(got, reflect.New(reflect.TypeOf(values[k])).Interface()); err != nil {
					t.Errorf("%T: %v", values[k], err)
					return
				}
			}
		}()
	}
	wg.Wait()
}

// gobFails has a method that fails, or panics, when told to.
type gobFails struct{ Mode string }

func (g gobFails) GobEncode() ([]byte, error) {
	switch g.Mode {
	case "fail":
		return nil, io.ErrClosedPipe
	case "panic":
		panic("half-way")
	}
	return []byte(g.Mode), nil
}

func (g *gobFails) GobDecode(b []byte) error {
	g.Mode = string(b)
	_, err := gobFails{g.Mode}.GobEncode()
	return err
}

// An encoder or decoder that failed or panicked does not serve the next message.
func TestGobAfterFailures(t *testing.T) {
	type message struct {
		Before string
		F      gobFails
	}
	good := newGob(t, message{"b", gobFails{"good"}})
	for _, mode := range []string{"good", "fail", "good", "panic", "good", "fail", "panic", "good", "good"} {
		func() {
			defer func() {
				if p := recover(); (p != nil) != (mode == "panic") {
					t.Errorf("mode %s: panic %v", mode, p)
				}
			}()
			dst := []byte("dst")
			b, err := Gob{}.AppendMarshal(dst, message{"b", gobFails{mode}})
			if (err != nil) != (mode == "fail") {
				t.Errorf("mode %s: %v", mode, err)
			}
			if want := "dst"; err != nil && string(b) != want {
				t.Errorf("mode %s: result %q", mode, b)
			}
			if err == nil && !bytes.Equal(b[3:], good) {
				t.Errorf("mode %s: %q, want %q", mode, b[3:], good)
			}
		}()
		func() {
			defer func() { _ = recover() }()
			var m message
			sent := bytes.Replace(good, []byte("\x04good"), []byte("\x04"+(mode + "   ")[:4]), 1)
			if mode == "panic" {
				sent = newGob(t, message{"b", gobFails{"good"}})
			}
			_ = Gob{}.Unmarshal(sent[:len(sent)-1], &m)
			_ = Gob{}.Unmarshal(sent, &m)
		}()
		var m message
		if err := (Gob{}).Unmarshal(good, &m); err != nil || m.F.Mode != "good" {
			t.Errorf("after mode %s: %+v, %v", mode, m, err)
		}
	}
}

// damageable are the values that damaged messages are read into: none with a map,
// for which encoding/gob takes as much memory as the message says (decodeMap, Go 1.26).
func damageable() []any {
	return slices.DeleteFunc(gobValues(), func(v any) bool {
		return reaches(reflect.TypeOf(v), reflect.Map, map[reflect.Type]bool{})
	})
}

// gobErrorsOf compares the outcome for bytes of any kind with that of a new decoder.
func gobErrorsOf(t *testing.T, b []byte, typ reflect.Type) {
	t.Helper()
	got, want := reflect.New(typ), reflect.New(typ)
	err := Gob{}.Unmarshal(b, got.Interface())
	_, wantErr := readGob(b, want.Interface())
	if (err == nil) != (wantErr == nil) || err != nil && !strings.HasSuffix(err.Error(), wantErr.Error()) {
		t.Fatalf("%v: %v, a new decoder says %v\n%q", typ, err, wantErr, b)
	}
	if err == nil && !sameValue(t, got, want) {
		t.Fatalf("%v: stored\n%+v\nwant\n%+v\n%q", typ, got.Elem(), want.Elem(), b)
	}
}

// sameValue is reflect.DeepEqual for which NaN equals NaN: such values have the
// same bytes, in any order since maps have none.
func sameValue(t *testing.T, a, b reflect.Value) bool {
	if reflect.DeepEqual(a.Interface(), b.Interface()) {
		return true
	}
	x, y := newGob(t, a.Interface()), newGob(t, b.Interface())
	slices.Sort(x)
	slices.Sort(y)
	return bytes.Equal(x, y)
}

// FuzzGob: on any bytes, for any type, used decoders say and store what new ones
// do, also about the message that follows; what is marshalled again has the bytes
// of a new encoder.
func FuzzGob(f *testing.F) {
	values := damageable()
	for i, v := range values {
		b := newGob(f, v)
		f.Add(byte(i), b)
		f.Add(byte(i), b[:len(b)-1])
		f.Add(byte(i+1), b)
		f.Add(byte(i), append(bytes.Clone(b), b...))
	}
	f.Fuzz(func(t *testing.T, kind byte, in []byte) {
		if len(in) > 1<<12 {
			return
		}
		v := values[int(kind)%len(values)]
		typ := reflect.TypeOf(v)
		for range 2 {
			gobErrorsOf(t, in, typ)
			gobErrorsOf(t, newGob(t, v), typ)
		}
		back := reflect.New(typ)
		if (Gob{}).Unmarshal(in, back.Interface()) != nil {
			return
		}
		if got, err := (Gob{}).Marshal(back.Elem().Interface()); err == nil && typ.Kind() != reflect.Map &&
			!strings.Contains(fmt.Sprintf("%v", back.Elem()), "map[") {
			if want := newGob(t, back.Elem().Interface()); !bytes.Equal(got, want) {
				t.Fatalf("%v: %q, a new encoder writes %q", typ, got, want)
			}
		}
	})
}

var (
	gobMutants    = flag.Int("gob.mutants", 2000, "number of damaged messages that TestGobMutants tries")
	gobMutantSeed = flag.Uint64("gob.seed", 20261121, "seed of TestGobMutants")
)

// TestGobMutants is FuzzGob without a fuzzer, which does not see into encoding/gob:
// messages damaged in one to three places, and definitions of one with the value of
// another.
//
//	go test ./codec -run TestGobMutants -gob.mutants 1000000 -gob.seed 7
func TestGobMutants(t *testing.T) {
	r := rand.New(rand.NewPCG(*gobMutantSeed, 0))
	values := damageable()
	var seeds [][]byte
	for _, v := range values {
		seeds = append(seeds, newGob(t, v))
	}
	for range *gobMutants {
		k := r.IntN(len(values))
		in := damaged(r, seeds[k], seeds[r.IntN(len(seeds))])
		gobErrorsOf(t, in, reflect.TypeOf(values[k]))
		gobErrorsOf(t, seeds[k], reflect.TypeOf(values[k]))
	}
}

func damaged(r *rand.Rand, b, other []byte) []byte {
	if r.IntN(3) == 0 {
		x, _, _ := splitGob(b)
		y, _, _ := splitGob(other)
		return append(bytes.Clone(b[:x]), other[y:]...)
	}
	b = bytes.Clone(b)
	for range 1 + r.IntN(3) {
		switch i := r.IntN(len(b)); r.IntN(3) {
		case 0:
			b[i] = byte(r.Uint32())
		case 1:
			b[i] ^= 1 << r.IntN(8)
		case 2:
			copy(b[i:], other[r.IntN(len(other)):])
		}
	}
	return b
}

// BenchmarkGob compares kept encoders and decoders with new ones.
func BenchmarkGob(b *testing.B) {
	r := rand.New(rand.NewPCG(3, 3))
	for _, v := range []any{sse.SampleSSEEvent(r), orderlite.SampleOrder(r), user.SampleUser(r)} {
		message := newGob(b, v)
		target := reflect.New(reflect.TypeOf(v)).Interface()
		for name, f := range map[string]func() error{
			"marshal/new": func() error { return gob.NewEncoder(&appendWriter{}).Encode(v) },
			"marshal/kept": func() error {
				_, err := Gob{}.Marshal(v)
				return err
			},
			"unmarshal/new":  func() error { _, err := readGob(message, target); return err },
			"unmarshal/kept": func() error { return Gob{}.Unmarshal(message, target) },
		} {
			b.Run(fmt.Sprintf("%T/%s", v, name), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if err := f(); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
