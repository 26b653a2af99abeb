package protojson

import (
	"bytes"
	"fmt"
	"reflect"
	"strconv"

	"github.com/zmylab/zmy/fxjson/internal/jsonwire"
	"github.com/zmylab/zmy/internal/pbtype"
)

// decoder reads one document. Its methods take the index of a value and return the index after it.
type decoder struct {
	b    []byte // padded, valid UTF-8
	opt  UnmarshalOptions
	text []byte // of the last string that had escapes

	memory int64 // bytes that may still be charged
}

// charge takes n bytes from the budget, at a value that starts at i.
func (d *decoder) charge(n int64, i int) *failure {
	if d.memory -= n; d.memory >= 0 {
		return nil
	}
	return fail(ErrMemory, i, fmt.Sprintf("of %d bytes", d.opt.MaxMemory))
}

// mapSize is what a map takes, in bytes, without its entries.
const mapSize = 64

// syntax is the error that something else is at i.
func (d *decoder) syntax(i int, want string) *failure {
	if i >= len(d.b)-jsonwire.Pad {
		return fail(ErrSyntax, i, "want "+want+", the document ends")
	}
	return fail(ErrSyntax, i, fmt.Sprintf("want %s, have %q", want, d.b[i]))
}

// set is a set of small numbers.
type set struct {
	low  uint64
	more []uint64
}

// add adds n, and reports whether it was in the set.
func (s *set) add(n int) (was bool) {
	word := &s.low
	if n >= 64 {
		for len(s.more) < n/64 {
			s.more = append(s.more, 0)
		}
		word = &s.more[n/64-1]
	}
	bit := uint64(1) << (n & 63)
	was = *word&bit != 0
	*word |= bit
	return was
}

// message reads the object at i into v, whose fields are zero. left is how many levels of messages are
// allowed.
func (d *decoder) message(m *message, v reflect.Value, i, left int) (int, *failure) {
	if m.isAny {
		return d.any(v, i, left)
	}
	return d.members(m, v, i, left, false)
}

// deep is the error that messages are nested too deeply at i.
func (d *decoder) deep(i int) *failure {
	return fail(ErrDepth, i, fmt.Sprintf("messages may have %d levels", d.opt.MaxDepth))
}

// members reads the object at i into v. typed says that it is the content of a google.protobuf.Any, with
// the member @type.
func (d *decoder) members(m *message, v reflect.Value, i, left int, typed bool) (int, *failure) {
	if left--; left < 0 {
		return 0, d.deep(i)
	}
	if d.b[i] != '{' {
		return 0, d.syntax(i, "an object")
	}
	if i = jsonwire.SkipSpace(d.b, i+1); d.b[i] == '}' {
		return i + 1, nil
	}
	var seen, oneofs set
	for next := 0; ; {
		at := i
		name, end, bad := d.name(i)
		if bad != nil {
			return 0, bad
		}
		if typed && string(name) == typeMember {
			if oneofs.add(m.oneofs) {
				return 0, fail(ErrDuplicate, at, "")
			}
			if i = jsonwire.SkipSpace(d.b, jsonwire.Skip(d.b, end, 0)); d.b[i] == '}' {
				return i + 1, m.missing(&seen, i)
			}
			if d.b[i] != ',' {
				return 0, d.syntax(i, "a comma or the end of the object")
			}
			i = jsonwire.SkipSpace(d.b, i+1)
			continue
		}
		k := next // members often have the order of the fields
		if k >= len(m.fields) || m.fields[k].json != string(name) {
			var known bool
			if k, known = m.names[string(name)]; !known {
				if i, bad = d.unknown(name, at, end); bad != nil {
					return 0, bad
				}
				k = -1
			}
		}
		if k >= 0 {
			f := &m.fields[k]
			next = k + 1
			if i, bad = d.member(f, v, at, end, left, seen.add(k), &oneofs); bad != nil {
				return 0, bad.in(f.name)
			}
		}
		if i = jsonwire.SkipSpace(d.b, i); d.b[i] == '}' {
			return i + 1, m.missing(&seen, i)
		}
		if d.b[i] != ',' {
			return 0, d.syntax(i, "a comma or the end of the object")
		}
		i = jsonwire.SkipSpace(d.b, i+1)
	}
}

// name reads the name of a member at i and its colon. It returns the index of the member's value.
func (d *decoder) name(i int) (name []byte, next int, bad *failure) {
	if d.b[i] != '"' {
		return nil, 0, d.syntax(i, "a name")
	}
	if name, i, bad = d.string(i); bad != nil {
		return nil, 0, bad
	}
	if i = jsonwire.SkipSpace(d.b, i); d.b[i] != ':' {
		return nil, 0, d.syntax(i, "a colon")
	}
	return name, jsonwire.SkipSpace(d.b, i+1), nil
}

// unknown passes over the value at i of a member without a field, whose name is at the index at.
func (d *decoder) unknown(name []byte, at, i int) (int, *failure) {
	if !d.opt.DiscardUnknown {
		return 0, fail(ErrUnknownField, at, fmt.Sprintf("%.100q; option DiscardUnknown passes over it", name))
	}
	end := jsonwire.Skip(d.b, i, 0)
	if end < 0 {
		return 0, fail(ErrSyntax, i, fmt.Sprintf("in the value of %.100q", name))
	}
	if k := loneSurrogate(d.b[i:end]); k >= 0 {
		return 0, fail(ErrSyntax, i+k, "half of a surrogate pair")
	}
	return end, nil
}

// member reads the value at i of the field f. Its name is at the index at.
func (d *decoder) member(f *field, v reflect.Value, at, i, left int, again bool, oneofs *set) (int, *failure) {
	if again {
		return 0, fail(ErrDuplicate, at, "")
	}
	if d.b[i] == 'n' && !f.takesNull && jsonwire.IsNull(d.b, i) {
		return i + 4, nil
	}
	x := v.Field(f.index)
	switch f.shape {
	case pbtype.List:
		return d.list(f, x, i, left)
	case pbtype.Map:
		return d.mapping(f, x, i, left)
	}
	if f.oneof >= 0 && oneofs.add(f.oneof) {
		return 0, fail(ErrOneof, at, "")
	}
	if f.arm != nil {
		return d.arm(f, x, i, left)
	}
	i, set, bad := d.value(&f.value, x, i, left)
	if bad == nil && set && f.value.kind == pbtype.Bytes && f.presence == pbtype.Nilable && !f.value.pointer && x.IsNil() {
		x.SetBytes([]byte{}) // present and empty
	}
	return i, bad
}

func (d *decoder) list(f *field, v reflect.Value, i, left int) (int, *failure) {
	if d.b[i] != '[' {
		return 0, d.syntax(i, "an array")
	}
	if i = jsonwire.SkipSpace(d.b, i+1); d.b[i] == ']' {
		return i + 1, nil
	}
	size := 2 * int64(v.Type().Elem().Size())
	for n := 0; ; {
		if bad := d.charge(size, i); bad != nil {
			return 0, bad.at(n)
		}
		if n == v.Cap() {
			v.Grow(max(1, 4-n))
		}
		v.SetLen(n + 1)
		x := v.Index(n)
		end, set, bad := d.value(&f.value, x, i, left)
		switch {
		case bad != nil:
			return 0, bad.at(n)
		case set:
			n++
		default:
			v.SetLen(n)
		}
		if i = jsonwire.SkipSpace(d.b, end); d.b[i] == ']' {
			return i + 1, nil
		}
		if d.b[i] != ',' {
			return 0, d.syntax(i, "a comma or the end of the array")
		}
		i = jsonwire.SkipSpace(d.b, i+1)
	}
}

func (d *decoder) mapping(f *field, v reflect.Value, i, left int) (int, *failure) {
	if d.b[i] != '{' {
		return 0, d.syntax(i, "an object")
	}
	if i = jsonwire.SkipSpace(d.b, i+1); d.b[i] == '}' {
		return i + 1, nil
	}
	elem := v.Type().Elem()
	size := 2 * (f.key.size + int64(elem.Size()))
	if bad := d.charge(mapSize, i); bad != nil {
		return 0, bad
	}
	v.Set(reflect.MakeMap(v.Type()))
	if m, ok := v.Interface().(map[string]string); ok {
		return d.texts(&f.value, m, i, size)
	}
	key, x := reflect.New(v.Type().Key()).Elem(), reflect.New(elem).Elem()
	for {
		at := i
		name, end, bad := d.name(i)
		if bad != nil {
			return 0, bad
		}
		if !setKey(&f.key, key, name) {
			return 0, fail(ErrValue, at, fmt.Sprintf("%.100q is no key of type %s", name, f.key.kind))
		}
		if v.MapIndex(key).IsValid() {
			return 0, fail(ErrDuplicate, at, fmt.Sprintf("key %.100q", name))
		}
		if bad := d.charge(size, at); bad != nil {
			return 0, bad
		}
		x.SetZero()
		end, set, bad := d.value(&f.value, x, end, left)
		if bad != nil {
			return 0, bad.in(fmt.Sprintf("[%v]", key))
		}
		if set {
			v.SetMapIndex(key, x)
		}
		if i = jsonwire.SkipSpace(d.b, end); d.b[i] == '}' {
			return i + 1, nil
		}
		if d.b[i] != ',' {
			return 0, d.syntax(i, "a comma or the end of the object")
		}
		i = jsonwire.SkipSpace(d.b, i+1)
	}
}

// texts reads the rest of an object from its first name on. It is mapping for a common type without
// reflection (BenchmarkJSON/Event). An entry is charged by size.
func (d *decoder) texts(p *value, m map[string]string, i int, size int64) (int, *failure) {
	for {
		at := i
		name, end, bad := d.name(i)
		if bad != nil {
			return 0, bad
		}
		key := string(name)
		if _, again := m[key]; again {
			return 0, fail(ErrDuplicate, at, fmt.Sprintf("key %.100q", key))
		}
		if bad := d.charge(size, at); bad != nil {
			return 0, bad
		}
		if d.b[end] != '"' {
			return 0, d.wrong(p, end).in(fmt.Sprintf("[%v]", key))
		}
		text, end, bad := d.string(end)
		if bad != nil {
			return 0, bad.in(fmt.Sprintf("[%v]", key))
		}
		m[key] = string(text)
		if i = jsonwire.SkipSpace(d.b, end); d.b[i] == '}' {
			return i + 1, nil
		}
		if d.b[i] != ',' {
			return 0, d.syntax(i, "a comma or the end of the object")
		}
		i = jsonwire.SkipSpace(d.b, i+1)
	}
}

// setKey sets the key of a map to a name, and reports whether the name is one of its type.
func setKey(p *value, key reflect.Value, name []byte) bool {
	bits := 32
	switch p.kind {
	case pbtype.String:
		key.SetString(string(name))
		return true
	case pbtype.Bool:
		key.SetBool(string(name) == "true")
		return key.Bool() || string(name) == "false"
	case pbtype.Int64, pbtype.Sint64, pbtype.Sfixed64, pbtype.Uint64, pbtype.Fixed64:
		bits = 64
	}
	if p.narrow {
		bits = key.Type().Bits()
	}
	if key.CanInt() {
		n, err := strconv.ParseInt(string(name), 10, bits)
		key.SetInt(n)
		return err == nil
	}
	n, err := strconv.ParseUint(string(name), 10, bits)
	key.SetUint(n)
	return err == nil
}

// string reads the string at i. The text is valid until the next call.
func (d *decoder) string(i int) (text []byte, next int, bad *failure) {
	end, _ := jsonwire.ScanString(d.b, i+1)
	if d.b[end] == '"' {
		return d.b[i+1 : end], end + 1, nil
	}
	if d.text, next = jsonwire.AppendUnescaped(d.text[:0], d.b, i); next < 0 {
		return nil, 0, fail(ErrSyntax, i, "the string has a bad escape, a control character or no end")
	}
	if k := loneSurrogate(d.b[i:next]); k >= 0 {
		return nil, 0, fail(ErrSyntax, i+k, "half of a surrogate pair")
	}
	return d.text, next, nil
}

// loneSurrogate returns the index of an escape in valid JSON that is half of a surrogate pair, or a
// negative number.
func loneSurrogate(b []byte) int {
	for i := 0; ; {
		k := bytes.IndexByte(b[i:], '\\')
		if k < 0 {
			return -1
		}
		if i += k; b[i+1] != 'u' {
			i += 2
			continue
		}
		switch half(b[i:]) {
		case high:
			if half(b[i+6:]) != low {
				return i
			}
			i += 12
		case low:
			return i
		default:
			i += 6
		}
	}
}

// The halves of a surrogate pair.
const (
	none = iota
	high
	low
)

// half says which half of a pair the escape at the start of b is, if there is one.
func half(b []byte) int {
	if len(b) < 6 || b[0] != '\\' || b[1] != 'u' || b[2]|0x20 != 'd' {
		return none
	}
	switch c := b[3] | 0x20; {
	case b[3] == '8', b[3] == '9', c == 'a', c == 'b':
		return high
	case 'c' <= c && c <= 'f':
		return low
	}
	return none
}
