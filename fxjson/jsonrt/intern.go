package jsonrt

import (
	"hash/maphash"
	"sync"
	"sync/atomic"
)

// NOTE: Struct tag fxjson:"intern" makes equal strings of a field share memory, across documents. The strings
// that it keeps are in a table of fixed size, where a string has one place. A string is kept when
// it comes twice in a row to its place: strings that come once never displace others and cost a
// hash each.

const (
	maxInterned = 64   // bytes of a string
	internSlots = 1024 // in a program; with the strings they take 96 KiB at most
)

// internTable may be used by several goroutines.
type internTable struct {
	seed  maphash.Seed
	slots [internSlots]internSlot
}

type internSlot struct {
	last atomic.Uint64          // hash of the string that was asked for last and was not kept
	kept atomic.Pointer[string] // never changed, only replaced
}

// interned is the table of the program, made when it is needed.
var interned = sync.OnceValue(func() *internTable { return &internTable{seed: maphash.MakeSeed()} })

// get returns the string that b is, if it is kept or has been asked for before.
func (t *internTable) get(b []byte) (string, bool) {
	h := maphash.Bytes(t.seed, b)
	slot := &t.slots[h%internSlots]
	if s := slot.kept.Load(); s != nil && *s == string(b) {
		return *s, true
	}
	if slot.last.Load() != h {
		slot.last.Store(h)
		return "", false
	}
	s := string(b)
	slot.kept.Store(&s)
	return s, true
}

// Interning is the state that EndIntern returns to.
type Interning struct {
	alias  bool
	intern *internTable
}

// Intern makes the strings that are read next interned, until EndIntern. They share no memory with
// the document.
func (d *Dec) Intern() Interning {
	was := Interning{d.alias, d.intern}
	d.alias, d.intern = false, interned()
	return was
}

// EndIntern returns to the state before Intern.
func (d *Dec) EndIntern(was Interning) { d.alias, d.intern = was.alias, was.intern }

// internDecoder is dec with its strings interned.
func internDecoder(dec *decoder) *decoder {
	return &decoder{do: func(d *Dec, i int, p place) int {
		was := d.Intern()
		i = dec.do(d, i, p)
		d.EndIntern(was)
		return i
	}}
}
