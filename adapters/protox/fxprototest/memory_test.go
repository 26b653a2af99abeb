package fxprototest

import (
	"bytes"
	"errors"
	"reflect"
	"runtime"
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
