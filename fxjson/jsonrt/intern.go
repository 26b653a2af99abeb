package jsonrt

import (
	"hash/maphash"
	"sync"
	"sync/atomic"
)

// NOTE: Struct tag fxjson:"intern" makes equal strings of a field share memory, across documents.
// The strings that it keeps are in a table of fixed size, of sets with a few places each. A string
// is kept when it comes a second time while its set still remembers the first: strings that come
// once displace none that are kept, and cost a hash each.

const (
	maxInterned = 64  // bytes of a string
	internSets  = 256 // in a program; with the strings they take 96 KiB at most
	internWays  = 4   // places of a set: so many strings that alternate may fall into one set
)

// internTable may be used by several goroutines.
type internTable struct {
	seed maphash.Seed
	sets [internSets]internSet
}

type internSet struct {
	kept [internWays]atomic.Pointer[internEntry] // entries never change, they are only replaced
	tags [internWays]atomic.Uint64               // hashes of kept
	seen [internWays]atomic.Uint64               // hashes of strings that were asked for and not kept
	next [2]atomic.Uint32                        // the places of seen and of kept that were used last
}

type internEntry struct{ s string }

// interned is the table of the program, made when it is needed.
var interned = sync.OnceValue(func() *internTable { return &internTable{seed: maphash.MakeSeed()} })

// get returns the string that b is, if it is kept or has been asked for before.
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
