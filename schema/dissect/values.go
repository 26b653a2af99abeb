package dissect

import (
	"encoding/hex"
	"fmt"
	"math/big"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/zmylab/zmy/schema"
	"github.com/zmylab/zmy/wire"
)

// scalar yields a value of fixed size. An inline struct has a part for each field.
func (w *walker) scalar(i int, s slot, p place) {
	t := &w.s.Types[i]
	if t.Kind != schema.Struct {
		w.part(Scalar, s, p, w.typeName(i), "%s", w.fixedText(i, w.bytes(s)))
		return
	}
	w.group(s, p, w.typeName(i), "inline")
	for j := range t.Fields {
		f := &t.Fields[j]
		to := s.from + w.l.Table[f.Type].Size
		w.scalar(int(f.Type), slot{s.from, to}, p.field(fieldName(f)))
		s.from = to
	}
}

// maxTexts is how many elements of an array or a packed list are shown.
const maxTexts = 8

// fixedText returns the text of a value of fixed size.
func (w *walker) fixedText(i int, b []byte) string {
	t := &w.s.Types[i]
	switch {
	case t.Kind != schema.Array:
		return scalarText(t, b)
	case w.s.Types[t.Elem].Kind == schema.Uint8:
		return clip(hex.EncodeToString(b), 64)
	}
	return w.packed(int(t.Elem), b)
}

// packed returns the text of the packed list b.
func (w *walker) packed(elem int, b []byte) string {
	size := max(w.l.Table[elem].Size, 1)
	var texts []string
	for i := 0; i < len(b)/size && i < maxTexts; i++ {
		texts = append(texts, w.fixedText(elem, b[i*size:(i+1)*size]))
	}
	list := strings.Join(texts, ", ")
	if n := len(b) / size; n > maxTexts {
		list += fmt.Sprintf(", … %d in all", n)
	}
	return "[" + list + "]"
}

func scalarText(t *schema.Type, b []byte) string {
	named := func(n int64) string {
		for _, v := range t.Values {
			if v.Number == n {
				return " (" + v.Name + ")"
			}
		}
		return ""
	}
	switch t.Kind {
	case schema.Bool:
		if b[0] > 1 {
			return fmt.Sprintf("%d, which is no bool", b[0])
		}
		return strconv.FormatBool(b[0] == 1)
	case schema.Int8, schema.Int16, schema.Int32, schema.Int64:
		n := signed(b)
		return strconv.FormatInt(n, 10) + named(n)
	case schema.Uint8, schema.Uint16, schema.Uint32, schema.Uint64:
		n := unsigned(b)
		return strconv.FormatUint(n, 10) + named(int64(n))
	case schema.Float32:
		return strconv.FormatFloat(float64(wire.F32(b)), 'g', -1, 32)
	case schema.Float64:
		return strconv.FormatFloat(wire.F64(b), 'g', -1, 64)
	case schema.Complex64:
		return strconv.FormatComplex(complex128(wire.C64(b)), 'g', -1, 64)
	case schema.Complex128:
		return strconv.FormatComplex(wire.C128(b), 'g', -1, 128)
	case schema.Duration:
		return time.Duration(wire.U64(b)).String()
	case schema.Time:
		if v, ok := wire.Time(b); ok {
			return timeText(v)
		}
		return "no time"
	case schema.TimeZone:
		if v, ok := wire.ZoneTime(b); ok {
			return timeText(v)
		}
		return "no time"
	case schema.TimeUnixNano:
		return timeText(wire.UnixNano(b))
	}
	return hex.EncodeToString(b)
}

func timeText(t time.Time) string {
	if t.IsZero() {
		return "zero time"
	}
	return t.Format("2006-01-02T15:04:05.999999999Z07:00")
}

func unsigned(b []byte) uint64 {
	var word [8]byte
	copy(word[:], b)
	return wire.U64(word[:])
}

func signed(b []byte) int64 {
	shift := 64 - 8*len(b)
	return int64(unsigned(b)<<shift) >> shift
}

// slot walks through a value that has a slot: every value that is not a scalar.
func (w *walker) slot(i int, s slot, p place) {
	t, d := &w.s.Types[i], &w.l.Table[i]
	if s.len() == 0 {
		w.part(Value, s, p, w.typeName(i), "%s", emptyText(t))
		return
	}
	switch d.Shape {
	case wire.ShapeStruct, wire.ShapeSparse:
		w.structure(i, s, p)
	case wire.ShapePtrStruct:
		w.structure(int(t.Elem), s, p)
	case wire.ShapeList, wire.ShapeDense, wire.ShapeArray:
		w.list(int(t.Elem), s, p, nil)
	case wire.ShapeMap:
		w.mapping(i, s, p)
	case wire.ShapePacked, wire.ShapeFixedTail:
		w.packedValue(i, s, p)
	case wire.ShapePtrFixed:
		if e := &w.l.Table[t.Elem]; e.Size == s.len() {
			w.part(Value, s, p, w.typeName(i), "%s", w.fixedText(int(t.Elem), w.bytes(s)))
		} else {
			w.damaged(s, p, "%d bytes where %d belong", s.len(), e.Size)
		}
	case wire.ShapeOpt:
		w.part(Tag, slot{s.from, s.from + 1}, p, "", "%s", map[bool]string{true: "not nil", false: "1 belongs here"}[w.b[s.from] == 1])
		w.slot(int(t.Elem), slot{s.from + 1, s.to}, p)
	case wire.ShapeUnion:
		w.union(t, s, p)
	case wire.ShapeAny:
		w.any(s, p)
	case wire.ShapeBigInt, wire.ShapePtrBigInt:
		w.bigInt(s, p)
	case wire.ShapeBigFloat, wire.ShapePtrBigFloat:
		w.bigFloat(s, p)
	case wire.ShapeString:
		w.part(Value, s, p, w.typeName(i), "%s", quote(w.bytes(s)))
	default:
		text := bytesText(w.bytes(s))
		if b := w.bytes(s); t.Kind == schema.JSON && printable(b) && len(b) <= maxText {
			text = string(b)
		}
		w.part(Value, s, p, w.typeName(i), "%s", text)
	}
}

func emptyText(t *schema.Type) string {
	switch t.Kind {
	case schema.String, schema.OwnText:
		return `""`
	case schema.Struct, schema.Array, schema.BigInt, schema.BigFloat:
		return "zero"
	case schema.Reserved:
		return "empty"
	}
	return "nil"
}

func (w *walker) packedValue(i int, s slot, p place) {
	elem := int(w.s.Types[i].Elem)
	size := w.l.Table[elem].Size
	// One part for each element if lists are not to be shortened, if this list is the requested
	// field, or if it has only a few elements and they are structs; else one part for all.
	if w.o.MaxElems <= 0 || w.o.Field != "" && w.wanted(p.path, Value) || s.len()/size <= 4 && w.s.Types[elem].Kind == schema.Struct {
		w.group(s, p, w.typeName(i), "%s", count(s.len()/size, "element"))
		w.fixedElems(elem, s, p, nil)
		return
	}
	whole := slot{s.from, s.to - s.len()%size}
	w.part(Value, whole, p, w.typeName(i), "%s %s", count(s.len()/size, "element"), w.packed(elem, w.bytes(whole)))
	w.damaged(slot{whole.to, s.to}, p, "%d bytes are no whole value of %d", s.len()%size, size)
}

func (w *walker) union(t *schema.Type, s slot, p place) {
	if s.len() < 2 {
		w.damaged(s, p, "the number of an arm needs 2 bytes")
		return
	}
	disc := wire.U16(w.b[s.from:])
	arm := slot{s.from + 2, s.to}
	for i := range t.Fields {
		if f := &t.Fields[i]; f.Number == uint32(disc) {
			w.part(Tag, slot{s.from, s.from + 2}, p, "", "arm %d: %s", disc, f.Name)
			w.slot(int(f.Type), arm, p)
			return
		}
	}
	w.part(Tag, slot{s.from, s.from + 2}, p, "", "arm %d, which the schema does not know", disc)
	w.part(Unknown, arm, p, "", "its slot")
}

func (w *walker) bigInt(s slot, p place) {
	x, code := wire.ParseBigInt(w.bytes(s))
	if code != wire.OK {
		w.damaged(s, p, "no big integer: %v", code)
		return
	}
	v := clip(fmt.Sprintf("%#x", x), 64)
	if x.BitLen() <= 256 {
		v = x.String()
	}
	w.part(Value, s, p, "bigint", "%s", v)
}

func (w *walker) bigFloat(s slot, p place) {
	x, code := wire.ParseBigFloat(w.bytes(s))
	if code != wire.OK {
		w.damaged(s, p, "no big float: %v", code)
		return
	}
	w.part(Value, s, p, "bigfloat", "%s, precision %d, rounding %v", clip(floatText(x), 64), x.Prec(), x.Mode())
}

// maxText is how many bytes of a text are shown.
const maxText = 60

func quote(b []byte) string {
	if len(b) > maxText {
		cut := maxText
		for cut > maxText-4 && !utf8.RuneStart(b[cut]) {
			cut--
		}
		return strconv.Quote(string(b[:cut])) + fmt.Sprintf("… %d bytes", len(b))
	}
	return strconv.Quote(string(b))
}

func bytesText(b []byte) string {
	switch {
	case !printable(b):
		return count(len(b), "byte")
	case len(b) > maxText:
		return quote(b)
	}
	return count(len(b), "byte") + " " + quote(b)
}

func printable(b []byte) bool {
	if !utf8.Valid(b) {
		return false
	}
	for _, r := range string(b) {
		if !unicode.IsPrint(r) && r != '\n' && r != '\t' && r != '\r' {
			return false
		}
	}
	return true
}

func clip(s string, n int) string {
	if len(s) > n {
		return s[:n] + "…"
	}
	return s
}

// floatText returns x in decimal, or in hexadecimal if decimal digits would take long: see the
// function floatText of package dynamic.
func floatText(x *big.Float) string {
	const most = 4096
	if e := x.MantExp(nil); e > most || e < -most || x.MinPrec() > most {
		return x.Text('p', 0)
	}
	return x.Text('g', -1)
}
