package zmyreflect

import (
	"reflect"
	"sync"

	"github.com/zmylab/zmy/internal/zmytype"
	"github.com/zmylab/zmy/wire"
)

// typ is a Go type in one form. It never changes once it is compiled.
type typ struct {
	rt      reflect.Type
	shape   zmytype.Shape
	form    form        // zmytype.ShapeFixed, zmytype.ShapeFixedTail
	domain  wire.Domain // likewise
	order   wire.Order  // zmytype.ShapeMap
	via     zmytype.Via // zmytype.ShapeMethods
	appends bool        // the methods are AppendBinary or AppendText, not MarshalBinary or MarshalText
	size    int         // zmytype.ShapeFixed, zmytype.ShapeFixedTail: bytes; zmytype.ShapeArray: elements
	stride  uintptr     // bytes of an element in memory, for slices and arrays
	elem    *typ        // element of slices, arrays, maps and pointers; of zmytype.ShapeOpt, what follows its first byte
	key     *typ        // zmytype.ShapeMap
	cost    int         // units of the budget that one value takes
	mem     int         // bytes of one value itself, with the zones of its times
	helper  bool        // package wire has a function for the list or map
	plain   bool        // elements are of the type any itself
	ptrs    bool        // elements are *elem in Go and must not be nil
	none    bool        // zmytype.ShapeMap: values take no bytes
	nilable bool        // zmytype.ShapeOpt: nil and empty differ, and the budget is not charged
	skips   bool        // Go fields are left out, here or in a struct inside
	pool    *sync.Pool  // zmytype.ShapeMap: holds *mapScratch

	structure // zmytype.ShapeStruct and zmytype.ShapeSparse; an inline struct has fields only
}

// structure is the part of a typ that only structs have.
type structure struct {
	fields  []field // in number order
	scalars int     // bytes of the scalar section
	head    uint32
	older   []uint32 // headers of older versions
	unknown *field   // the field of type zmy.Unknown, nil for none
	after   bool     // the struct has the method AfterUnmarshalZMY
	steps   []step   // how to write and read scalars and reserved fields, in number order
	tails   []*field
	names   []string   // names of the tails
	desc    *wire.Desc // zmytype.ShapeSparse
}

// field is one field of a struct. For a reserved number typ.rt is nil.
type field struct {
	name     string
	number   int
	typ      *typ
	index    int     // index of the field in the Go struct
	offset   uintptr // offset of the field in the Go struct
	exported bool
	reserved bool
	off      int // offset in the scalar section
	tail     int // index of the tail, -1 for a scalar
}

// step writes or reads a part of the scalar section, or a reserved tail.
type step struct {
	act  action
	off  int     // offset in the scalar section
	n    int     // bytes
	from uintptr // actRun: offset in the Go struct
	f    *field
}

type action uint8

const (
	actFixed    action = iota // a single field
	actRun                    // fields that are neighbours both in the message and in memory
	actReserved               // a reserved scalar
	actTail                   // a reserved tail
)

// form says how a fixed value is encoded.
type form uint8

const (
	formPlain  form = iota // a number, or an array of numbers
	formBool               // a bool, or an array of bools
	formTime               // one time, as in the next two forms
	formZone               //
	formNano               //
	formArray              // elements that are not plain
	formInline             // fields
)

func (t *typ) isStruct() bool {
	return t.shape == zmytype.ShapeStruct || t.shape == zmytype.ShapeSparse
}

// fixedLen returns the bytes between the header and the first tail of a narrow struct.
func (s *structure) fixedLen() int { return s.scalars + 2*len(s.tails) }
