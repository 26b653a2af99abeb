package fxprototest

import (
	"bytes"
	"encoding/binary"
	"errors"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/zmylab/zmy/fxproto"
)

// TestMemory unmarshals hostile messages with generated code and a budget. The memory that is
// allocated, with all that is garbage already, stays below four times the budget.
func TestMemory(t *testing.T) {
	const budget = 4 << 20
	long := append([]byte("\x0a\x80\x80\x80\x08"), make([]byte, 16<<20)...)
	for _, c := range []struct {
		name string
		v    any
		b    []byte
	}{
		{"lists of structs", &Order{}, bytes.Repeat([]byte("\x12\x00"), 100000)},
		{"lists of pointers", &Order{}, bytes.Repeat([]byte("\x3a\x00"), 100000)},
		{"maps of one entry", &Tree{}, bytes.Repeat([]byte("\x22\x02\x2a\x00"), 30000)},
		{"entries by turns", &Maps{}, bytes.Repeat([]byte("\x0a\x00\x12\x00"), 100000)},
		{"packed numbers", &Packed{}, append([]byte("\x12\x80\x89\x7a"), make([]byte, 2000000)...)},
		{"a long string", &Order{}, long},
		{"long bytes", &Scalars{}, append([]byte("\x5a"), long[1:]...)},
		{"strings", &Texts{}, bytes.Repeat([]byte("\x0a\x01a"), 1000000)},
		{"unknown fields", &Order{}, bytes.Repeat([]byte("\x78\x01"), 8000000)},
		{"empty values", &Dynamic{}, bytes.Repeat([]byte("\x1a\x02\x0a\x00"), 200000)},
		{"numbers in values", &Dynamic{}, bytes.Repeat([]byte("\x1a\x0b\x0a\x09\x11abcdefgh"), 200000)},
		{"empty objects", &Dynamic{}, bytes.Repeat([]byte("\x2a\x00"), 100000)},
		{"objects with an entry", &Dynamic{}, bytes.Repeat([]byte("\x2a\x02\x0a\x00"), 30000)},
		{"empty lists", &Dynamic{}, bytes.Repeat([]byte("\x1a\x04\x0a\x02\x32\x00"), 100000)},
		{"wrappers", &Wrappers{}, bytes.Repeat([]byte("\x7a\x00"), 200000)},
		{"arms", &Shapes{}, bytes.Repeat([]byte("\x12\x00"), 200000)},
		{"arms by turns", &Wrapped{}, bytes.Repeat([]byte("\x1a\x00\x32\x00"), 200000)},
	} {
		for _, o := range []fxproto.UnmarshalOptions{{MaxMemory: budget}, {MaxMemory: budget, Alias: true}} {
			if o.Alias && c.name == "a long string" || o.Alias && c.name == "long bytes" {
				continue
			}
			var before, after runtime.MemStats
			v := reflect.New(reflect.TypeOf(c.v).Elem()).Interface()
			runtime.ReadMemStats(&before)
			err := o.Unmarshal(c.b, v)
			runtime.ReadMemStats(&after)
			if used := after.TotalAlloc - before.TotalAlloc; used > 4*budget {
				t.Errorf("%s: %d bytes for a budget of %d", c.name, used, budget)
			}
			if !errors.Is(err, fxproto.ErrMemory) {
				t.Errorf("%s: %v, want ErrMemory", c.name, err)
			}
		}
	}
}

// TestMemoryOfLevels: lists and maps whose first element is a message with such a list share one budget
// for elements that have not come.
func TestMemoryOfLevels(t *testing.T) {
	const budget = 4 << 20
	lists, maps := []byte{}, []byte{}
	wrap := func(tag byte, b []byte) []byte {
		return append(append([]byte{tag}, binary.AppendUvarint(nil, uint64(len(b)))...), b...)
	}
	for range 40 {
		lists = append(wrap(0x22, lists), bytes.Repeat([]byte("\x22\x00"), 3000)...)
		maps = append(wrap(0x2a, wrap(0x12, maps)), bytes.Repeat([]byte("\x2a\x00"), 3000)...)
	}
	for name, b := range map[string][]byte{"lists": lists, "maps": maps} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		err := fxproto.UnmarshalOptions{MaxMemory: budget}.Unmarshal(b, new(Tree))
		runtime.ReadMemStats(&after)
		if used := after.TotalAlloc - before.TotalAlloc; used > 4*budget || !errors.Is(err, fxproto.ErrMemory) {
			t.Errorf("%s: %d bytes for a budget of %d, %v", name, used, budget, err)
		}
	}
}

// TestInherited: methods that a struct inherits from one that it embeds are not called, on nil pointers
// neither.
func TestInherited(t *testing.T) {
	type outer struct {
		Texts `proto:"1"`
		Y     int32 `proto:"2"`
	}
	type middle struct {
		Texts `proto:"1"`
	}
	type deep struct {
		*middle `proto:"-"`
		Y       int32 `proto:"1"`
	}
	if b, err := fxproto.Marshal((*outer)(nil)); err != nil || len(b) != 0 {
		t.Errorf("%x, %v", b, err)
	}
	if err := fxproto.Verify([]byte("\x10\x01"), (*outer)(nil)); err != nil {
		t.Error(err)
	}
	if err := fxproto.Unmarshal(nil, (*outer)(nil)); err == nil {
		t.Error("a nil pointer is set")
	}
	if b, err := fxproto.Marshal(&outer{Y: 1}); err != nil || string(b) != "\x10\x01" {
		t.Errorf("%x, %v", b, err)
	}
	x := deep{Y: 2}
	if b, err := fxproto.Marshal(&x); err != nil || string(b) != "\x08\x02" {
		t.Errorf("%x, %v", b, err)
	}
	if err := fxproto.Unmarshal([]byte("\x08\x03"), &x); err != nil || x.Y != 3 {
		t.Errorf("%+v, %v", x, err)
	}
}

// TestCycle: a value that contains itself is refused at once, although each level has content to move.
func TestCycle(t *testing.T) {
	x := &Tree{Name: strings.Repeat("x", 20000)}
	x.Left = x
	for _, o := range []fxproto.MarshalOptions{{}, {Reflection: true}} {
		if _, err := o.Marshal(x); err == nil {
			t.Error("a cycle was encoded")
		}
	}
}

// TestMemoryOfMaps: what is charged for a map is at least what it takes, whatever the size of its entries. The
// numbers of entries are those after which a map has just grown.
func TestMemoryOfMaps(t *testing.T) {
	for _, c := range []struct {
		name  string
		entry string // the field with an entry, up to its key, which is a varint of 3 bytes
		v     any
	}{
		{"int32, string", "\x12\x04\x08", &Maps{}},
		{"int64, uint64", "\x1a\x04\x08", &Maps{}},
		{"uint64, float32", "\x42\x04\x08", &Maps{}},
		{"Level, int", "\x52\x05\x0d", &Maps{}},
		{"uint64, Empty", "\x32\x04\x08", &MessageMaps{}},
		{"int, *Item", "\x12\x04\x08", &MessageMaps{}},
		{"uint32, bool", "\x22\x05\x0d", &Maps{}},
	} {
		for _, n := range []int{8, 57, 897, 14337, 114700} {
			var b []byte
			for i := range n {
				b = append(b, c.entry...)
				b = append(b, byte(i)|0x80, byte(i>>7)|0x80, byte(i>>14))
				if c.entry[2] == 0x0d {
					b = append(b, byte(i>>21))
				}
			}
			for _, o := range []fxproto.UnmarshalOptions{{}, {Reflection: true}} {
				var before, after runtime.MemStats
				v := reflect.New(reflect.TypeOf(c.v).Elem()).Interface()
				if err := o.Verify(b, v); err != nil { // reflection plans the type
					t.Fatal(c.name, err)
				}
				runtime.GC()
				runtime.ReadMemStats(&before)
				if err := o.Unmarshal(b, v); err != nil {
					t.Fatal(c.name, err)
				}
				runtime.GC()
				runtime.ReadMemStats(&after)
				runtime.KeepAlive(v)
				used := int64(after.HeapAlloc) - int64(before.HeapAlloc)
				o.MaxMemory = used*19/20 - 1000 // other memory of the process changes, too
				if o.MaxMemory > 0 && o.Verify(b, c.v) == nil {
					t.Errorf("%s, %d entries, reflection %v: the map takes %d bytes, and is charged less", c.name, n, o.Reflection, used)
				}
			}
		}
	}
}
