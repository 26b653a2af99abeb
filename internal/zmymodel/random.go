package zmymodel

import (
	"math/rand/v2"
	"slices"
	"strings"
)

// Random returns a random value of the struct type t. Lists have at most size elements. Structs are
// nested at most depth levels.
func Random(t *Type, r *rand.Rand, size, depth int) *Rec {
	return random{r, size}.record(t, depth)
}

type random struct {
	*rand.Rand
	size int
}

func (r random) record(t *Type, depth int) *Rec {
	v := t.Zero()
	for i, f := range t.Fields {
		if f.Reserved || r.IntN(4) == 0 {
			continue
		}
		if f.Type.size() > 0 {
			v.Fields[i] = r.fixed(f.Type)
		} else {
			v.Fields[i] = r.slot(f.Type, depth)
		}
	}
	return v
}

func (r random) fixed(t *Type) Value {
	switch t.Kind {
	case Inline:
		return r.record(t.Elem, 0)
	case Array:
		s := ""
		for range t.Len {
			s += string(r.fixed(t.Elem).(Fixed))
		}
		return Fixed(s)
	}
	b := make([]byte, t.size())
	for i := range b {
		b[i] = byte(r.Uint32() >> r.IntN(9))
	}
	switch t.Kind {
	case "bool":
		b[0] &= 1
	case "time", "time:zone":
		seconds := r.Int64N(1<<54) - 1<<53
		le.PutUint64(b, uint64(seconds>>r.IntN(50)))
		le.PutUint32(b[8:], r.Uint32N(1_000_000_000))
		if len(b) > 12 {
			le.PutUint32(b[12:], uint32(r.Int32N(129_601)-64_800))
		}
	}
	return Fixed(b)
}

// text returns a string that is short, as most strings are, and not always ASCII.
func (r random) text() string {
	var s strings.Builder
	for range r.IntN(r.size + 1) {
		s.WriteRune([]rune("abcxyz019 _é€😀\x00~")[r.IntN(16)])
	}
	return s.String()
}

func (r random) raw(s string) Value {
	if s == "" {
		return nil
	}
	return Raw(s)
}

// slot returns a value for a slot; nil leaves the slot empty.
func (r random) slot(t *Type, depth int) Value {
	if _, ok := t.long(); ok {
		v := Fixed("")
		for range t.Len {
			v += r.fixed(t.Elem).(Fixed)
		}
		if allZero(string(v)) {
			return nil
		}
		return v
	}
	switch t.Kind {
	case String, OwnText:
		return r.raw(r.text())
	case Bytes, JSON, OwnZMY, OwnBytes:
		b := make([]byte, r.IntN(r.size+1))
		for i := range b {
			b[i] = byte(r.Uint32())
		}
		return r.raw(string(b))
	case BigInt:
		if v := r.bigInt(); v != "\x00" {
			return v
		}
	case BigFloat:
		if v := r.bigFloat(); !allZero(string(v)) {
			return v
		}
	case Any:
		return r.any(depth)
	case List:
		return r.elems(t.elem(), r.IntN(r.size+1), depth)
	case Array:
		v := r.elems(t.elem(), t.Len, depth)
		if v == nil || t.zeroArray(v.(Elems)) {
			return nil
		}
		return v
	case Map:
		return r.pairs(t, depth)
	case Struct:
		if depth > 0 {
			if v := r.record(t, depth-1); !v.IsZero() {
				return v
			}
		}
	case Union:
		if depth > 0 {
			f := t.Fields[r.IntN(len(t.Fields))]
			return Arm{f.Disc, r.slot(f.Type, depth)}
		}
	case Opt:
		return r.optional(t.Elem, depth)
	}
	return nil
}

func (t *Type) zeroArray(list Elems) bool {
	for _, v := range list {
		if r, ok := v.(*Rec); ok && !r.IsZero() || !ok && v != nil {
			return false
		}
	}
	return true
}

func (r random) optional(e *Type, depth int) Value {
	switch {
	case r.IntN(3) == 0:
		return nil
	case e.Kind == Struct && depth == 0:
		return nil
	case e.Kind == Struct:
		return Some{r.record(e, depth-1)}
	case e.size() > 0:
		return Some{r.fixed(e)}
	case e.Kind == BigInt:
		return Some{r.bigInt()}
	case e.Kind == BigFloat:
		return Some{r.bigFloat()}
	}
	return Some{r.slot(e, depth)}
}

func (r random) elems(e *Type, n, depth int) Value {
	if n == 0 || e.dense() && depth == 0 {
		return nil
	}
	out := make(Elems, n)
	for i := range out {
		switch {
		case e.size() > 0:
			out[i] = r.fixed(e)
		case e.dense():
			out[i] = r.record(e, depth-1)
		default:
			out[i] = r.slot(e, depth)
		}
	}
	return out
}

func (r random) pairs(t *Type, depth int) Value {
	keys := map[string]Value{}
	for range r.IntN(r.size + 1) {
		k := r.slot(t.Key, 0)
		if t.Key.size() > 0 {
			k = r.fixed(t.Key)
		}
		keys[bytesOf(k)] = k
	}
	e := t.elem()
	if len(keys) == 0 || e.dense() && depth == 0 && !e.empty() {
		return nil
	}
	out := make(Pairs, 0, len(keys))
	for _, k := range keys {
		out = append(out, Pair{Key: k})
	}
	slices.SortFunc(out, func(a, b Pair) int {
		if x, y := []byte(bytesOf(a.Key)), []byte(bytesOf(b.Key)); t.Key.less(x, y) {
			return -1
		}
		return 1
	})
	if e.empty() {
		return out
	}
	vals, _ := r.elems(e, len(out), depth).(Elems)
	for i := range out {
		out[i].Value = vals[i]
	}
	return out
}

func bytesOf(k Value) string {
	switch k := k.(type) {
	case Fixed:
		return string(k)
	case Raw:
		return string(k)
	}
	return ""
}

func (r random) bigInt() Raw {
	b := []byte{byte(r.IntN(2))}
	for range r.IntN(12) {
		b = append(b, byte(r.Uint32()))
	}
	if len(b) == 1 || b[1] == 0 {
		return "\x00"
	}
	return Raw(b)
}

func (r random) bigFloat() Raw {
	form := byte(r.IntN(6)) | byte(r.IntN(3))<<3 | byte(r.IntN(2))<<5
	b := append(le.AppendUint32(nil, uint32(r.IntN(200))), form, 0, 0, 0, 0)
	if form>>3&3 != 1 {
		return Raw(b)
	}
	le.PutUint32(b[5:], uint32(int32(r.IntN(2000)-1000)))
	n := 1 + r.IntN(10)
	le.PutUint32(b, uint32(8*n+r.IntN(100)))
	for i := range n {
		b = append(b, byte(r.Uint32()))
		if i == 0 || i == n-1 {
			b[len(b)-1] |= 0x81
		}
	}
	return Raw(b)
}

// any returns a value of type any of a random kind.
func (r random) any(depth int) Value {
	kinds := []byte{1, 2, 3, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 32, 33, 34, 35, 36, 37, 38, 39, 40,
		41, 42, 43, 44, 45, 30, 255}
	kind := kinds[r.IntN(len(kinds))]
	form := anyForms[kind]
	v := Dyn{Kind: kind}
	switch {
	case r.IntN(5) == 0 || depth <= 0:
		return nil
	case kind == anyFalse || kind == anyTrue:
	case form.name == "int":
		return r.anyInt()
	case kind == anyUint64:
		v.Payload = Fixed(le.AppendUint64(nil, r.Uint64()|1<<63))
	case kind == anyStruct || form.name == "":
		v.Payload = Raw("12345678" + r.text())
	case kind == anyDecimal:
		v.Payload = Raw(le.AppendUint16(nil, uint16(r.IntN(20_001)-10_000))) + r.bigInt()
	case form.typ.size() > 0:
		v.Payload = r.fixed(form.typ)
	case form.typ.Kind == BigInt:
		v.Payload = r.bigInt()
	case form.typ.Kind == BigFloat:
		v.Payload = r.bigFloat()
	case form.typ.Kind == List || form.typ.Kind == Map:
		v.Payload = r.slot(form.typ, depth-1)
	default:
		v.Payload = r.slot(form.typ, depth)
		if v.Payload == nil {
			v.Payload = Raw("")
		}
	}
	return v
}

func (r random) anyInt() Value {
	n := r.Int64() >> r.IntN(64)
	switch {
	case n == int64(int8(n)):
		return Dyn{3, Fixed([]byte{byte(n)})}
	case n == int64(int16(n)):
		return Dyn{4, Fixed(le.AppendUint16(nil, uint16(n)))}
	case n == int64(int32(n)):
		return Dyn{5, Fixed(le.AppendUint32(nil, uint32(n)))}
	}
	return Dyn{6, Fixed(le.AppendUint64(nil, uint64(n)))}
}
