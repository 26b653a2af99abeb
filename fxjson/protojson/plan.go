package protojson

import (
	"cmp"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"sync"

	"github.com/zmylab/zmy/fxjson/internal/jsonwire"
	"github.com/zmylab/zmy/internal/pbreflect"
	"github.com/zmylab/zmy/internal/pbtype"
)

// plan says how documents carry a struct type. It is safe for concurrent use.
type plan struct {
	root *message
	bad  *TypeError // why the type has no plan, without Op
}

// message is a struct type.
type message struct {
	fields  []field        // in the order in which they are written
	names   map[string]int // indexes in fields by JSON name and by name in .proto files
	oneofs  int
	unknown int // index of the Go field for unknown fields, -1 for none
	holders []holder
	isAny   bool // it is fxproto.Any
	known   bool // it is the content of a google.protobuf.Any with the member value; see knownPlan
}

// holder is a Go field that is an interface with the arms of a oneof.
type holder struct {
	name  string
	index int
	oneof int
}

// field is a field of a message.
type field struct {
	name     string // of the Go field
	index    int    // of the Go field
	json     string // JSON name
	jsonKey  string // with quotes and colon
	protoKey string
	shape    pbtype.Shape
	presence pbtype.Presence
	// takesNull says that null is not the same as no member.
	takesNull bool
	oneof     int  // -1 for none
	arm       *arm // set if the Go field is an interface, of which this field is an arm
	key       value
	value     value
}

// value is one value of a field.
type value struct {
	rt      reflect.Type // without the pointer
	pointer bool
	kind    pbtype.Kind // of wrappers: the kind of the value in the message
	wrapper bool
	size    int64 // bytes of rt in memory
	length  int   // of a Go array of bytes
	narrow  bool  // an integer of 8 or 16 bits, which has 32 in messages
	message *message
	enum    *enum // nil for an enum without names
}

// enum has the names of an enum.
type enum struct {
	numbers map[string]int32
	names   map[int32]string // with quotes
}

var plans sync.Map // reflect.Type to *plan

// planOf returns the plan of the struct v or of the struct that v points to.
func planOf(op string, v any) (*plan, error) {
	t := reflect.TypeOf(v)
	if t == nil {
		return nil, &TypeError{Op: op, Type: "nil", Msg: "there is no type", Hint: "pass a struct or a pointer to one"}
	}
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	p := planFor(t)
	if p.bad != nil {
		bad := *p.bad
		bad.Op = op
		return nil, &bad
	}
	return p, nil
}

// planFor returns the plan of a struct type. One with a problem is not kept, since the arms of an
// interface may be registered later.
func planFor(t reflect.Type) *plan {
	if p, ok := plans.Load(t); ok {
		return p.(*plan)
	}
	p := newPlan(t)
	if p.bad == nil {
		kept, _ := plans.LoadOrStore(t, p)
		p = kept.(*plan)
	}
	return p
}

func newPlan(t reflect.Type) *plan {
	from, problems := pbreflect.Types(t)
	if len(problems) > 0 {
		first := &problems[0]
		return &plan{bad: &TypeError{Type: t.String(), Path: first.Path, Msg: first.Msg, Hint: first.Hint}}
	}
	c := &compiler{all: make([]message, len(from.Messages))}
	for i, m := range from.Messages {
		c.fill(&c.all[i], m)
	}
	if c.bad != nil {
		c.bad.Type = t.String()
		return &plan{bad: c.bad}
	}
	return &plan{root: &c.all[0]}
}

type compiler struct {
	all []message // by ID
	bad *TypeError
}

// fill plans the message m.
func (c *compiler) fill(m *message, from *pbtype.MessageType[reflect.Type, pbreflect.Field]) {
	*m = message{names: map[string]int{}, oneofs: len(from.Oneofs), unknown: -1, isAny: from.Type == anyType}
	if from.Unknown != nil {
		m.unknown = from.Unknown.Of.Index
	}
	first := map[int]int{} // by oneof, the index of the first Go field that is an arm
	for i := range from.Fields {
		f := &from.Fields[i]
		if at, ok := first[f.Oneof]; f.Oneof >= 0 && (!ok || f.Of.Index < at) {
			first[f.Oneof] = f.Of.Index
		}
	}
	place := func(f *pbreflect.PlannedField) int {
		if f.Oneof >= 0 {
			return first[f.Oneof]
		}
		return f.Of.Index
	}
	ordered := slices.Clone(from.Fields)
	slices.SortFunc(ordered, func(a, b pbreflect.PlannedField) int {
		return cmp.Or(cmp.Compare(place(&a), place(&b)), cmp.Compare(a.Of.Index, b.Of.Index), cmp.Compare(a.Number, b.Number))
	})
	var protoNames []string
	for i := range ordered {
		f := &ordered[i]
		names := pbtype.NamesOf(f.Name, from.Type.Field(f.Of.Index).Tag)
		if f.Arm != nil {
			names = f.Arm.Names(f.Arm.Type.Name())
		}
		out := field{name: f.Name, index: f.Of.Index, json: names.JSON, shape: f.Shape, presence: f.Presence, oneof: f.Oneof}
		out.jsonKey = string(jsonwire.AppendQuote(nil, names.JSON, true)) + ":"
		out.protoKey = `"` + names.Proto + `":`
		out.value = c.value(&f.Value)
		out.takesNull = f.Value.Kind == pbtype.DynamicValue && f.Shape != pbtype.Map
		if f.Shape == pbtype.Map {
			out.key = c.value(&f.Key)
		}
		if f.Arm != nil {
			out.arm = armOf(f.Arm)
			if h := (holder{f.Name, f.Of.Index, f.Oneof}); !slices.Contains(m.holders, h) {
				m.holders = append(m.holders, h)
			}
		}
		m.fields = append(m.fields, out)
		protoNames = append(protoNames, names.Proto)
		if other, taken := m.names[names.JSON]; taken {
			c.problem(from.Type, f.Name, fmt.Sprintf("has the JSON name %q of field %s", names.JSON, m.fields[other].name),
				`give it another one, as in json:"other"`)
		}
		m.names[names.JSON] = i
	}
	for i, name := range protoNames { // JSON names come first
		if _, taken := m.names[name]; !taken {
			m.names[name] = i
		}
	}
}

func (c *compiler) problem(t reflect.Type, field, msg, hint string) {
	if c.bad == nil {
		c.bad = &TypeError{Path: t.String() + "." + field, Msg: msg, Hint: hint}
	}
}

// value plans a value of a field.
func (c *compiler) value(p *pbreflect.PlannedValue) value {
	v := value{rt: p.Type, pointer: p.Pointer, kind: p.Kind, size: int64(p.Type.Size()), length: p.Len, narrow: p.Narrow}
	if p.Message != nil {
		v.message = &c.all[p.Message.ID]
	}
	switch p.Kind {
	case pbtype.Enum:
		v.enum = enumOf(p.Type)
	case pbtype.Wrapper:
		v.kind, v.wrapper = p.Wrapped, true
	}
	return v
}

// enumOf returns the names of an enum, nil if it has none.
func enumOf(t reflect.Type) *enum {
	v, ok := reflect.Zero(t).Interface().(interface{ ProtoValues() map[string]int32 })
	if !ok {
		return nil
	}
	e := &enum{numbers: v.ProtoValues(), names: map[int32]string{}}
	for _, name := range slices.Sorted(maps.Keys(e.numbers)) {
		n := e.numbers[name]
		if _, other := e.names[n]; other {
			x := reflect.New(t).Elem()
			x.SetInt(int64(n))
			if s, ok := x.Interface().(fmt.Stringer); !ok || s.String() != name {
				continue
			}
		}
		e.names[n] = string(jsonwire.AppendQuote(nil, name, true))
	}
	return e
}

// clear sets all fields of v that documents carry to their zero values.
func (m *message) clear(v reflect.Value) {
	for i := range m.fields {
		v.Field(m.fields[i].index).SetZero()
	}
	if m.unknown >= 0 {
		v.Field(m.unknown).SetZero()
	}
}
