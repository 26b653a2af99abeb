package zmyreflect

import (
	"reflect"
	"sync"

	"github.com/zmylab/zmy/internal/zmytype"
	"github.com/zmylab/zmy/wire"
)

// typ is a Go type in one wire form. It never changes once compiled.
type typ struct {
	rt      reflect.Type
	shape   zmytype.Shape
	form    form        // zmytype.ShapeFixed, zmytype.ShapeFixedTail
	domain  wire.Domain // likewise
	order   wire.Order  // zmytype.ShapeMap
	via     zmytype.Via // ShapeMethods
	appends bool        // by AppendBinary or AppendText, of which types may have the other form
	size    int         // zmytype.ShapeFixed, zmytype.ShapeFixedTail: bytes; zmytype.ShapeArray: elements
	stride  uintptr     // bytes of an element in memory, of slices and arrays
	elem    *typ        // of slices, arrays, maps and pointers; of zmytype.ShapeOpt, what follows its first byte
	key     *typ        // zmytype.ShapeMap
	cost    int         // units of the budget that one value takes
	mem     int         // bytes that one value takes where it stands, with the zones of its times
	helper  bool        // package wire has a function of its own for the list or map
	plain   bool        // elements are those of the type any itself
	ptrs    bool        // elements are *elem in Go, though never nil
	none    bool        // zmytype.ShapeMap: values take no bytes
	skips   bool        // Go fields are left out, here or in a struct inside
	pool    *sync.Pool  // zmytype.ShapeMap: of *mapScratch

	structure // zmytype.ShapeStruct and zmytype.ShapeSparse; fields and skips also of a struct inline
}

// structure is what a struct has beyond other types.
type structure struct {
	fields  []field // in number order
	scalars int     // bytes of the scalar section
	head    uint32
	older   []uint32 // headers of older versions
	unknown *field   // the field of type zmy.Unknown, nil for none
	after   bool     // has AfterUnmarshalZMY
	steps   []step   // the scalars and what is reserved, in number order
	tails   []*field
	names   []string   // of the tails
	desc    *wire.Desc // zmytype.ShapeSparse
}

// field is one field of a struct; rt is nil for a reserved number.
type field struct {
	name     string
	number   int
	typ      *typ
	index    int     // of the field in Go
	offset   uintptr // likewise
	exported bool
	reserved bool
	off      int // in the scalar section
	tail     int // which tail, -1 for a scalar
}

// step is what happens to a place in the scalar section, or to a reserved tail.
type step struct {
	act  action
	off  int     // in the scalar section
	n    int     // bytes
	from uintptr // actRun: where they stand in the Go struct
	f    *field
}

type action uint8

const (
	actFixed    action = iota // a field by itself
	actRun                    // fields side by side on the wire as in memory
	actReserved               // a reserved scalar
	actTail                   // a reserved tail
)

// form is how a fixed value is made of bytes.
type form uint8

const (
	formPlain  form = iota // a number, or an array of numbers
	formBool               // a bool, or an array of bools
	formTime               // the next three: one time
	formZone               //
	formNano               //
	formArray              // elements that are not plain
	formInline             // fields
)

func (t *typ) isStruct() bool {
	return t.shape == zmytype.ShapeStruct || t.shape == zmytype.ShapeSparse
}

// fixedLen is the bytes that stand before the first tail, header excluded.
func (s *structure) fixedLen() int { return s.scalars + 2*len(s.tails) }
