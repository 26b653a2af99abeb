package jsonrt

import (
	"hash/maphash"
	"sync"
	"sync/atomic"
)

// NOTE: Struct tag fxjson:"intern" makes equal strings of a field share memory, across documents.
// The strings are kept in a table of fixed size, which consists of sets with a few places each. A
// string is kept when it is met a second time while its set still remembers the first time. So
// strings that occur once displace none that are kept, and cost a hash each.

const (
	maxInterned = 64  // bytes of the longest string that is interned
	internSets  = 256 // sets in the program's table, which takes about 106 KiB at most, strings included
	internWays  = 4   // places of a set: so many of its strings can be kept at a time
)

// internTable may be used by several goroutines.
type internTable struct {
	seed maphash.Seed
	sets [internSets]internSet
}

type internSet struct {
	kept [internWays]atomic.Pointer[internEntry] // entries never change, they are only replaced
	tags [internWays]atomic.Uint64               // hashes of kept
	seen [internWays]atomic.Uint64               // hashes of strings that were met once and are not kept
	next [2]atomic.Uint32                        // the places of seen and of kept that were used last
}

type internEntry struct{ s string }

// interned returns the table of the program, which is made at the first call.
var interned = sync.OnceValue(func() *internTable { return &internTable{seed: maphash.MakeSeed()} })

// get returns b as a string that other calls return too, if b is kept or was met before. Otherwise
// it returns false, and remembers that b was met.
func (t *internTable) get(b []byte) (string, bool) {
	h := maphash.Bytes(t.seed, b)
	set := &t.sets[h%internSets]
	for i := range set.tags {
		if set.tags[i].Load() == h {
			if e := set.kept[i].Load(); e != nil && e.s == string(b) {
				return e.s, true
			}
		}
	}
	for i := range set.seen {
		if set.seen[i].Load() == h {
			set.seen[i].Store(0)
			e := &internEntry{string(b)}
			at := set.next[1].Add(1) % internWays
			set.kept[at].Store(e)
			set.tags[at].Store(h)
			return e.s, true
		}
	}
	set.seen[set.next[0].Add(1)%internWays].Store(h)
	return "", false
}

// Interning is the state that [Dec.EndIntern] restores.
type Interning struct {
	alias  bool
	intern *internTable
}

// Intern makes d intern the strings that it reads, until [Dec.EndIntern]. They share no memory with
// the document.
func (d *Dec) Intern() Interning {
	was := Interning{d.alias, d.intern}
	d.alias, d.intern = false, interned()
	d.setRoom()
	return was
}

// EndIntern restores the state before [Dec.Intern].
func (d *Dec) EndIntern(was Interning) {
	d.alias, d.intern = was.alias, was.intern
	d.setRoom()
}

// internDecoder returns a decoder that interns the strings that dec reads.
func internDecoder(dec *decoder) *decoder {
	return &decoder{do: func(d *Dec, i int, p place) int {
		was := d.Intern()
		i = dec.do(d, i, p)
		d.EndIntern(was)
		return i
	}}
}
