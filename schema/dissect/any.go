package dissect

import (
	"github.com/zmylab/zmy/schema"
	"github.com/zmylab/zmy/wire"
)

// anyKinds has the name of each kind of a value of type any. scalar is the kind of the value if it
// is a scalar or, if list is set, the kind of its elements.
var anyKinds = map[byte]struct {
	name   string
	scalar schema.Kind
	list   bool
}{
	wire.KindFalse: {"false", 0, false}, wire.KindTrue: {"true", 0, false},
	wire.KindInt8: {"int as i8", schema.Int8, false}, wire.KindInt16: {"int as i16", schema.Int16, false},
	wire.KindInt32: {"int as i32", schema.Int32, false}, wire.KindInt64: {"int as i64", schema.Int64, false},
	wire.KindUint64: {"uint64", schema.Uint64, false}, wire.KindFloat64: {"float64", schema.Float64, false},
	wire.KindString: {"string", 0, false}, wire.KindBytes: {"bytes", 0, false}, wire.KindTime: {"time", schema.Time, false},
	wire.KindList: {"list", 0, false}, wire.KindMap: {"map", 0, false}, wire.KindStruct: {"struct", 0, false},
	wire.KindDuration: {"duration", schema.Duration, false}, wire.KindDecimal: {"decimal", 0, false},
	wire.KindBigInt: {"bigint", 0, false}, wire.KindBigFloat: {"bigfloat", 0, false}, wire.KindRawJSON: {"raw JSON", 0, false},
	wire.KindFloat32: {"float32", schema.Float32, false}, wire.KindComplex64: {"complex64", schema.Complex64, false},
	wire.KindComplex128: {"complex128", schema.Complex128, false}, wire.KindNumber: {"number as text", 0, false},
	wire.KindBools: {"[]bool", schema.Bool, true}, wire.KindInt8s: {"[]int8", schema.Int8, true},
	wire.KindInt16s: {"[]int16", schema.Int16, true},
	wire.KindInt32s: {"[]int32", schema.Int32, true}, wire.KindInt64s: {"[]int", schema.Int64, true},
	wire.KindUint16s: {"[]uint16", schema.Uint16, true},
	wire.KindUint32s: {"[]uint32", schema.Uint32, true}, wire.KindUint64s: {"[]uint64", schema.Uint64, true},
	wire.KindFloat32s: {"[]float32", schema.Float32, true},
	wire.KindFloat64s: {"[]float64", schema.Float64, true}, wire.KindTimes: {"[]time", schema.Time, true},
	wire.KindDurations: {"[]duration", schema.Duration, true},
	wire.KindStrings:   {"[]string", 0, false}, wire.KindStringMap: {"map[string]string", 0, false},
}

var scalarSizes = map[schema.Kind]int{
	schema.Bool: 1, schema.Int8: 1, schema.Int16: 2, schema.Int32: 4, schema.Int64: 8, schema.Uint16: 2, schema.Uint32: 4, schema.Uint64: 8,
	schema.Float32: 4, schema.Float64: 8, schema.Complex64: 8, schema.Complex128: 16, schema.Time: wire.TimeLen, schema.Duration: 8,
}

// any walks through the slot of a value of type any. The slot must not be empty.
func (w *walker) any(s slot, p place) {
	k, known := anyKinds[w.b[s.from]]
	if p.depth > maxDepth {
		w.part(Unknown, s, p, "", "deeper than shown")
		return
	}
	if !known {
		w.part(Tag, slot{s.from, s.from + 1}, p, "any", "kind %d, which this version does not know", w.b[s.from])
		w.part(Unknown, slot{s.from + 1, s.to}, p, "", "its payload")
		return
	}
	role, typ, text := Tag, "any", "kind %d: %s"
	if kind := w.b[s.from]; kind == wire.KindFalse || kind == wire.KindTrue {
		role, typ, text = Value, "bool", "%[2]s (kind %[1]d)"
	}
	w.part(role, slot{s.from, s.from + 1}, p, typ, text, w.b[s.from], k.name)
	y := slot{s.from + 1, s.to}
	b := w.bytes(y)
	value := func(format string, args ...any) { w.part(Value, y, p, k.name, format, args...) }
	switch kind := w.b[s.from]; {
	case kind == wire.KindFalse, kind == wire.KindTrue:
		w.damaged(y, p, "nothing belongs behind it")
	case k.list:
		size := scalarSizes[k.scalar]
		if len(b)%size != 0 {
			w.damaged(y, p, "%d bytes are no number of elements of %d", len(b), size)
			return
		}
		value("%s %s", count(len(b)/size, "element"), scalarsText(k.scalar, b))
	case k.scalar != 0:
		if size := scalarSizes[k.scalar]; len(b) != size {
			w.damaged(y, p, "%d bytes where %d belong", len(b), size)
			return
		}
		value("%s", scalarText(&schema.Type{Kind: k.scalar}, b))
	case kind == wire.KindString, kind == wire.KindNumber:
		value("%s", quote(b))
	case kind == wire.KindBytes, kind == wire.KindRawJSON:
		value("%s", bytesText(b))
	case kind == wire.KindBigInt:
		w.bigInt(y, p)
	case kind == wire.KindBigFloat:
		w.bigFloat(y, p)
	case kind == wire.KindDecimal:
		w.decimal(y, p)
	case kind == wire.KindStruct:
		w.lineage(y, p)
	case y.len() == 0:
		value("empty")
	case kind == wire.KindMap, kind == wire.KindStringMap:
		w.anyMap(y, p, kind == wire.KindMap)
	default:
		w.anyList(y, p, nil, kind == wire.KindList)
	}
}

func scalarsText(k schema.Kind, b []byte) string {
	size, text := scalarSizes[k], ""
	for i := 0; i*size < len(b); i++ {
		if i == maxTexts {
			return "[" + text + ", …]"
		}
		if i > 0 {
			text += ", "
		}
		text += scalarText(&schema.Type{Kind: k}, b[i*size:(i+1)*size])
	}
	return "[" + text + "]"
}

func (w *walker) decimal(s slot, p place) {
	b := w.bytes(s)
	if len(b) >= 3 {
		if x, code := wire.ParseBigInt(b[2:]); code == wire.OK && x.BitLen() <= 1<<12 {
			w.part(Value, s, p, "decimal", "%se%d", clip(x.String(), 64), -int(int16(wire.U16(b))))
			return
		}
	}
	w.part(Value, s, p, "decimal", "%s", bytesText(b))
}

func (w *walker) lineage(s slot, p place) {
	if s.len() < 8 {
		w.damaged(s, p, "a lineage needs 8 bytes")
		return
	}
	w.part(Tag, slot{s.from, s.from + 8}, p, "", "lineage %016x", wire.U64(w.b[s.from:]))
	w.part(Unknown, slot{s.from + 8, s.to}, p, "", "a struct of a type that is not known here")
}

// anyList walks through a list inside a value of type any. The elements are of type any if nested
// is set, else strings. If keys is not nil, the elements are the values of a map with these keys.
func (w *walker) anyList(s slot, p place, keys []string, nested bool) {
	c := w.openColumn(s, false)
	if keys == nil {
		w.group(s, p, "list", "%s", c.summary())
	}
	w.elements(&c, s, p, keys, func(x slot, in place) {
		switch {
		case !nested:
			w.part(Value, x, in, "string", "%s", quote(w.bytes(x)))
		case x.len() == 0:
			w.part(Value, x, in, "any", "null")
		default:
			w.any(x, in)
		}
	})
}

func (w *walker) anyMap(s slot, p place, nested bool) {
	m := w.openMap(s)
	if m.bad != "" {
		w.damaged(s, p, "%s", m.bad)
		return
	}
	c, keys := w.openKeys(m)
	w.group(s, p, "map", "%s", entries(len(keys)))
	w.textKeys(m, &c, p, keys, false)
	w.anyList(m.values, p, keys, nested)
}
