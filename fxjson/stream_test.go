package fxjson_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/zmylab/zmy/fxjson"
	"github.com/zmylab/zmy/fxjson/internal/jsontypes"
)

// decoder is what both packages' decoders have.
type decoder interface {
	UseNumber()
	DisallowUnknownFields()
	Decode(any) error
	Token() (json.Token, error)
	More() bool
	Buffered() io.Reader
	InputOffset() int64
}

// chunks gives src in pieces of size n, and err at the end, perhaps with the
// last piece.
type chunks struct {
	src  []byte
	n    int
	err  error
	with bool
}

func (c *chunks) Read(p []byte) (int, error) {
	if len(c.src) == 0 {
		return 0, c.err
	}
	n := copy(p[:min(len(p), c.n)], c.src)
	c.src = c.src[n:]
	if c.with && len(c.src) == 0 {
		return n, c.err
	}
	return n, nil
}

// play does with a decoder of src what ops say and writes down what happens. How far a decoder reads ahead is its own
// affair, as long as what it has read goes on where it is.
func play(d decoder, src, ops []byte) string {
	var log strings.Builder
	bad := 0
	for i := 0; i < len(ops) && bad < 3; i++ {
		var err error
		switch op := ops[i] % 8; op {
		case 0:
			var v any
			err = d.Decode(&v)
			fmt.Fprintf(&log, "any %#v", v)
		case 1:
			v := jsontypes.Point{X: 5}
			err = d.Decode(&v)
			fmt.Fprintf(&log, "point %+v", v)
		case 2:
			var v json.RawMessage
			err = d.Decode(&v)
			fmt.Fprintf(&log, "raw %s", v)
		case 3:
			fmt.Fprint(&log, "more ", d.More())
		case 4:
			if ops[i] == 4 {
				d.UseNumber()
			} else if ops[i] == 12 {
				d.DisallowUnknownFields()
			}
		default:
			var v json.Token
			v, err = d.Token()
			fmt.Fprintf(&log, "token %T %#v", v, v)
		}
		rest, _ := io.ReadAll(d.Buffered())
		at := d.InputOffset()
		fmt.Fprintf(&log, " at %d, rest %t", at, at <= int64(len(src)) && bytes.HasPrefix(src[at:], rest))
		if err != nil {
			bad++
			fmt.Fprintf(&log, " error %T %v", err, err)
			if s := (*json.SyntaxError)(nil); errors.As(err, &s) {
				fmt.Fprint(&log, " offset ", s.Offset)
			}
			if s := (*json.UnmarshalTypeError)(nil); errors.As(err, &s) {
				fmt.Fprint(&log, " offset ", s.Offset, s.Field)
			}
		}
		log.WriteByte('\n')
	}
	return log.String()
}

func checkStream(t *testing.T, src, ops []byte, size int, end error, with bool) {
	t.Helper()
	got := play(fxjson.NewDecoder(&chunks{src, size, end, with}), src, ops)
	want := play(json.NewDecoder(&chunks{src, size, end, with}), src, ops)
	if got != want {
		t.Fatalf("%q by %d, %v, ops %v:\nhave\n%swant\n%s", src, size, end, ops, got, want)
	}
}

var streams = []string{
	"", " ", "1 2 3", `{"x":1}{"x":2}[3]`, `{"x":1} 5 "a""b"truefalse null`, `[1,2,{"a":[true,null,"s"]}] {}`,
	`{"a":1,"b":{"c":[]}}`, `[1 2]`, `[1,]`, `{"a" 1}`,
	`{"a":1,}`, `{1:2}`, `]`, `}`, `,`, `:`, `[}`, `{]`, `{"a":}`, `{"a","b"}`, `tru`, `trux`, `-`, `-x`, `1.`, `1.x`, `1e`, `1e+`,
	`1e+5 `, `01`, `"\u12g4"`, `"\u1234"`,
	`"\x"`, "\"\x01\"", `"open`, `{"x":"no"} {"x":7}`, `{"unknown":1,"x":2} 3`, "[\"\xff\"]", "\xff", "[\xff]", "{\xff", "1\x00",
	" \n[ 1 , 2 ] ", `[[[[]]]]`, `{"":{"":{}}}`, `"a`, `[1,[2,[3`,
	`1e999 5`, `12345678901234567890123`, `0.5e-3x`, `{"x":1}x`, `nullnull`, `"k":1`, `[1:2]`, `{"a":1:2}`, `{,}`, `[,]`,
}

func TestStream(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 42))
	ops := make([]byte, 30)
	for _, s := range streams {
		for n := range 60 {
			for i := range ops {
				ops[i] = byte(r.IntN(64))
				if n%3 == 0 { // tokens only
					ops[i] |= 5
				} else if n%3 == 1 {
					ops[i] &^= 4 // mostly decoding
				}
			}
			end := io.EOF
			switch n % 10 {
			case 0:
				end = io.ErrClosedPipe
			case 5:
				end = io.ErrUnexpectedEOF // of a body that was cut
			}
			checkStream(t, []byte(s), ops, 1+n%7*n%40, end, n%2 == 0)
		}
	}
	for _, kind := range kinds {
		doc := append(document(r, kind), document(r, kind)...)
		for i := range ops {
			ops[i] = byte(r.IntN(64))
		}
		checkStream(t, doc, ops, 1+r.IntN(600), io.EOF, false)
		checkStream(t, mutate(r, doc), ops, 1+r.IntN(600), io.EOF, false)
	}
}

// follow are the pieces of which TestTokenPairs makes streams.
var follow = []string{"[", "]", "{", "}", ":", ",", "0", "1.5", "-", ".", "e5", "x", `"a"`, `"`, "true", "nul", " ", "\x00"}

// TestTokenPairs lets every piece follow every other one, at each place where a stream of
// tokens can be, and reads by tokens and by values.
func TestTokenPairs(t *testing.T) {
	places := []string{"", "[", "[0", "[0,", "[[]", "{", `{"k"`, `{"k":`, `{"k":0`, `{"k":0,`, "0", "0[[]", "[[", `[{"k":[`, "1 ", `[{"k":1}`}
	r := rand.New(rand.NewPCG(25, 26))
	tokens, mixed := bytes.Repeat([]byte{5}, 9), []byte{5, 0, 5, 5, 3, 2, 5, 5, 5}
	for _, place := range places {
		for _, a := range follow {
			for _, b := range follow {
				for _, end := range []string{"", "]", "1"} {
					if skipped(r) {
						continue
					}
					src := []byte(place + a + b + end)
					checkStream(t, src, tokens, 600, io.EOF, false)
					checkStream(t, src, tokens, 1, io.EOF, false)
					checkStream(t, src, mixed, 600, io.EOF, true)
				}
			}
		}
	}
}

func FuzzStream(f *testing.F) {
	for i, s := range streams {
		f.Add([]byte(s), []byte{0, 1, 2, 3, 5, 5, 5, 5, 0, 0}, uint8(i))
		f.Add([]byte(s), []byte{5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5}, uint8(i))
	}
	f.Fuzz(func(t *testing.T, src, ops []byte, size uint8) {
		checkStream(t, src, ops, 1+int(size), io.EOF, size%2 == 0)
	})
}

// endless is an array of a million values, or as many values apart.
type endless struct{ left int }

func (e *endless) Read(p []byte) (int, error) {
	if e.left == 0 {
		return 0, io.EOF
	}
	e.left--
	return copy(p, `{"x":1.5,"y":2} `), nil
}

// TestStreamMemory reads 16 MB of small values in little memory.
func TestStreamMemory(t *testing.T) {
	var before, after runtime.MemStats
	dec := fxjson.NewDecoder(&endless{1 << 20})
	var p jsontypes.Point
	runtime.ReadMemStats(&before)
	n := 0
	for ; ; n++ {
		if err := dec.Decode(&p); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		if n%100_000 == 0 {
			if rest, _ := io.Copy(io.Discard, dec.Buffered()); rest > 4096 {
				t.Fatalf("%d bytes are buffered", rest)
			}
		}
	}
	runtime.ReadMemStats(&after)
	if n != 1<<20 || after.HeapSys > before.HeapSys+64<<20 {
		t.Errorf("%d values, heap grew from %d to %d", n, before.HeapSys, after.HeapSys)
	}
}

// failing refuses to be written to.
type failing struct{ after int }

func (f *failing) Write(p []byte) (int, error) {
	if f.after--; f.after < 0 {
		return 0, io.ErrClosedPipe
	}
	return len(p), nil
}

func TestEncoder(t *testing.T) {
	list := []any{1, "<a>&\u2028", map[string]any{"<": []any{}, "b": []int{1, 2}}, &benchSession, jsontypes.Point{X: 1},
		make(chan int), json.RawMessage(` {"<" : "&" } `), nil, 5}
	for _, html := range []bool{true, false} {
		for _, indent := range []string{"", "  "} {
			var got, want bytes.Buffer
			g, w := fxjson.NewEncoder(&got), json.NewEncoder(&want)
			g.SetEscapeHTML(html)
			w.SetEscapeHTML(html)
			g.SetIndent("", indent)
			w.SetIndent("", indent)
			for _, v := range list {
				if err, wantErr := g.Encode(v), w.Encode(v); !sameError(err, wantErr) {
					t.Errorf("%T: have %v, want %v", v, err, wantErr)
				}
			}
			if !bytes.Equal(got.Bytes(), want.Bytes()) {
				t.Errorf("have %s\nwant %s", &got, &want)
			}
		}
	}
	g, w := fxjson.NewEncoder(&failing{1}), json.NewEncoder(&failing{1})
	for range 4 {
		if err, wantErr := g.Encode(1), w.Encode(1); !reflect.DeepEqual(err, wantErr) {
			t.Errorf("have %v, want %v", err, wantErr)
		}
	}
}

// TestDecodersShareNothing: what a decoder has made does not change when others use its buffer again, and neither does
// what it has read ahead.
func TestDecodersShareNothing(t *testing.T) {
	var made sync.WaitGroup
	for g := range 4 {
		made.Go(func() {
			type kept struct {
				raw     json.RawMessage
				session jsontypes.Session
				any     any
				rest    []byte
				doc     []byte
				ahead   string
			}
			var all []kept
			for i := range 200 {
				s := benchSession
				s.ID, s.UserName, s.Metadata = uint64(g), strings.Repeat(string(rune('a'+g)), i), map[string]any{"i": float64(i)}
				doc, err := json.Marshal(&s)
				if err != nil {
					t.Error(err)
					return
				}
				k := kept{doc: doc, ahead: []string{"", "\n", " ", "\n\n", `{"next":` + fmt.Sprint(i)}[i%5]}
				for _, v := range []any{&k.raw, &k.session, &k.any} {
					dec := fxjson.NewDecoder(&chunks{[]byte(string(doc) + k.ahead), 1 + (i*37)%5000, io.EOF, i%2 == 0})
					if err := dec.Decode(v); err != nil {
						t.Error(err)
					}
					if k.rest, err = io.ReadAll(dec.Buffered()); err != nil {
						t.Error(err)
					}
				}
				all = append(all, k)
			}
			for _, k := range all {
				for _, v := range []any{k.raw, &k.session} {
					if got, err := json.Marshal(v); err != nil || !bytes.Equal(got, k.doc) {
						t.Errorf("%T is %s, %v, want %s", v, got, err, k.doc)
					}
				}
				if m, ok := k.any.(map[string]any); !ok || m["user_name"] != k.session.UserName || !strings.HasPrefix(k.ahead, string(k.rest)) {
					t.Errorf("have %v and the rest %q of %q", k.any, k.rest, k.ahead)
					return
				}
			}
		})
	}
	made.Wait()
}

// fragile has a method that panics.
type fragile struct{ text string }

func (f *fragile) UnmarshalJSON(b []byte) error {
	if string(b) == `"panic"` {
		panic("fragile")
	}
	f.text = string(b)
	return nil
}

// TestDecoderAfterPanic: a program that recovers from a panic of a method goes on with the next value.
func TestDecoderAfterPanic(t *testing.T) {
	const src = `{"X":"panic"} {"X":"a"}` + "\n" + `["panic"]["b"]` + "\n" + `{"X":"panic"}`
	outcome := func(d decoder) string {
		var log strings.Builder
		for range 7 {
			func() {
				defer func() {
					if p := recover(); p != nil {
						fmt.Fprintln(&log, p, d.InputOffset())
					}
				}()
				var v any = new(struct{ X fragile })
				if log.Len() > 30 {
					v = new([]fragile)
				}
				err := d.Decode(v)
				fmt.Fprintln(&log, v, err, d.InputOffset())
			}()
		}
		return log.String()
	}
	for n := 1; n <= len(src); n++ {
		got, want := outcome(fxjson.NewDecoder(&chunks{[]byte(src), n, io.EOF, n%2 == 0})),
			outcome(json.NewDecoder(&chunks{[]byte(src), n, io.EOF, n%2 == 0}))
		if got != want {
			t.Fatalf("in pieces of %d: have\n%swant\n%s", n, got, want)
		}
	}
}

// step is what one call of Read does.
type step struct {
	text   string
	err    error
	panics bool
}

// script is a reader that takes one step for each call, and then is at its end.
type script struct {
	steps []step
	reads int
}

func (s *script) Read(p []byte) (int, error) {
	s.reads++
	if len(s.steps) == 0 {
		return 0, io.EOF
	}
	x := s.steps[0]
	s.steps = s.steps[1:]
	n := copy(p, x.text)
	if x.panics {
		panic("reader")
	}
	return n, x.err
}

// TestStreamReaders: readers that return errors together with bytes, nothing at all, more after their end, or panic. The decoder must not
// read where encoding/json's has a value already: the other side may wait for an answer.
func TestStreamReaders(t *testing.T) {
	r := rand.New(rand.NewPCG(51, 52))
	texts := []string{"", " ", "\n", "[1", "2", ",", "]", `{"x":1`, `,"y":2}`, "}", `"a`, `"`, "tru", "e", "null", "12", "-", "x",
		`[1,{"x":5}]`, `{"x":3}` + "\n"}
	errs := []error{nil, nil, nil, nil, nil, nil, io.EOF, io.ErrClosedPipe, io.ErrUnexpectedEOF}
	play := func(d decoder, s *script, ops []byte) string {
		var log strings.Builder
		for _, op := range ops {
			func() {
				defer func() {
					if p := recover(); p != nil {
						fmt.Fprint(&log, "panic ", p)
					}
				}()
				var v any
				var err error
				switch op {
				case 0:
					err = d.Decode(&v)
				case 1:
					p := jsontypes.Point{}
					err = d.Decode(&p)
					v = p
				case 2:
					v = d.More()
				default:
					v, err = d.Token()
				}
				fmt.Fprintf(&log, "%#v %v", v, err)
				if e := (*json.SyntaxError)(nil); errors.As(err, &e) {
					fmt.Fprint(&log, " offset ", e.Offset)
				}
			}()
			fmt.Fprintln(&log, " at", d.InputOffset(), "after", s.reads)
		}
		return log.String()
	}
	for range 30_000 {
		steps := make([]step, 1+r.IntN(8))
		for i := range steps {
			steps[i] = step{texts[r.IntN(len(texts))], errs[r.IntN(len(errs))], r.IntN(40) == 0}
		}
		ops := make([]byte, 6)
		for i := range ops {
			ops[i] = byte(r.IntN(2))
			if len(steps)%3 == 0 {
				ops[i] = byte(r.IntN(4))
			}
		}
		a, b := &script{steps: steps}, &script{steps: steps}
		got := play(fxjson.NewDecoder(a), a, ops)
		if slices.ContainsFunc(steps, func(x step) bool { return x.panics }) { // what follows is undefined in encoding/json
			if strings.Contains(got, "runtime error") {
				t.Fatalf("%v, ops %v:\nhave\n%s", steps, ops, got)
			}
			continue
		}
		if want := play(json.NewDecoder(b), b, ops); got != want {
			t.Fatalf("%v, ops %v:\nhave\n%swant\n%s", steps, ops, got, want)
		}
	}
}

// nesting has a method that reads the next value of the stream.
type nesting struct {
	dec  interface{ Decode(any) error }
	next any
	n    int
}

func (x *nesting) UnmarshalJSON(b []byte) error {
	x.n++
	return x.dec.Decode(&x.next)
}

// TestStreamMethods: a method is called once for each value, and only for one that is whole; it may read on itself.
func TestStreamMethods(t *testing.T) {
	pieces := func(texts ...string) *script {
		s := &script{}
		for _, x := range texts {
			s.steps = append(s.steps, step{text: x})
		}
		return s
	}
	own, std := func(r io.Reader) decoder { return fxjson.NewDecoder(r) }, func(r io.Reader) decoder { return json.NewDecoder(r) }
	for _, texts := range [][]string{{`{"X":{"k":1}`, `,"Y":{}`, `,"Z":2}`, `[3]`}, {`{"X":{"k":1}}`, `[3]`}, {`{"X":{"k":1}}[3]`, `[4]`},
		{`{"X":{"k":1}`}, {`{"X":{"k":1}}[3] [4]`}} {
		seen := func(new func(io.Reader) decoder) string {
			var v struct{ X, Y fragileCount }
			calls = 0
			err := new(pieces(texts...)).Decode(&v)
			return fmt.Sprint(calls, err)
		}
		got, want := seen(own), seen(std)
		if got != want {
			t.Errorf("%q: have %s, want %s", texts, got, want)
		}
		if len(texts) > 1 {
			continue // encoding/json has one buffer for both values
		}
		seen = func(new func(io.Reader) decoder) string {
			d := new(pieces(texts...))
			v := nesting{dec: d}
			err := d.Decode(&v)
			return fmt.Sprint(v.n, v.next, err, d.InputOffset())
		}
		got, want = seen(own), seen(std)
		if got != want {
			t.Errorf("%q: have %s, want %s", texts, got, want)
		}
	}
}

// fragileCount counts the calls of its method.
type fragileCount struct{}

var calls int

func (fragileCount) UnmarshalJSON([]byte) error {
	calls++
	return nil
}

// TestStreamWork: a value in small pieces takes work in proportion to its size, as in encoding/json.
func TestStreamWork(t *testing.T) {
	for name, c := range map[string]struct {
		doc  string
		size int
	}{
		"list": {"[" + strings.Repeat("12,", 3<<20) + "1]", 1400}, "bytes": {"[" + strings.Repeat("12,", 300_000) + "1]", 16},
		"blanks":  {strings.Repeat(" ", 1<<20) + "[1]", 16},
		"closing": {`{"p":"` + strings.Repeat("x", 1<<20) + "\",\n" + `"q":{}` + strings.Repeat(`,"q":{}`, 60_000) + "}", 7},
	} {
		took := func(d decoder) time.Duration {
			start := time.Now()
			var v json.RawMessage
			if err := d.Decode(&v); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			return time.Since(start)
		}
		std := took(json.NewDecoder(&chunks{[]byte(c.doc), c.size, io.EOF, false}))
		if own := took(fxjson.NewDecoder(&chunks{[]byte(c.doc), c.size, io.EOF, false})); own > 20*std+time.Second {
			t.Errorf("%s: %v, encoding/json %v", name, own, std)
		}
	}
}

// TestManyValues: the work for one of many values in a large buffer does not grow with the buffer.
func TestManyValues(t *testing.T) {
	const n = 400_000
	for _, sep := range []string{" ", "", "\n"} {
		src := `["` + strings.Repeat("x", 4<<20) + `"]` + strings.Repeat(sep+`{"x":1}`, n) // the first one makes the buffer large
		took := func(d decoder) time.Duration {
			start := time.Now()
			var v json.RawMessage
			for range n + 1 {
				if err := d.Decode(&v); err != nil {
					t.Fatalf("%q: %v", sep, err)
				}
			}
			return time.Since(start)
		}
		std := took(json.NewDecoder(strings.NewReader(src)))
		if own := took(fxjson.NewDecoder(strings.NewReader(src))); own > 20*std+time.Second {
			t.Errorf("divided by %q: %v, encoding/json %v", sep, own, std)
		}
	}
}

// TestIdleStreams: a decoder that waits for its next value does not hold a buffer of the size that other streams need.
func TestIdleStreams(t *testing.T) {
	for range 100 {
		var r json.RawMessage
		if err := fxjson.NewDecoder(strings.NewReader(`["` + strings.Repeat("x", 60_000) + `"]`)).Decode(&r); err != nil {
			t.Fatal(err)
		}
	}
	x := &rooms{r: &script{steps: []step{{text: `{"x":1}` + "\n"}, {text: `{"x":2}` + "\n"}}}}
	dec := fxjson.NewDecoder(x)
	for range 2 {
		var p jsontypes.Point
		if err := dec.Decode(&p); err != nil {
			t.Fatal(err)
		}
	}
	if err := dec.Decode(new(any)); err != io.EOF || x.seen[1] > 2000 || x.seen[2] > 2000 {
		t.Errorf("%v; reads have room for %d", err, x.seen)
	}
}

// rooms notes how much room reads have.
type rooms struct {
	r    io.Reader
	seen []int
}

func (x *rooms) Read(p []byte) (int, error) {
	x.seen = append(x.seen, len(p))
	return x.r.Read(p)
}

// TestFirstRoom: the first buffer of a decoder has room for a value like those before.
func TestFirstRoom(t *testing.T) {
	first := func(size int) []int {
		x := &rooms{r: strings.NewReader(`["` + strings.Repeat("x", size-4) + `"]`)}
		var v []string
		if err := fxjson.NewDecoder(x).Decode(&v); err != nil {
			t.Fatal(err)
		}
		return x.seen
	}
	for range 100 {
		first(6000)
	}
	if seen := first(6000); seen[0] < 6000 {
		t.Errorf("after values of 6,000 bytes reads have room for %d", seen)
	}
	for range 200 {
		first(100)
	}
	if seen := first(100); seen[0] > 5<<10 {
		t.Errorf("after values of 100 bytes reads have room for %d", seen)
	}
	for range 500 {
		first(1 << 20)
	}
	if seen := first(1 << 20); seen[0] > 70<<10 {
		t.Errorf("after values of a mebibyte reads have room for %d", seen)
	}
}
