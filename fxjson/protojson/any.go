package protojson

import (
	"fmt"
	"reflect"
	"sync"
	"time"

	"github.com/zmylab/zmy/fxjson/internal/jsonwire"
	"github.com/zmylab/zmy/fxproto"
	"github.com/zmylab/zmy/internal/pbtype"
	"github.com/zmylab/zmy/internal/pbwire"
)

// typeMember is the name of the member that has the TypeURL of a google.protobuf.Any.
const typeMember = "@type"

var anyType = reflect.TypeFor[fxproto.Any]()

// embedded is a type of the messages in a google.protobuf.Any.
type embedded struct {
	rt   reflect.Type // a struct
	plan *message
}

// known has the types whose JSON is in the member value, as embedded structs by type.
var known sync.Map

// resolve returns the type that a TypeURL at i names.
func resolve(find func(string) (reflect.Type, error), url string, i int) (embedded, *failure) {
	if find == nil {
		return embedded{}, fail(ErrAny, i, fmt.Sprintf("%.100q; set option Resolver", url))
	}
	t, err := find(url)
	switch {
	case err != nil:
		return embedded{}, fail(ErrAny, i, fmt.Sprintf("%.100q: %v", url, err))
	case t == nil:
		return embedded{}, fail(ErrAny, i, fmt.Sprintf("%.100q: the Resolver returns no type", url))
	}
	p, rt := &plan{}, t
	if t.Kind() == reflect.Struct && t != anyType && t != reflect.TypeFor[time.Time]() {
		p = planFor(t)
	} else {
		rt, p = knownPlan(t)
	}
	if p.bad != nil {
		return embedded{}, fail(ErrAny, i, fmt.Sprintf("%.100q: %s: %s; %s", url, t, p.bad.Msg, p.bad.Hint))
	}
	return embedded{rt, p.root}, nil
}

// knownPlan plans the type of a message of google.protobuf: a struct with this type as the field value.
func knownPlan(t reflect.Type) (reflect.Type, *plan) {
	if x, ok := known.Load(t); ok {
		return x.(embedded).rt, &plan{root: x.(embedded).plan}
	}
	tag := reflect.StructTag(`proto:"1,name:value,optional"`)
	switch {
	case t == reflect.TypeFor[time.Duration]():
	case t.Kind() <= reflect.Float64, t.Kind() == reflect.String, t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Uint8:
		tag = `proto:"1,name:value,optional,wrapper"`
	}
	rt := reflect.StructOf([]reflect.StructField{{Name: "Value", Type: t, Tag: tag}})
	p := newPlan(rt)
	if p.bad != nil {
		return rt, p
	}
	f := &p.root.fields[0]
	p.root.known, f.presence, f.takesNull = true, pbtype.Always, true
	known.Store(t, embedded{rt, p.root})
	return rt, p
}

// pack returns the message of x, a struct of the type.
func (t embedded) pack(x reflect.Value) ([]byte, error) {
	b, err := fxproto.MarshalOptions{Deterministic: true}.Marshal(x.Addr().Interface())
	if err != nil || !t.plan.known {
		return b, err
	}
	content, _ := pbwire.ConsumeBytes(b[min(1, len(b)):])
	if f := x.Field(0); f.Kind() == reflect.Interface && f.IsNil() {
		content = []byte{1 << 3, 0} // null_value of a Value
	}
	return content, nil
}

// unpack returns a struct of the type with the content of a message.
func (t embedded) unpack(b []byte) (reflect.Value, error) {
	x := reflect.New(t.rt)
	into := x.Interface()
	switch {
	case !t.plan.known:
	case t.plan.fields[0].value.rt == anyType: // without a copy at each level of an Any within an Any
		into = x.Elem().Field(0).Addr().Interface()
	default:
		b = pbwire.AppendBytes([]byte{1<<3 | byte(pbwire.BytesType)}, b)
	}
	return x.Elem(), fxproto.UnmarshalOptions{Alias: true}.Unmarshal(b, into)
}

// any appends the object of v, an Any.
func (e *encoder) any(v reflect.Value, left int) *failure {
	x := v.Interface().(fxproto.Any)
	if x.TypeURL == "" {
		if len(x.Value) > 0 {
			return fail(ErrAny, 0, "TypeURL is empty, but not Value")
		}
		e.b = append(e.b, "{}"...)
		return nil
	}
	if left--; left < 0 {
		return fail(ErrDepth, 0, "")
	}
	t, bad := resolve(e.opt.Resolver, x.TypeURL, 0)
	if bad != nil {
		return bad
	}
	content, err := t.unpack(x.Value)
	if err != nil {
		return fail(ErrAny, 0, err.Error())
	}
	e.b = append(e.b, '{')
	start := len(e.b)
	e.b = append(e.b, `"`+typeMember+`":`...)
	if bad := e.text(x.TypeURL); bad != nil {
		return bad
	}
	return e.members(t.plan, content, start, left)
}

// any reads the object at i into v, an Any. Its type may be the last member, so that the object is read
// twice.
func (d *decoder) any(v reflect.Value, i, left int) (int, *failure) {
	if left--; left < 0 {
		return 0, d.deep(i)
	}
	url, at, bad := d.typeURL(i)
	if bad != nil {
		return 0, bad
	}
	if url == "" {
		return d.members(&message{}, v, i, left+1, false) // without members, or all are passed over
	}
	t, bad := resolve(d.opt.Resolver, url, at)
	if bad != nil {
		return 0, bad
	}
	if bad := d.charge(int64(t.rt.Size()), i); bad != nil {
		return 0, bad
	}
	x := reflect.New(t.rt).Elem()
	next, bad := d.members(t.plan, x, i, left, true)
	if bad != nil {
		return 0, bad
	}
	b, err := t.pack(x)
	if err != nil {
		return 0, fail(ErrAny, i, err.Error())
	}
	if bad := d.charge(int64(len(b)), i); bad != nil {
		return 0, bad
	}
	*v.Addr().Interface().(*fxproto.Any) = fxproto.Any{TypeURL: url, Value: b}
	return next, nil
}

// typeURL returns the member @type of the object at i and its index. It is "" if the object has none.
func (d *decoder) typeURL(i int) (url string, at int, bad *failure) {
	if d.b[i] != '{' {
		return "", 0, d.syntax(i, "an object")
	}
	start := i
	if i = jsonwire.SkipSpace(d.b, i+1); d.b[i] == '}' {
		return "", 0, nil
	}
	for first := i; ; {
		name, end, bad := d.name(i)
		if bad != nil {
			return "", 0, bad
		}
		if string(name) == typeMember {
			if d.b[end] != '"' {
				return "", 0, d.syntax(end, "a string")
			}
			text, _, bad := d.string(end)
			if bad == nil && len(text) == 0 {
				bad = fail(ErrAny, end, "@type is empty")
			}
			// The members before it are read once more, those of an Any within an Any again and again. The
			// charge limits this time.
			if bad == nil {
				bad = d.charge(int64(i-first), i)
			}
			return string(text), end, bad
		}
		next := jsonwire.Skip(d.b, end, 0)
		if next < 0 {
			return "", 0, d.syntax(end, "a value")
		}
		if i = jsonwire.SkipSpace(d.b, next); d.b[i] == '}' {
			if d.opt.DiscardUnknown {
				return "", 0, nil
			}
			return "", 0, fail(ErrAny, start, "it has no member @type")
		}
		if d.b[i] != ',' {
			return "", 0, d.syntax(i, "a comma or the end of the object")
		}
		i = jsonwire.SkipSpace(d.b, i+1)
	}
}

// missing is the error that the member value of a google.protobuf.Any is missing, in an object that ends
// at i.
func (m *message) missing(seen *set, i int) *failure {
	if m.known && seen.low&1 == 0 {
		return fail(ErrAny, i, "it has no member value")
	}
	return nil
}
