package zmymodel

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/big"
	"strconv"
)

// Spell returns v as JSON in the form of the vectors (spec/vectors/README.md).
func (t *Type) Spell(v *Rec) string {
	b, err := json.Marshal(t.object(v))
	if err != nil {
		panic(err)
	}
	return string(b)
}

// object returns the fields of v that are not zero.
func (t *Type) object(v *Rec) map[string]any {
	out := map[string]any{}
	for i, f := range t.Fields {
		if one := (&Rec{Fields: v.Fields[i : i+1]}); f.Reserved || one.IsZero() {
			continue
		}
		x := f.Type.tree(v.Fields[i])
		if m, ok := x.(map[string]any); f.Type.Kind == Struct && (x == nil || ok && len(m) == 0) {
			continue // it has only unknown parts, which the vectors do not show
		}
		out[f.Name] = x
	}
	return out
}

// tree returns a value as a tree for encoding/json.
func (t *Type) tree(v Value) any {
	switch v := v.(type) {
	case nil:
		switch t.Kind {
		case String, Bytes, JSON, OwnZMY, OwnBytes, OwnText:
			return ""
		}
		return nil
	case Fixed:
		return t.scalar([]byte(v))
	case Raw:
		return t.raw(string(v))
	case Elems:
		out := make([]any, len(v))
		for i := range v {
			out[i] = t.elem().tree(v[i])
		}
		return out
	case Pairs:
		out := make([]any, len(v))
		for i := range v {
			out[i] = []any{t.Key.tree(v[i].Key), t.elem().tree(v[i].Value)}
		}
		return out
	case Some:
		return t.some(v.Value)
	case *Rec:
		if t.Kind == Inline {
			t = t.Elem
		}
		if out := t.object(v); len(out) > 0 || !t.Sparse {
			return out
		}
		return nil // vectors do not show unknown parts, and without them the slot of a sparse struct is empty
	case Arm:
		for _, f := range t.Fields {
			if f.Disc == v.Disc {
				value := f.Type.tree(v.Value)
				if value == nil {
					value = map[string]any{}
				}
				return map[string]any{"arm": v.Disc, "value": value}
			}
		}
		return map[string]any{"arm": v.Disc, "raw": fmt.Sprintf("%x", v.Value)}
	case Dyn:
		return v.tree()
	}
	panic(fmt.Sprintf("zmymodel: value %T", v))
}

// some returns the value of a pointer that is not nil. Empty values are not null here.
func (t *Type) some(v Value) any {
	if r, ok := v.(*Rec); ok {
		return t.Elem.object(r)
	}
	if v != nil {
		return t.Elem.tree(v)
	}
	switch t.Elem.Kind {
	case List, Map:
		return []any{}
	case Array:
		return "zero"
	}
	return t.Elem.tree(nil)
}

func (t *Type) raw(s string) any {
	switch t.Kind {
	case String, OwnText:
		return s
	case BigInt:
		return bigInt(s)
	}
	return hex.EncodeToString([]byte(s))
}

// bigInt returns a big integer in decimal.
func bigInt(s string) string {
	x := new(big.Int).SetBytes([]byte(s[1:]))
	if s[0] == 1 {
		x.Neg(x)
	}
	return x.String()
}

// scalar returns an integer of at most 32 bits as a number, a larger one as a string, and a float
// as its bits.
func (t *Type) scalar(b []byte) any {
	bits := func(b []byte) string {
		if len(b) == 4 {
			return fmt.Sprintf("%08x", le.Uint32(b))
		}
		return fmt.Sprintf("%016x", le.Uint64(b))
	}
	switch t.Kind {
	case Array:
		n := t.Elem.size()
		out := make([]any, 0, t.Len)
		for ; len(b) > 0; b = b[n:] {
			out = append(out, t.Elem.scalar(b[:n]))
		}
		return out
	case "bool":
		return b[0] == 1
	case "int8", "int16", "int32":
		return signed(b)
	case "uint8", "uint16", "uint32":
		return unsigned(b)
	case "int64", "duration":
		return strconv.FormatInt(signed(b), 10)
	case "uint64":
		return strconv.FormatUint(unsigned(b), 10)
	case "float32", "float64":
		return "f" + strconv.Itoa(8*len(b)) + ":" + bits(b)
	case "complex64", "complex128":
		return "c" + strconv.Itoa(8*len(b)) + ":" + bits(b[:len(b)/2]) + "," + bits(b[len(b)/2:])
	case "time":
		return instant(int64(le.Uint64(b)), int64(le.Uint32(b[8:])))
	case "time:zone":
		return fmt.Sprintf("%s@%d", instant(int64(le.Uint64(b)), int64(le.Uint32(b[8:]))), int32(le.Uint32(b[12:])))
	case "time:unixnano":
		return unixNano(signed(b))
	}
	panic("zmymodel: scalar " + string(t.Kind))
}

// instant returns a time as the seconds since year 1, with nine decimals.
func instant(s, ns int64) string { return fmt.Sprintf("%d.%09d", s, ns) }

func unixNano(n int64) string {
	const second, to1970 = 1_000_000_000, 62_135_596_800
	switch n {
	case 0:
		return instant(0, 0)
	case -1 << 63:
		n = 0
	}
	s, ns := n/second, n%second
	if ns < 0 {
		s, ns = s-1, ns+second
	}
	return instant(s+to1970, ns)
}

func (v Dyn) tree() any {
	form := anyForms[v.Kind]
	switch {
	case form.name == "":
		return map[string]any{"kind": v.Kind, "raw": fmt.Sprintf("%x", v.Payload)}
	case v.Kind == anyFalse || v.Kind == anyTrue:
		return map[string]any{"bool": v.Kind == anyTrue}
	case v.Kind == anyStruct:
		return map[string]any{"struct": fmt.Sprintf("%x", v.Payload)}
	case v.Kind == anyDecimal:
		p := v.Payload.(Raw)
		return map[string]any{"decimal": []any{signed([]byte(p[:2])), bigInt(string(p[2:]))}}
	case form.name == "int":
		return map[string]any{"int": strconv.FormatInt(signed([]byte(v.Payload.(Fixed))), 10)}
	case v.Payload == nil && (form.typ.Kind == List || form.typ.Kind == Map):
		return map[string]any{form.name: []any{}}
	}
	return map[string]any{form.name: form.typ.tree(v.Payload)}
}
