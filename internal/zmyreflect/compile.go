package zmyreflect

import (
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"reflect"
	"sync"
	"time"

	"github.com/zmylab/zmy/wire"
)

// compile plans the struct type t and all that it reaches, by the rules of
// gen/check.
func compile(t reflect.Type, generated, stale func(reflect.Type) bool) (*typ, error) {
	if t.Kind() != reflect.Struct {
		return nil, &TypeError{Msg: fmt.Sprintf("a message is a struct, not %v", t), Hint: "wrap it in a struct with one field"}
	}
	c := compiler{generated: generated, stale: stale, root: t, seen: map[key]*typ{}, within: map[key]bool{}, time: formTime}
	z, err := c.typ(t)
	if err == nil {
		err = c.facts(z)
	}
	if err != nil {
		return nil, err
	}
	if !z.isStruct() {
		return nil, &TypeError{Msg: "has AppendZMY and UnmarshalZMY of its own", Hint: "call them, or put it into a struct"}
	}
	return z, nil
}

// key is a type in one form.
type key struct {
	t       reflect.Type
	nilable bool
	inline  bool
	time    form
}

type compiler struct {
	generated func(reflect.Type) bool
	stale     func(reflect.Type) bool
	root      reflect.Type
	seen      map[key]*typ
	within    map[key]bool // see partFirst
	order     []*typ       // in the order of first sight
	time      form         // of times in the field at hand
}

const skipHint = `use struct tag zmy:"-" to leave it out`

func fail(path, hint, format string, args ...any) *TypeError {
	return &TypeError{Path: path, Msg: fmt.Sprintf(format, args...), Hint: hint}
}

// refuse says that t has no form where it stands.
func refuse(t reflect.Type, hint string) *TypeError {
	if hint != "" {
		hint += ", or "
	}
	return fail("", hint+skipHint, "%v has no wire type", t)
}

// in places the error inside a field.
func (e *TypeError) in(field string) *TypeError {
	if e.Path != "" {
		field += "." + e.Path
	}
	e.Path = field
	return e
}

func (c *compiler) add(k key) *typ {
	z := &typ{rt: k.t}
	c.seen[k] = z // before its parts: types may be recursive
	c.order = append(c.order, z)
	return z
}

// typ returns the wire form of t.
func (c *compiler) typ(t reflect.Type) (*typ, *TypeError) {
	k := key{t: t, time: c.time}
	if z := c.seen[k]; z != nil {
		return z, nil
	}
	if err := c.partFirst(k); err != nil {
		return nil, err
	}
	if z := c.seen[k]; z != nil { // met on the way
		return z, nil
	}
	z := c.add(k)
	return z, c.shape(z)
}

// partFirst looks at what a pointer points to, or an array is made of, before
// the type itself, whose shape depends on it: a struct, which is the only way to
// end a recursion, has a shape before its fields are known.
func (c *compiler) partFirst(k key) *TypeError {
	switch k.t.Kind() {
	case reflect.Array:
	case reflect.Pointer:
		if e := k.t.Elem().Kind(); e != reflect.Struct && e != reflect.Array {
			return nil
		}
	default:
		return nil
	}
	if c.within[k] {
		return nil
	}
	c.within[k] = true
	_, err := c.typ(k.t.Elem())
	delete(c.within, k)
	return err
}

// The types of the standard library that have a form here.
var (
	timeType     = reflect.TypeFor[time.Time]()
	durationType = reflect.TypeFor[time.Duration]()
	intType      = reflect.TypeFor[big.Int]()
	floatType    = reflect.TypeFor[big.Float]()
	ratType      = reflect.TypeFor[big.Rat]()
	rawType      = reflect.TypeFor[json.RawMessage]()
	numberType   = reflect.TypeFor[json.Number]()
	anyType      = reflect.TypeFor[any]()
	byteType     = reflect.TypeFor[byte]()
	emptyType    = reflect.TypeFor[struct{}]()
	unknownType  = reflect.TypeFor[wire.Unknown]()
)

func known(t reflect.Type) bool {
	switch t {
	case timeType, durationType, intType, floatType, ratType, rawType, numberType:
		return true
	}
	return false
}

// shape fills in z from its Go type.
func (c *compiler) shape(z *typ) *TypeError {
	t := z.rt
	if via, err := c.via(t); err != nil || via != viaNone {
		z.shape, z.via = shapeMethods, via
		return err
	}
	switch t {
	case timeType:
		z.fixed(c.time)
		return nil
	case intType:
		z.shape = shapeBigInt
		return nil
	case floatType:
		z.shape = shapeBigFloat
		return nil
	case ratType:
		return refuse(t, "carry numerator and denominator as *big.Int")
	case rawType:
		z.shape = shapeBytes
		return nil
	}
	if scalarSize(t.Kind()) > 0 {
		z.fixed(formPlain)
		return nil
	}
	switch t.Kind() {
	case reflect.String:
		z.shape = shapeString
	case reflect.Slice:
		if t.Elem() == byteType {
			z.shape = shapeBytes
			return nil
		}
		return c.slice(z)
	case reflect.Array:
		return c.array(z)
	case reflect.Map:
		return c.mapType(z)
	case reflect.Pointer:
		return c.pointer(z)
	case reflect.Struct:
		return c.structType(z)
	case reflect.Interface:
		if t.NumMethod() > 0 {
			return c.union(t)
		}
		z.shape = shapeAny
	default:
		return refuse(t, "")
	}
	return nil
}

func (c *compiler) union(t reflect.Type) *TypeError {
	err := refuse(t, "generate code for the type around it with zmy gen, which reads the directive //zmy:union at the interface")
	err.Msg = fmt.Sprintf("interface %v needs generated code: reflection does not see the arms of a union", t)
	err.Generator = true
	return err
}

// fixed makes z a scalar, of a time in the form given.
func (z *typ) fixed(f form) {
	z.shape, z.form = shapeFixed, f
	switch f {
	case formTime:
		z.size, z.domain = wire.TimeLen, wire.TimeBytes
	case formZone:
		z.size, z.domain = wire.ZoneTimeLen, wire.ZoneBytes
	case formNano:
		z.size = 8
	default:
		z.size = scalarSize(z.rt.Kind())
		if z.rt.Kind() == reflect.Bool {
			z.form, z.domain = formBool, wire.BoolBytes
		}
	}
}

// item returns the form of an element; a struct without fields takes no bytes,
// so that no count of them could be told. Pointers to structs are carried as the
// structs.
func (c *compiler) item(t reflect.Type) (*typ, *TypeError) {
	e, err := c.typ(t)
	s := e
	if err == nil && e.shape == shapePtrStruct {
		s = e.elem
	}
	if err == nil && s.isStruct() && s.rt.NumField() == 0 {
		return nil, refuse(t, "a list of empty structs is only a number: use an integer")
	}
	return e, err
}

func (c *compiler) slice(z *typ) *TypeError {
	z.shape, z.stride = shapeList, z.rt.Elem().Size() // already now: the element may be this type
	e, err := c.item(z.rt.Elem())
	if err != nil {
		return err
	}
	z.elem = e
	switch {
	case e.shape == shapeFixed:
		z.shape = shapePacked
		z.helper = e.rt.Kind() != reflect.Array && (e.form == formPlain || e.form == formBool || e.form == formTime)
	case e.shape == shapeStruct:
		z.shape = shapeDense
	case e.shape == shapePtrStruct && e.elem.shape == shapeStruct:
		z.shape, z.elem, z.ptrs = shapeDense, e.elem, true
	default:
		z.plain = e.rt == anyType
		z.helper = e.shape == shapeString || e.shape == shapeBytes || z.plain
	}
	return nil
}

func (c *compiler) array(z *typ) *TypeError {
	t := z.rt
	if t.Len() == 0 || int64(t.Len()) > math.MaxInt32 {
		return fail("", skipHint, "%v has no wire type: an array has 1 to %d elements", t, math.MaxInt32)
	}
	e, err := c.item(t.Elem())
	if err != nil {
		return err
	}
	z.elem, z.size, z.stride = e, t.Len(), t.Elem().Size()
	switch e.shape {
	case shapeFixed:
		z.size *= e.size
		z.shape, z.form, z.domain = shapeFixed, e.form, e.domain
		if e.form != formPlain && e.form != formBool {
			z.form = formArray
		}
		if z.size > wire.MaxFixed {
			z.shape = shapeFixedTail
		}
	case shapePtrStruct:
		return refuse(t, "use a slice")
	default:
		z.shape = shapeArray
	}
	return nil
}

func (c *compiler) mapType(z *typ) *TypeError {
	t := z.rt
	z.shape, z.stride = shapeMap, t.Elem().Size()
	form := c.time
	c.time = formTime
	k, err := c.typ(t.Key())
	c.time = form
	if err != nil {
		return err
	}
	bytesKey := t.Key().Kind() == reflect.Array && t.Key().Elem() == byteType && k.shape == shapeFixed
	switch kind := t.Key().Kind(); {
	case k.shape == shapeMethods:
		return fail("", "use a key without them, or "+skipHint, "map key %v has methods of its own", t.Key())
	case reflect.Int <= kind && kind <= reflect.Int64:
		z.order = wire.SignedOrder
	case reflect.Uint <= kind && kind <= reflect.Uintptr:
		z.order = wire.UnsignedOrder
	case kind == reflect.String, kind == reflect.Bool, bytesKey:
	default:
		return fail("", "use a string, integer, bool or byte array, or "+skipHint, "map key %v has no wire type", t.Key())
	}
	e, err := c.typ(t.Elem())
	if err != nil {
		return err
	}
	z.key, z.elem = k, e
	if e.shape == shapePtrStruct && e.elem.shape == shapeStruct {
		z.elem, z.ptrs = e.elem, true
		if e.elem.rt.NumField() == 0 {
			return refuse(t, "use struct{} values")
		}
	}
	z.plain = e.rt == anyType
	z.helper = k.shape == shapeString && (e.shape == shapeString || z.plain)
	z.pool = &sync.Pool{New: func() any { return newMapScratch(z) }}
	return nil
}

func (c *compiler) pointer(z *typ) *TypeError {
	t := z.rt.Elem()
	if via, _ := c.via(t); via == viaNone { // else what its methods write, whatever it is
		switch t.Kind() {
		case reflect.Interface, reflect.Pointer:
			return refuse(z.rt, "drop the pointer: what it points to can be nil itself")
		}
	}
	e, err := c.typ(t)
	if err != nil {
		return err
	}
	z.elem = e
	switch e.shape {
	case shapeStruct, shapeSparse:
		z.shape = shapePtrStruct
	case shapeFixed:
		z.shape = shapePtrFixed
	case shapeString, shapeFixedTail, shapeArray, shapeMethods, shapeBytes, shapePacked, shapeList, shapeDense, shapeMap:
		z.shape = shapeOpt
	case shapeBigInt:
		z.shape = shapePtrBigInt
	case shapeBigFloat:
		z.shape = shapePtrBigFloat
	default:
		return refuse(z.rt, "drop the pointer: what it points to can be nil itself")
	}
	return nil
}
