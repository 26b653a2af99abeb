package protojson

import (
	"cmp"
	"encoding/base64"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/zmylab/zmy/fxjson/internal/jsonwire"
	"github.com/zmylab/zmy/internal/pbreflect"
	"github.com/zmylab/zmy/internal/pbtype"
)

// encoder appends documents to b.
type encoder struct {
	b   []byte
	opt MarshalOptions
}

// message appends the object of v. left is how many levels of messages are allowed.
func (e *encoder) message(m *message, v reflect.Value, left int) *failure {
	if m.isAny {
		return e.any(v, left)
	}
	e.b = append(e.b, '{')
	return e.members(m, v, len(e.b), left)
}

// members appends the fields of v and the end of the object, whose first member is at start.
func (e *encoder) members(m *message, v reflect.Value, start, left int) *failure {
	if left--; left < 0 {
		return fail(ErrDepth, 0, "does the value contain itself?")
	}
	for i := range m.holders {
		if bad := m.isArm(&m.holders[i], v); bad != nil {
			return bad
		}
	}
	var arms uint64 // the oneofs of which an arm is written, by the remainder of their index modulo 64
	for i := range m.fields {
		f := &m.fields[i]
		x, set := f.in(v)
		if !set {
			if e.opt.EmitDefaultValues || e.opt.EmitUnpopulated {
				e.absent(f, x, start)
			}
			continue
		}
		if f.oneof >= 0 {
			if bit := uint64(1) << (f.oneof & 63); arms&bit == 0 {
				arms |= bit
			} else if other := m.otherArm(v, f); other != nil {
				return fail(ErrOneof, 0, fmt.Sprintf("%s and %s; set one of them to nil", other.name, f.name))
			}
		}
		e.key(f, start)
		if bad := e.field(f, x, left); bad != nil {
			return bad.in(f.name)
		}
	}
	e.b = append(e.b, '}')
	return nil
}

// otherArm returns an arm of the oneof of f, before f, that is set.
func (m *message) otherArm(v reflect.Value, f *field) *field {
	for i := range m.fields {
		other := &m.fields[i]
		if other == f {
			break
		}
		if other.oneof != f.oneof {
			continue
		}
		if _, set := other.in(v); set {
			return other
		}
	}
	return nil
}

// key appends the name of a field. start is where the first member of its object is.
func (e *encoder) key(f *field, start int) {
	if len(e.b) > start {
		e.b = append(e.b, ',')
	}
	if e.opt.UseProtoNames {
		e.b = append(e.b, f.protoKey...)
		return
	}
	e.b = append(e.b, f.jsonKey...)
}

// absent appends a field that is not set, as the options ask for.
func (e *encoder) absent(f *field, v reflect.Value, start int) {
	switch {
	case f.oneof >= 0:
	case f.shape == pbtype.List:
		e.key(f, start)
		e.b = append(e.b, "[]"...)
	case f.shape == pbtype.Map:
		e.key(f, start)
		e.b = append(e.b, "{}"...)
	case f.presence != pbtype.Implicit || f.value.kind.IsMessage() || f.value.wrapper:
		if e.opt.EmitUnpopulated {
			e.key(f, start)
			e.b = append(e.b, "null"...)
		}
	case f.value.length > 0, f.value.kind.IsOwn(): // a zero array is no bytes, and a zero value of a type of its own is not written
		e.key(f, start)
		e.b = append(e.b, `""`...)
	default:
		e.key(f, start)
		_ = e.scalar(&f.value, v, 0) // zero values have a form
	}
}

// in returns the value of the field in the struct v, and whether it is set.
func (f *field) in(v reflect.Value) (x reflect.Value, set bool) {
	x = v.Field(f.index)
	if f.arm != nil {
		return f.arm.in(x)
	}
	return x, !f.absent(x)
}

// absent reports whether a field that is no arm of an interface is not set: messages would not have it.
func (f *field) absent(v reflect.Value) bool {
	switch {
	case f.shape != pbtype.Single:
		return v.Len() == 0
	case f.presence == pbtype.Always:
		return false
	case f.presence == pbtype.Nilable:
		return v.IsNil()
	case f.value.message != nil:
		return f.value.message.empty(v)
	case f.value.kind.IsOwn():
		s, err := pbreflect.Written(f.value.kind, v)
		return v.IsZero() || err == nil && len(s) == 0
	}
	switch v.Kind() {
	case reflect.Slice, reflect.String:
		return v.Len() == 0
	case reflect.Float32, reflect.Float64:
		return math.Float64bits(v.Float()) == 0 // negative zero is written
	case reflect.Int64, reflect.Int32, reflect.Int:
		return v.Int() == 0
	}
	return v.IsZero()
}

// empty reports whether the message of v would have no bytes.
func (m *message) empty(v reflect.Value) bool {
	for i := range m.fields {
		if _, set := m.fields[i].in(v); set {
			return false
		}
	}
	return m.unknown < 0 || v.Field(m.unknown).Len() == 0
}

func (e *encoder) field(f *field, v reflect.Value, left int) *failure {
	switch f.shape {
	case pbtype.List:
		return e.list(f, v, left)
	case pbtype.Map:
		return e.mapping(f, v, left)
	}
	return e.value(&f.value, v, left)
}

func (e *encoder) list(f *field, v reflect.Value, left int) *failure {
	if f.value.kind == pbtype.Double && v.CanAddr() {
		if list, ok := v.Addr().Interface().(*[]float64); ok {
			e.doubles(*list)
			return nil
		}
	}
	e.b = append(e.b, '[')
	for i := range v.Len() {
		if i > 0 {
			e.b = append(e.b, ',')
		}
		if bad := e.value(&f.value, v.Index(i), left); bad != nil {
			return bad.at(i)
		}
	}
	e.b = append(e.b, ']')
	return nil
}

// doubles is list for a common type without reflection (BenchmarkJSON/Result).
func (e *encoder) doubles(list []float64) {
	e.b = append(e.b, '[')
	for i, x := range list {
		if i > 0 {
			e.b = append(e.b, ',')
		}
		if !e.special(x) {
			e.b = slices.Grow(e.b, jsonwire.FloatRoom)
			e.b = e.b[:jsonwire.PutFloat64(e.b[:cap(e.b)], len(e.b), x)]
		}
	}
	e.b = append(e.b, ']')
}

// texts is mapping for a common type without reflection (BenchmarkJSON/Event).
func (e *encoder) texts(m map[string]string) *failure {
	var room [16]string
	keys := room[:0]
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	e.b = append(e.b, '{')
	for i, k := range keys {
		if i > 0 {
			e.b = append(e.b, ',')
		}
		if bad := e.text(k); bad != nil {
			return bad.in("key")
		}
		e.b = append(e.b, ':')
		if bad := e.text(m[k]); bad != nil {
			return bad.in(fmt.Sprintf("[%v]", k))
		}
	}
	e.b = append(e.b, '}')
	return nil
}

func (e *encoder) mapping(f *field, v reflect.Value, left int) *failure {
	if m, ok := v.Interface().(map[string]string); ok {
		return e.texts(m)
	}
	e.b = append(e.b, '{')
	keys := v.MapKeys()
	slices.SortFunc(keys, compareKeys)
	for i, k := range keys {
		if i > 0 {
			e.b = append(e.b, ',')
		}
		if bad := e.mapKey(k); bad != nil {
			return bad.in("key")
		}
		e.b = append(e.b, ':')
		if bad := e.value(&f.value, v.MapIndex(k), left); bad != nil {
			return bad.in(fmt.Sprintf("[%v]", k))
		}
	}
	e.b = append(e.b, '}')
	return nil
}

// compareKeys orders false before true, numbers by value, and strings by bytes.
func compareKeys(a, b reflect.Value) int {
	switch {
	case a.Kind() == reflect.String:
		return cmp.Compare(a.String(), b.String())
	case a.CanInt():
		return cmp.Compare(a.Int(), b.Int())
	case a.CanUint():
		return cmp.Compare(a.Uint(), b.Uint())
	case a.Bool() == b.Bool():
		return 0
	case a.Bool():
		return 1
	}
	return -1
}

func (e *encoder) mapKey(k reflect.Value) *failure {
	switch {
	case k.Kind() == reflect.String:
		return e.text(k.String())
	case k.CanInt():
		e.quotedInt(k.Int())
	case k.CanUint():
		e.quotedUint(k.Uint())
	default:
		e.b = append(e.b, '"')
		e.b = strconv.AppendBool(e.b, k.Bool())
		e.b = append(e.b, '"')
	}
	return nil
}

// value appends one value. A nil pointer to a struct is an empty message.
func (e *encoder) value(p *value, v reflect.Value, left int) *failure {
	if p.pointer {
		if v.IsNil() {
			e.b = append(e.b, "{}"...)
			return nil
		}
		v = v.Elem()
	}
	if p.message != nil {
		return e.message(p.message, v, left)
	}
	return e.scalar(p, v, left)
}

func (e *encoder) text(s string) *failure {
	if !utf8.ValidString(s) {
		return fail(ErrUTF8, 0, "use []byte")
	}
	e.b = jsonwire.AppendQuote(e.b, s, true)
	return nil
}

func (e *encoder) quotedInt(n int64) {
	e.b = append(e.b, '"')
	e.b = jsonwire.AppendInt(e.b, n)
	e.b = append(e.b, '"')
}

func (e *encoder) quotedUint(n uint64) {
	e.b = append(e.b, '"')
	e.b = jsonwire.AppendUint(e.b, n)
	e.b = append(e.b, '"')
}

// scalar appends a value that is no struct.
func (e *encoder) scalar(p *value, v reflect.Value, left int) *failure {
	switch p.kind {
	case pbtype.Bool:
		e.b = strconv.AppendBool(e.b, v.Bool())
	case pbtype.String:
		return e.text(v.String())
	case pbtype.Int32, pbtype.Sint32, pbtype.Sfixed32:
		e.b = jsonwire.AppendInt(e.b, v.Int())
	case pbtype.Uint32, pbtype.Fixed32:
		e.b = jsonwire.AppendUint(e.b, v.Uint())
	case pbtype.Int64, pbtype.Sint64, pbtype.Sfixed64:
		e.quotedInt(v.Int())
	case pbtype.Uint64, pbtype.Fixed64:
		e.quotedUint(v.Uint())
	case pbtype.Float:
		if f := float32(v.Float()); !e.special(float64(f)) {
			e.b = jsonwire.AppendFloat32(e.b, f)
		}
	case pbtype.Double:
		if f := v.Float(); !e.special(f) {
			e.b = jsonwire.AppendFloat64(e.b, f)
		}
	case pbtype.Bytes:
		e.bytes(v)
	case pbtype.Enum:
		if p.enum != nil && !e.opt.UseEnumNumbers {
			if name, ok := p.enum.names[int32(v.Int())]; ok {
				e.b = append(e.b, name...)
				return nil
			}
		}
		e.b = jsonwire.AppendInt(e.b, v.Int())
	case pbtype.Text, pbtype.Binary:
		return e.own(p, v)
	case pbtype.Timestamp:
		return e.timestamp(*timeIn(v))
	case pbtype.Duration:
		e.duration(time.Duration(v.Int()))
	case pbtype.DynamicValue, pbtype.DynamicStruct, pbtype.DynamicList:
		return e.dynamic(pbreflect.Plain(p.kind, v), left)
	}
	return nil
}

// own appends what the method of a type of its own writes.
func (e *encoder) own(p *value, v reflect.Value) *failure {
	s, err := pbreflect.Written(p.kind, v)
	switch {
	case err != nil:
		return fail(err, 0, "")
	case p.kind == pbtype.Text:
		return e.text(string(s))
	}
	e.base64(s)
	return nil
}

// special appends a float that is no number of JSON, and reports whether f is one.
func (e *encoder) special(f float64) bool {
	switch {
	case math.IsNaN(f):
		e.b = append(e.b, `"NaN"`...)
	case math.IsInf(f, 1):
		e.b = append(e.b, `"Infinity"`...)
	case math.IsInf(f, -1):
		e.b = append(e.b, `"-Infinity"`...)
	default:
		return false
	}
	return true
}

func (e *encoder) bytes(v reflect.Value) { e.base64(bytesOf(v)) }

func (e *encoder) base64(b []byte) {
	e.b = append(e.b, '"')
	e.b = base64.StdEncoding.AppendEncode(e.b, b)
	e.b = append(e.b, '"')
}

// bytesOf returns the bytes of a slice or an array.
func bytesOf(v reflect.Value) []byte {
	if v.Kind() == reflect.Slice || v.CanAddr() {
		return v.Bytes()
	}
	out := make([]byte, v.Len())
	reflect.Copy(reflect.ValueOf(out), v)
	return out
}

// timeIn returns the time.Time that v is.
func timeIn(v reflect.Value) *time.Time {
	if v.CanAddr() {
		return v.Addr().Interface().(*time.Time)
	}
	t := v.Interface().(time.Time)
	return &t
}
