package pbreflect

import (
	"math/bits"
	"reflect"
	"slices"
	"sync"

	"github.com/zmylab/zmy/internal/pbtype"
)

// Plan says how messages carry a struct type. It is safe for concurrent use.
type Plan struct {
	root *message
	// Problems says why the type has no plan. If there are any, no other method may be called.
	Problems []Problem
}

// message is a struct type. It never changes once it is planned.
type message struct {
	rt      reflect.Type
	size    int64   // bytes of the struct in memory
	fields  []field // in the order in which they are encoded
	dense   []*field
	sparse  map[int32]*field
	oneofs  [][]int // indexes of the arms' Go fields
	unknown int     // index of the Go field for unknown fields, -1 for none
}

// field is a field of a message.
type field struct {
	name     string
	number   int32
	index    int // of the Go field
	shape    pbtype.Shape
	presence pbtype.Presence
	packed   bool
	oneof    int // index in message.oneofs, -1 for none
	arm      *arm
	key      value
	value    value
	pair     int64 // of a map: bytes of a struct of a key and a value
}

// arm says which values of an interface are an arm of a oneof, as pbtype.Arm has it.
type arm struct {
	rt      reflect.Type // the struct
	byValue bool         // decoders store the struct itself
	inner   int          // index of the struct's field that has the arm's value, -1 if the struct is the value
	size    int64        // bytes of the struct in memory
}

// value is a value of a field, as pbtype.Value has it.
type value struct {
	rt      reflect.Type // without the pointer
	pointer bool
	kind    pbtype.Kind
	inner   *value // of wrappers: field 1
	raw     bool
	length  int      // of a Go array of bytes
	narrow  bool     // an integer of 8 or 16 bits
	message *message // of messages and groups
	size    int64    // bytes of rt in memory
}

var plans sync.Map // reflect.Type to *Plan

// PlanOf returns the plan of a struct type. It makes one plan for each type.
func PlanOf(t reflect.Type) *Plan {
	if p, ok := plans.Load(t); ok {
		return p.(*Plan)
	}
	p, _ := plans.LoadOrStore(t, newPlan(t))
	return p.(*Plan)
}

func newPlan(t reflect.Type) *Plan {
	from, problems := Types(t)
	if problems != nil {
		return &Plan{Problems: problems}
	}
	messages := make([]message, len(from.Messages))
	for i, m := range from.Messages {
		messages[i] = message{rt: m.Type, size: int64(m.Type.Size()), oneofs: make([][]int, len(m.Oneofs)), unknown: -1}
		if m.Unknown != nil {
			messages[i].unknown = m.Unknown.Of.Index
		}
	}
	for i, m := range from.Messages {
		messages[i].fill(m.Fields, messages)
	}
	return &Plan{root: &messages[0]}
}

// pointerSize is the size of a pointer in bytes.
const pointerSize = int64(bits.UintSize / 8)

// maxDense is the largest number that is looked up in a slice.
const maxDense = 255

// fill sets the fields of m. all has the messages by ID.
func (m *message) fill(from []PlannedField, all []message) {
	m.fields = make([]field, len(from))
	m.sparse = map[int32]*field{}
	for i := range from {
		p, f := &from[i], &m.fields[i]
		*f = field{name: p.Name, number: p.Number, index: p.Of.Index, shape: p.Shape, presence: p.Presence, packed: p.Packed,
			oneof: p.Oneof, value: valueOf(&p.Value, all)}
		if f.shape == pbtype.Map {
			f.key = valueOf(&p.Key, all)
			f.pair = pairSize(p.Of.Owner.Field(p.Of.Index).Type)
		}
		if p.Arm != nil {
			f.arm = &arm{rt: p.Arm.Type, byValue: p.Arm.Value, inner: -1, size: int64(p.Arm.Type.Size())}
			if p.Arm.Inner != nil {
				f.arm.inner = p.Arm.Inner.Of.Index
			}
		}
		if f.oneof >= 0 && !slices.Contains(m.oneofs[f.oneof], f.index) {
			m.oneofs[f.oneof] = append(m.oneofs[f.oneof], f.index)
		}
		if f.number > maxDense {
			m.sparse[f.number] = f
			continue
		}
		for len(m.dense) <= int(f.number) {
			m.dense = append(m.dense, nil)
		}
		m.dense[f.number] = f
	}
}

// pairSize returns the size in bytes of a struct of a key and a value of a map.
func pairSize(t reflect.Type) int64 {
	up := func(n, align int64) int64 { return (n + align - 1) / align * align }
	k, v := t.Key(), t.Elem()
	n := up(int64(k.Size()), int64(v.Align()))
	if v.Size() == 0 && n > 0 {
		n++ // so that a pointer to the value does not leave the struct
	}
	return up(n+int64(v.Size()), int64(max(k.Align(), v.Align())))
}

func valueOf(p *PlannedValue, all []message) value {
	v := value{rt: p.Type, pointer: p.Pointer, kind: p.Kind, raw: p.Raw, length: p.Len, narrow: p.Narrow, size: int64(p.Type.Size())}
	if p.Kind == pbtype.Wrapper {
		v.inner = &value{rt: v.rt, kind: p.Wrapped, narrow: v.narrow, size: v.size}
	}
	if p.Message != nil {
		v.message = &all[p.Message.ID]
	}
	return v
}

// field returns the field with a number, or nil.
func (m *message) field(number int32) *field {
	if int(number) < len(m.dense) {
		return m.dense[number]
	}
	return m.sparse[number]
}
