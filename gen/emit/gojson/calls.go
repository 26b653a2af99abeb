package gojson

import "github.com/zmylab/zmy/gen/ir"

// These functions choose encoders and decoders by the same rules, those of encoding/json: first by
// methods, then by shape. The choices differ if a method, or a function of the runtime, exists for
// one direction only.

// coder returns the function that encodes or decodes a value of type k.t.
func (e *emitter) coder(k key) call {
	name := k.byMethods()
	switch {
	case e.plan.Reflect[k.t]:
		name = "Std"
	case name == "" && namedComposite(k.t):
		return call{fn: e.fn(k)}
	case name == "":
		return e.shape(k)
	}
	return call{fn: e.rt(k.verb() + name)}
}

// byMethods returns the name of the runtime's function for a type with methods, without its verb;
// "" if methods do not matter. For pointers it returns "", because code follows them and then
// considers the methods of the element.
func (k key) byMethods() string {
	switch k.t.Kind {
	case ir.Pointer, ir.Time, ir.RawJSON, ir.Number:
		return ""
	}
	switch h, in := k.t.Hooks, k.t.Kind == ir.Interface; {
	case k.decode && in:
		return "Std"
	case k.decode && h.Has(ir.HasUnmarshalJSONPtr):
		return "Unmarshaler"
	case k.decode && h.Has(ir.HasUnmarshalTextPtr):
		return "Text"
	case k.decode:
		return ""
	case in && h.Has(ir.HasMarshalJSON):
		return "MarshalerIn"
	case in && h.Has(ir.HasMarshalText):
		return "TextIn"
	case h.Has(ir.HasMarshalJSON):
		return "Marshaler"
	case h.Has(ir.HasMarshalJSONPtr):
		return "PtrMarshaler"
	case h.Has(ir.HasMarshalText):
		return "Text"
	case h.Has(ir.HasMarshalTextPtr):
		return "PtrText"
	}
	return ""
}

// shape returns the function for the type's shape, without regard to its methods.
func (e *emitter) shape(k key) call {
	t, kind := k.t, k.t.Kind
	rt := func(name string) call { return call{fn: e.rt(k.verb() + name)} }
	of := func(name string) call { return call{e.rt(k.verb() + name), e.value(key{t.Elem, k.decode, k.decimals})} }
	bytesHooks := ir.HasMarshalJSONPtr | ir.HasMarshalTextPtr
	if k.decode {
		bytesHooks = ir.HasUnmarshalJSONPtr | ir.HasUnmarshalTextPtr
	}
	switch {
	case kind == ir.Bool:
		return rt("Bool")
	case kind.IsInt():
		return rt("Int")
	case kind.IsUint():
		return rt("Uint")
	case kind.IsFloat() && k.decimals < 0:
		return rt("Float")
	case kind == ir.String:
		return rt("String")
	case kind == ir.Time:
		return rt("Time")
	case kind == ir.RawJSON:
		return rt("Raw")
	case kind == ir.Number:
		return rt("Number")
	case kind == ir.Any && t.Name == nil:
		return rt("Any")
	case kind == ir.Any && k.decode:
		return call{fn: e.fn(k)}
	case kind == ir.Any, kind == ir.Interface:
		return rt("Interface")
	case kind == ir.Bytes && t.Elem.Hooks&bytesHooks == 0:
		return rt("Bytes")
	case kind == ir.Slice && t.Elem.Kind == ir.Float64 && plain(t.Elem) && k.decimals < 0:
		return rt("Floats")
	case kind == ir.Slice && t.Elem.Kind.IsInt() && plain(t.Elem):
		return rt("Ints")
	case kind == ir.Slice && t.Elem.Kind.IsUint() && plain(t.Elem) && !k.decode:
		return rt("Uints")
	case kind == ir.Slice && t.Elem.Kind == ir.String && plain(t.Elem) && !k.decode:
		return rt("Strings")
	case kind == ir.Slice, kind == ir.Bytes && !k.decode:
		return of("Slice")
	case kind == ir.Pointer:
		return of("Ptr")
	case kind == ir.Map:
		return e.mapCoder(k, rt, of)
	case e.isStruct(t), kind == ir.Array, kind.IsFloat():
		return call{fn: e.fn(k)}
	}
	return rt("Std")
}

// mapCoder does the work of shape for maps. rt makes a call of the runtime's function of a given
// name, and so does of, which adds the function for elements as an argument.
func (e *emitter) mapCoder(k key, rt, of func(name string) call) call {
	key, elem := k.t.Key, k.t.Elem
	by := func(name string) call {
		if k.decode {
			name = "Parse" + name
		}
		c := of("MapOf")
		c.elem = e.rt(name) + ", " + c.elem
		return c
	}
	switch {
	case k.decode && (key.Hooks.Has(ir.HasUnmarshalJSONPtr) || // encoding/json calls UnmarshalJSON, even if there is UnmarshalText as well
		key.Kind == ir.Pointer || key.Kind == ir.Interface): // encoding/json looks for methods of the pointer to such a key
		return rt("Std")
	case k.decode && key.Hooks.Has(ir.HasUnmarshalTextPtr):
		return by("KeyText")
	case stringKind(key) && elem.Kind == ir.Any && elem.Name == nil:
		return rt("AnyMap")
	case stringKind(key) && elem.Kind == ir.String && plain(elem):
		return rt("StringMap")
	case stringKind(key):
		return of("Map")
	case !k.decode && key.Hooks.Has(ir.HasMarshalText):
		return by("KeyText")
	case key.Kind.IsInt():
		return by("KeyInt")
	case key.Kind.IsUint():
		return by("KeyUint")
	}
	return rt("Std")
}

// namedComposite reports whether t is a named slice, map or pointer. Its elements may have type t
// again, so it has functions of its own.
func namedComposite(t *ir.Type) bool {
	switch t.Kind {
	case ir.Slice, ir.Map, ir.Pointer:
		return t.Name != nil
	}
	return false
}

// stringKind reports whether the underlying type of t is string.
func stringKind(t *ir.Type) bool { return t.Kind == ir.String || t.Kind == ir.Number }

// plain reports whether t has no JSON or text methods.
func plain(t *ir.Type) bool {
	const any = ir.HasMarshalJSON | ir.HasMarshalJSONPtr | ir.HasUnmarshalJSONPtr |
		ir.HasMarshalText | ir.HasMarshalTextPtr | ir.HasUnmarshalTextPtr
	return t.Hooks&any == 0
}

// isStruct reports whether t is a struct whose fields the plan lists.
func (e *emitter) isStruct(t *ir.Type) bool { return e.plan.Struct(t) != nil }
