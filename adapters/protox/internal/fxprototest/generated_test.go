package fxprototest

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"reflect"
	"strings"
	"testing"

	"github.com/zmylab/zmy/fxproto"
)

// generated marshals with generated code.
var generated = fxproto.MarshalOptions{Deterministic: true}

// compareEncoders compares generated code with reflection, which has written b.
func (s *schema) compareEncoders(t *testing.T, v any, b []byte) {
	t.Helper()
	got, err := generated.Marshal(v)
	if err != nil || !bytes.Equal(got, b) {
		t.Fatalf("%v: generated code writes\n%x, %v, reflection\n%x", s.rt, got, err, b)
	}
	if n, err := fxproto.Size(v); err != nil || n != len(b) {
		t.Fatalf("%v: generated code: size %d, %v, want %d", s.rt, n, err, len(b))
	}
	for _, room := range []int{0, 1, len(b) / 2, len(b), 2 * len(b)} {
		dst := append(make([]byte, 0, 3+room), "abc"...)
		if got, err = generated.Append(dst, v); err != nil || string(got) != "abc"+string(b) {
			t.Fatalf("%v: generated code appends %x, %v", s.rt, got, err)
		}
	}
	if got, err = (fxproto.MarshalOptions{}).Marshal(v); err != nil || len(got) != len(b) {
		t.Fatalf("%v: generated code without order writes %x, %v", s.rt, got, err)
	}
}

// variants has options with which generated code and reflection must agree on all bytes.
var variants = []fxproto.UnmarshalOptions{
	{}, {Alias: true}, {DiscardUnknown: true}, {MaxDepth: 1}, {MaxDepth: 2}, {MaxDepth: 3}, {MaxMemory: 1}, {MaxMemory: 50}, {MaxMemory: 300},
	{MaxMemory: 1000, Alias: true}, {MaxMemory: 2500}, {MaxMemory: 10000},
}

// compareDecoders compares generated code with reflection, which has unmarshalled b into v or returned
// the error want. The message first is valid; b is merged into it too.
func (s *schema) compareDecoders(t *testing.T, first, b []byte, v any, want error) {
	t.Helper()
	s.compareReuse(t, b, v, want)
	s.compareReuse(t, first, nil, nil)
	for i, o := range variants {
		got, ref := reflect.New(s.rt).Interface(), v
		err := o.Unmarshal(b, got)
		if i > 0 {
			ref, o.Reflection = reflect.New(s.rt).Interface(), true
			want = o.Unmarshal(b, ref)
			o.Reflection = false
		}
		if !reflect.DeepEqual(err, want) {
			t.Fatalf("%v, %+v: generated code: %v, reflection: %v, %x", s.rt, o, err, want, b)
		}
		if verify := o.Verify(b, got); !reflect.DeepEqual(verify, err) {
			t.Fatalf("%v, %+v: generated code verifies: %v, unmarshals: %v, %x", s.rt, o, verify, err, b)
		}
		if err == nil {
			s.same(t, got, ref, b)
		}
		if i == 0 && err == nil {
			ref = reflect.New(s.rt).Interface()
			err = errors.Join(fxproto.Unmarshal(first, got), fxproto.Merge(b, got), reflection.Unmarshal(first, ref), reflection.Merge(b, ref))
			if err != nil {
				t.Fatalf("%v: %v, %x %x", s.rt, err, first, b)
			}
			s.same(t, got, ref, b)
		}
	}
}

// compareReuse unmarshals b into values that are used again. They must have the bytes of v, which is the
// result of another decoder, unless that returned the error want.
func (s *schema) compareReuse(t *testing.T, b []byte, v any, want error) {
	t.Helper()
	if v == nil {
		v = reflect.New(s.rt).Interface()
		want = reflection.Unmarshal(b, v)
	}
	for i, kept := range s.kept {
		o := fxproto.UnmarshalOptions{Reuse: true, Reflection: i == 1}
		if err := o.Unmarshal(b, kept); !reflect.DeepEqual(err, want) {
			t.Fatalf("%v, %+v: %v, without reuse: %v, %x", s.rt, o, err, want, b)
		}
		if want != nil {
			continue
		}
		got, errGot := ours.Marshal(kept)
		fresh, err := ours.Marshal(v)
		if errGot != nil || err != nil || !bytes.Equal(got, fresh) {
			t.Fatalf("%v, %+v: decodes\n%x, %v, without reuse\n%x, %v, from %x", s.rt, o, got, errGot, fresh, err, b)
		}
	}
}

// TestReuse: slices, maps and messages of a value are filled again.
func TestReuse(t *testing.T) {
	text := "text"
	in := &Order{ID: "a", Items: []Item{{Sku: "b"}, {Sku: "c"}}, Labels: map[string]string{"k": "v"}, Last: &Item{Sku: "d"},
		All: []*Item{{Sku: "e"}, {}}}
	b, err := generated.Marshal(in)
	if err != nil {
		t.Fatal(err)
	}
	reuse := fxproto.UnmarshalOptions{Reuse: true}
	var v Order
	if err := reuse.Unmarshal(b, &v); err != nil || !reflect.DeepEqual(&v, in) {
		t.Fatalf("%+v, %v", v, err)
	}
	items, last, all := &v.Items[0], v.Last, v.All[0]
	err = reuse.Unmarshal([]byte("\x0a\x01x"), &v)
	if err != nil || v.ID != "x" || len(v.Items)+len(v.Labels)+len(v.All) > 0 || v.Last != nil {
		t.Fatalf("%+v, %v", v, err)
	}
	v.Last = last
	if err := reuse.Unmarshal(b, &v); err != nil || !reflect.DeepEqual(&v, in) {
		t.Fatalf("%+v, %v", v, err)
	}
	if items != &v.Items[0] || last != v.Last || all != v.All[0] {
		t.Error("memory is not used again")
	}
	p := Pointers{S: &text}
	if err := reuse.Unmarshal([]byte("\x3a\x01y"), &p); err != nil || p.S != &text || text != "y" {
		t.Error(p.S, err)
	}
	if n := testing.AllocsPerRun(10, func() { _ = reuse.Unmarshal(b, &v) }); n > 1 {
		t.Errorf("%v allocations, want one for the text", n)
	}
	if err := reuse.Merge([]byte("\x12\x03\x0a\x01y"), &v); err != nil || len(v.Items) != 3 || v.ID != "a" {
		t.Errorf("merged %+v, %v", v, err)
	}
}

// same compares a value from generated code with one from reflection. Both are compared as reflection
// writes them, since it makes a signalling NaN of 32 bits a quiet one.
func (s *schema) same(t *testing.T, got, ref any, b []byte) {
	t.Helper()
	a, errA := ours.Marshal(got)
	r, errR := ours.Marshal(ref)
	if errA != nil || errR != nil || !bytes.Equal(a, r) {
		t.Fatalf("%v: generated code decodes\n%x, %v, reflection\n%x, %v, from %x", s.rt, a, errA, r, errR, b)
	}
	if a, err := generated.Marshal(ref); err != nil || !bytes.Equal(a, r) {
		t.Fatalf("%v: generated code encodes\n%x, %v, reflection\n%x", s.rt, a, err, r)
	}
	if !hasNaN(b) && !reflect.DeepEqual(got, ref) {
		t.Fatalf("%v: generated code decodes\n%+v, reflection\n%+v, from %x", s.rt, got, ref, b)
	}
}

// hasNaN reports whether a message may have a NaN, which is equal to nothing.
func hasNaN(b []byte) bool {
	for i := 1; i < len(b); i++ {
		if b[i]&0x7f == 0x7f && b[i-1] >= 0x80 {
			return true
		}
	}
	return false
}

// TestRefused compares the errors for values that have no message.
func TestRefused(t *testing.T) {
	bad, one, text := "a\xffb", int64(1), "x"
	loop := &Tree{Name: "loop"}
	loop.Left = loop
	circle := &Choice{}
	circle.B = circle
	for _, v := range []any{
		&Scalars{S: bad}, &Scalars{N: "\xff"}, &Scalars{S: strings.Repeat("long ", 40) + "\xc0"}, &Texts{S: []string{"", "ok", bad}},
		&Pointers{S: &bad}, &Maps{SS: map[string]string{bad: ""}}, &Maps{SS: map[string]string{"k": bad}}, &Maps{NE: map[Name]Level{"\xc3": 1}},
		&MessageMaps{V: map[string]Item{"k": {Sku: bad}}}, &Order{Items: []Item{{}, {Sku: bad}}}, &Choice{Text: &text, Num: &one},
		&Choice{B: &Choice{Raw: []byte{}, Text: &text}}, loop, circle,
		&Mixed{Texts: &Texts{N: []Name{"\xed\xa0\x80"}}},
	} {
		dst := []byte("abc")
		got, err := generated.Append(dst, v)
		_, want := ours.Append(dst, v)
		if want == nil || !reflect.DeepEqual(err, want) || string(got) != "abc" {
			t.Errorf("%T: generated code: %v, %q, reflection: %v", v, err, got, want)
		}
		_, err = fxproto.Size(v)
		_, want = ours.Size(v)
		if !reflect.DeepEqual(err, want) {
			t.Errorf("%T: size by generated code: %v, by reflection: %v", v, err, want)
		}
	}
}

// TestDepth nests messages, groups and entries of maps around the limits.
func TestDepth(t *testing.T) {
	wrap := func(n int, open, end string, size bool) []byte {
		var b []byte
		for range n {
			head := []byte(open)
			if size {
				for x := len(b); ; x >>= 7 {
					if x < 0x80 {
						head = append(head, byte(x))
						break
					}
					head = append(head, byte(x)|0x80)
				}
			}
			b = append(append(head, b...), end...)
		}
		return b
	}
	for _, c := range []struct {
		v         any
		open, end string
		size      bool
	}{
		{Tree{}, "\x12", "", true}, {Groups{}, "\x0b", "\x0c", false}, {Groups{}, "\x7b", "\x7c", false},
		{Groups{}, "\x0b\x7b", "\x7c\x0c", false},
		{Groups{}, "\x7b\x0b", "\x0c\x7c", false}, {Groups{}, "\x2a", "", true}, {Empty{}, "\x0b", "\x0c", false},
	} {
		for _, n := range []int{1, 2, 3, 4999, 5000, 5001, 9998, 9999, 10000, 10001, 10002} {
			b := wrap(n, c.open, c.end, c.size)
			for _, o := range []fxproto.UnmarshalOptions{{}, {MaxDepth: 3}, {MaxDepth: 20000}} {
				v := reflect.New(reflect.TypeOf(c.v)).Interface()
				err := o.Unmarshal(b, v)
				if verify := o.Verify(b, v); !reflect.DeepEqual(verify, err) {
					t.Errorf("%T, %d levels of %x, depth %d: Verify: %.200v, Unmarshal: %.200v", c.v, n, c.open, o.MaxDepth, verify, err)
				}
				o.Reflection = true
				if want := o.Verify(b, v); !reflect.DeepEqual(err, want) {
					t.Errorf("%T, %d levels of %x, depth %d: generated code: %.200v, reflection: %.200v", c.v, n, c.open, o.MaxDepth, err, want)
				}
			}
		}
	}
}

// TestLarge decodes messages that are larger than a block of text.
func TestLarge(t *testing.T) {
	v := &Texts{}
	for i := range 300 {
		v.S = append(v.S, strings.Repeat("text", i))
		v.Y = append(v.Y, bytes.Repeat([]byte{byte(i)}, 40*i))
	}
	b, err := generated.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	got := &Texts{}
	if err := fxproto.Unmarshal(b, got); err != nil || !reflect.DeepEqual(got, v) {
		t.Fatalf("differs: %v", err)
	}
	clear(b)
	if !reflect.DeepEqual(got, v) {
		t.Fatal("the result shares memory with the message")
	}
	for i := range got.Y {
		_ = append(got.Y[i], 1, 2, 3)
	}
	if !reflect.DeepEqual(got, v) {
		t.Fatal("parts of the result share memory")
	}
}

// TestEmbedded shows that a struct does not take the methods of a struct that it embeds.
func TestEmbedded(t *testing.T) {
	type around struct {
		Item `proto:"1"`
		N    int32 `proto:"2"`
	}
	v := &around{Item{Sku: "a"}, 7}
	b, err := generated.Marshal(v)
	if string(b) != "\x0a\x03\x0a\x01a\x10\x07" || err != nil {
		t.Fatalf("%x, %v", b, err)
	}
	got := &around{N: 1}
	if err := fxproto.Unmarshal(b, got); err != nil || *got != *v {
		t.Fatalf("%+v, %v", got, err)
	}
	if n, err := fxproto.Size(v); n != len(b) || err != nil {
		t.Fatal(n, err)
	}
}

// TestCurrent runs the command of the header of types_proto.go with the flag -check.
func TestCurrent(t *testing.T) {
	if testing.Short() || os.Getenv("GOWORK") == "off" {
		t.Skip("builds the generator, which is in another module")
	}
	args := []string{"run", "github.com/zmylab/zmy/gen/cmd/fxproto", "-check", "-output=types_proto.go", "-type=" + strings.Join(names(), ",")}
	if out, err := exec.Command("go", args...).CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}

func names() (all []string) {
	for _, rt := range types {
		all = append(all, rt.Name())
	}
	return all
}
