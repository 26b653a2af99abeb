package gojson

import "github.com/zmylab/zmy/gen/ir"

// encoder returns the function that encodes a value of type t. As in encoding/json, methods come
// before shapes. Pointers are always followed: a pointer's methods are those of its element.
func (e *emitter) encoder(t *ir.Type, decimals int) call {
	rt := func(name string) call { return call{fn: e.rt(name)} }
	if e.plan.Reflect[t] {
		return rt("EncodeStd")
	}
	switch h := t.Hooks; {
	case t.Kind == ir.Pointer, t.Kind == ir.Time, t.Kind == ir.RawJSON, t.Kind == ir.Number:
	case t.Kind == ir.Interface && h.Has(ir.HasMarshalJSON):
		return rt("EncodeMarshalerIn")
	case t.Kind == ir.Interface && h.Has(ir.HasMarshalText):
		return rt("EncodeTextIn")
	case h.Has(ir.HasMarshalJSON):
		return rt("EncodeMarshaler")
	case h.Has(ir.HasMarshalJSONPtr):
		return rt("EncodePtrMarshaler")
	case h.Has(ir.HasMarshalText):
		return rt("EncodeText")
	case h.Has(ir.HasMarshalTextPtr):
		return rt("EncodePtrText")
	}
	if namedComposite(t) {
		return call{fn: e.fn(key{t, false, decimals})}
	}
	return e.shapeEncoder(t, decimals)
}

// shapeEncoder returns the encoder for the type's shape, without regard to its methods.
func (e *emitter) shapeEncoder(t *ir.Type, decimals int) call {
	rt := func(name string) call { return call{fn: e.rt(name)} }
	elem := func() string {
		c := e.encoder(t.Elem, decimals)
		return e.value(c, key{t.Elem, false, decimals})
	}
	switch k := t.Kind; {
	case k == ir.Bool:
		return rt("EncodeBool")
	case k.IsInt():
		return rt("EncodeInt")
	case k.IsUint():
		return rt("EncodeUint")
	case k.IsFloat() && decimals < 0:
		return rt("EncodeFloat")
	case k == ir.String:
		return rt("EncodeString")
	case k == ir.Time:
		return rt("EncodeTime")
	case k == ir.RawJSON:
		return rt("EncodeRaw")
	case k == ir.Number:
		return rt("EncodeNumber")
	case k == ir.Any && t.Name == nil:
		return rt("EncodeAny")
	case k == ir.Any, k == ir.Interface:
		return rt("EncodeInterface")
	case k == ir.Bytes && t.Elem.Hooks&(ir.HasMarshalJSONPtr|ir.HasMarshalTextPtr) == 0:
		return rt("EncodeBytes")
	case k == ir.Slice && t.Elem.Kind == ir.Float64 && plain(t.Elem) && decimals < 0:
		return rt("EncodeFloats")
	case k == ir.Slice && t.Elem.Kind.IsInt() && plain(t.Elem):
		return rt("EncodeInts")
	case k == ir.Slice && t.Elem.Kind.IsUint() && plain(t.Elem):
		return rt("EncodeUints")
	case k == ir.Slice && t.Elem.Kind == ir.String && plain(t.Elem):
		return rt("EncodeStrings")
	case k == ir.Slice || k == ir.Bytes:
		return call{e.rt("EncodeSlice"), elem()}
	case k == ir.Pointer:
		return call{e.rt("EncodePtr"), elem()}
	case k == ir.Map:
		return e.mapEncoder(t, elem)
	case e.isStruct(t), k == ir.Array, k.IsFloat():
		return call{fn: e.fn(key{t, false, decimals})}
	}
	return rt("EncodeStd")
}

func (e *emitter) mapEncoder(t *ir.Type, elem func() string) call {
	isText := t.Elem.Kind == ir.String && plain(t.Elem)
	switch k := t.Key; {
	case stringKind(k) && t.Elem.Kind == ir.Any && t.Elem.Name == nil:
		return call{fn: e.rt("EncodeAnyMap")}
	case stringKind(k) && isText:
		return call{fn: e.rt("EncodeStringMap")}
	case stringKind(k):
		return call{e.rt("EncodeMap"), elem()}
	case k.Hooks.Has(ir.HasMarshalText):
		return call{e.rt("EncodeMapOf"), e.rt("KeyText") + ", " + elem()}
	case k.Kind.IsInt():
		return call{e.rt("EncodeMapOf"), e.rt("KeyInt") + ", " + elem()}
	case k.Kind.IsUint():
		return call{e.rt("EncodeMapOf"), e.rt("KeyUint") + ", " + elem()}
	}
	return call{fn: e.rt("EncodeStd")}
}

// decoder returns the function that decodes a value of type t.
func (e *emitter) decoder(t *ir.Type) call {
	rt := func(name string) call { return call{fn: e.rt(name)} }
	if e.plan.Reflect[t] {
		return rt("DecodeStd")
	}
	switch h := t.Hooks; {
	case t.Kind == ir.Pointer, t.Kind == ir.Time, t.Kind == ir.RawJSON, t.Kind == ir.Number:
	case t.Kind == ir.Interface:
		return rt("DecodeStd")
	case h.Has(ir.HasUnmarshalJSONPtr):
		return rt("DecodeUnmarshaler")
	case h.Has(ir.HasUnmarshalTextPtr):
		return rt("DecodeText")
	}
	if namedComposite(t) {
		return call{fn: e.fn(key{t, true, -1})}
	}
	return e.shapeDecoder(t)
}

// shapeDecoder returns the decoder for the type's shape, without regard to its methods.
func (e *emitter) shapeDecoder(t *ir.Type) call {
	rt := func(name string) call { return call{fn: e.rt(name)} }
	elem := func() string {
		c := e.decoder(t.Elem)
		return e.value(c, key{t.Elem, true, -1})
	}
	switch k := t.Kind; {
	case k == ir.Bool:
		return rt("DecodeBool")
	case k.IsInt():
		return rt("DecodeInt")
	case k.IsUint():
		return rt("DecodeUint")
	case k.IsFloat():
		return rt("DecodeFloat")
	case k == ir.String:
		return rt("DecodeString")
	case k == ir.Time:
		return rt("DecodeTime")
	case k == ir.RawJSON:
		return rt("DecodeRaw")
	case k == ir.Number:
		return rt("DecodeNumber")
	case k == ir.Any && t.Name == nil:
		return rt("DecodeAny")
	case k == ir.Any:
		return call{fn: e.fn(key{t, true, -1})}
	case k == ir.Bytes && t.Elem.Hooks&(ir.HasUnmarshalJSONPtr|ir.HasUnmarshalTextPtr) == 0:
		return rt("DecodeBytes")
	case k == ir.Slice && t.Elem.Kind == ir.Float64 && plain(t.Elem):
		return rt("DecodeFloats")
	case k == ir.Slice && t.Elem.Kind.IsInt() && plain(t.Elem):
		return rt("DecodeInts")
	case k == ir.Slice:
		return call{e.rt("DecodeSlice"), elem()}
	case k == ir.Pointer:
		return call{e.rt("DecodePtr"), elem()}
	case k == ir.Map:
		return e.mapDecoder(t, elem)
	case e.isStruct(t), k == ir.Array:
		return call{fn: e.fn(key{t, true, -1})}
	}
	return rt("DecodeStd")
}

func (e *emitter) mapDecoder(t *ir.Type, elem func() string) call {
	isText := t.Elem.Kind == ir.String && plain(t.Elem)
	switch k := t.Key; {
	case k.Hooks.Has(ir.HasUnmarshalJSONPtr), // encoding/json calls UnmarshalJSON, even if there is UnmarshalText as well
		k.Kind == ir.Pointer, k.Kind == ir.Interface: // encoding/json looks for methods of the pointer to such a key
		return call{fn: e.rt("DecodeStd")}
	case k.Hooks.Has(ir.HasUnmarshalTextPtr):
		return call{e.rt("DecodeMapOf"), e.rt("ParseKeyText") + ", " + elem()}
	case stringKind(k) && t.Elem.Kind == ir.Any && t.Elem.Name == nil:
		return call{fn: e.rt("DecodeAnyMap")}
	case stringKind(k) && isText:
		return call{fn: e.rt("DecodeStringMap")}
	case stringKind(k):
		return call{e.rt("DecodeMap"), elem()}
	case k.Kind.IsInt():
		return call{e.rt("DecodeMapOf"), e.rt("ParseKeyInt") + ", " + elem()}
	case k.Kind.IsUint():
		return call{e.rt("DecodeMapOf"), e.rt("ParseKeyUint") + ", " + elem()}
	}
	return call{fn: e.rt("DecodeStd")}
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
