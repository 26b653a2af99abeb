package zmymodel

// anyForm describes the payload of a kind (FORMAT.md, section 7).
type anyForm struct {
	name string // name in the vectors
	typ  *Type  // type of the payload; nil for bools, structs and decimals
}

var (
	anyType    = &Type{Kind: Any}
	stringType = &Type{Kind: String}
	anyList    = &Type{Kind: List, Elem: anyType}
	anyMap     = &Type{Kind: Map, Key: stringType, Elem: anyType}
)

func fixedType(k Kind) *Type { return &Type{Kind: k} }
func listType(k Kind) *Type  { return &Type{Kind: List, Elem: &Type{Kind: k}} }

// Kinds of any with rules of their own.
const (
	anyFalse   = 1
	anyTrue    = 2
	anyInt8    = 3
	anyInt64   = 6
	anyUint64  = 7
	anyList12  = 12
	anyMap13   = 13
	anyStruct  = 14
	anyDecimal = 16
	anyStrings = 44
	anyStrMap  = 45
)

var anyForms = map[byte]anyForm{
	anyFalse: {"false", nil}, anyTrue: {"true", nil},
	3: {"int", fixedType("int8")}, 4: {"int", fixedType("int16")}, 5: {"int", fixedType("int32")}, 6: {"int", fixedType("int64")},
	7: {"uint", fixedType("uint64")}, 8: {"float64", fixedType("float64")}, 9: {"string", stringType}, 10: {"bytes", fixedType(Bytes)},
	11: {"time", fixedType("time")}, 12: {"list", anyList}, 13: {"map", anyMap}, anyStruct: {"struct", nil},
	15: {"duration", fixedType("duration")}, anyDecimal: {"decimal", nil}, 17: {"bigint", fixedType(BigInt)},
	18: {"bigfloat", fixedType(BigFloat)},
	19: {"json", fixedType(JSON)}, 20: {"float32", fixedType("float32")}, 21: {"complex64", fixedType("complex64")},
	22: {"complex128", fixedType("complex128")},
	23: {"number", stringType}, 32: {"bools", listType("bool")},
	33: {"int8s", listType("int8")}, 34: {"int16s", listType("int16")}, 35: {"int32s", listType("int32")}, 36: {"int64s", listType("int64")},
	37: {"uint16s", listType("uint16")}, 38: {"uint32s", listType("uint32")}, 39: {"uint64s", listType("uint64")},
	40: {"float32s", listType("float32")}, 41: {"float64s", listType("float64")}, 42: {"times", listType("time")},
	43:         {"durations", listType("duration")},
	anyStrings: {"strings", listType(String)}, anyStrMap: {"stringmap", &Type{Kind: Map, Key: stringType, Elem: stringType}},
}

// encode returns the content of the slot of a value of type any.
func (v Dyn) encode() []byte {
	b := []byte{v.Kind}
	switch p := v.Payload.(type) {
	case nil:
		return b
	case Fixed:
		return append(b, p...)
	case Raw:
		return append(b, p...)
	default:
		return append(b, anyForms[v.Kind].typ.slot(p)...)
	}
}
