package jsonrt

import (
	"encoding/json"
	"math"
	"reflect"

	"github.com/zmylab/zmy/fxjson/internal/jsonwire"
)

// DecodeAny reads a value of any kind into *v: map[string]any, []any, string, float64, bool or nil.
// If *v holds a pointer, the value is decoded into what it points to.
func DecodeAny(d *Dec, i int, v *any) int {
	i = jsonwire.SkipSpace(d.doc, i)
	null := jsonwire.Load8(d.doc, i) == 'n'
	if *v != nil && reflect.TypeOf(*v).Kind() == reflect.Pointer {
		if e := reflect.ValueOf(*v); into(e, null) {
			return d.into(i, e)
		}
	}
	x, i := d.value(i)
	if !d.failed && (x != nil || null) { // for a number out of range, version 1 leaves *v unchanged
		*v = x
	}
	return i
}

// value reads the value at i. In merge mode a number out of range is recorded as an error, and
// outOfRange decides the value.
func (d *Dec) value(i int) (any, int) {
	i = jsonwire.SkipSpace(d.doc, i)
	switch jsonwire.Load8(d.doc, i) {
	case '"':
		return d.textValue(i)
	case '{':
		var m map[string]any
		i = DecodeAnyMap(d, i, &m)
		return m, i
	case '[':
		return d.array(i)
	case 't', 'f':
		if x, e := jsonwire.ParseBool(d.doc, i); e > 0 {
			return x, e
		}
	case 'n':
		if jsonwire.IsNull(d.doc, i) {
			return nil, i + 4
		}
	default:
		if d.opt&(UseNumber|Integers) != 0 {
			if x, e := jsonwire.ParseInt(d.doc, i); e > 0 && d.opt&Integers != 0 && !d.negativeZero(i, x) {
				return x, e
			}
			if e := jsonwire.SkipNumber(d.doc, i); e > 0 && d.opt&UseNumber != 0 {
				return json.Number(d.str(i, e)), e
			}
			if d.opt&UseNumber != 0 {
				break
			}
		}
		if x, e := jsonwire.ParseUint(d.doc, i); e > 0 { // most numbers are whole
			return d.boxFloat(float64(x)), e
		}
		if x, e := jsonwire.ParseFloat64(d.doc, i); e > 0 {
			return d.boxFloat(x), e
		}
		if d.merge && !d.failed {
			return d.outOfRange(i)
		}
	}
	return nil, d.fail()
}

// negativeZero reports whether the integer x at i is written -0, which only a float64 can hold.
func (d *Dec) negativeZero(i int, x int64) bool { return x == 0 && d.doc[i] == '-' }

// outOfRange skips the number at i, which no float64 can hold, and records the error. The value is
// nil, or for version 2 of encoding/json what largest returns.
func (d *Dec) outOfRange(i int) (any, int) {
	before := d.err
	end := mismatch[float64](d, i)
	if jsonwire.StdV2 {
		return largest(d, i), end
	}
	if e, ok := d.err.(*json.UnmarshalTypeError); ok && before == nil {
		e.Offset++ // version 1 counts the byte after a number here
	}
	return nil, end
}

// largest returns what version 2 of encoding/json stores for the number at i, which is out of
// range, in addition to its error.
func largest(d *Dec, i int) float64 {
	x := math.Inf(1)
	if jsonwire.StdV2Early {
		x = math.MaxFloat64
	}
	if d.doc[i] == '-' {
		return -x
	}
	return x
}

func (d *Dec) textValue(i int) (any, int) {
	s, i := d.text(i)
	return d.boxString(s), i
}

func (d *Dec) array(i int) (any, int) {
	i, what := d.open(i, reflect.TypeFor[[]any]())
	switch what {
	case isEmpty:
		return []any{}, i
	case isNull, isOther:
		return nil, i
	}
	// The number of elements is not known in advance. So elements are collected on a stack, which
	// nested arrays share, and then copied to a slice of the exact size.
	base := len(d.anys)
	for more := true; more; {
		var x any
		x, i = d.value(i)
		d.anys = append(d.anys, x)
		i, more = d.next(i, ']')
	}
	a := make([]any, len(d.anys)-base)
	copy(a, d.anys[base:])
	clear(d.anys[base:])
	d.anys = d.anys[:base]
	return a, i
}

// DecodeAnyMap is [DecodeMap] for elements of type any. If the last map at this depth was large, the
// members of a new map are collected on a stack, which maps inside share, and the map is then made
// for their number: one that grows hashes its keys again and again.
func DecodeAnyMap[M ~map[K]any, K ~string](d *Dec, i int, v *M) int {
	i, more := openMembersAt(d, i, v)
	if !more {
		return i
	}
	large := &d.large[d.depth%shapes]
	base, m := len(d.members), *v
	collect := m == nil && *large
	if m == nil && !collect {
		m = make(M)
		*v = m
	}
	for more {
		var k string
		var x any
		k, i = d.key(i)
		x, i = d.value(i)
		if d.failed {
			return d.n
		}
		if collect {
			d.members = append(d.members, member{k, x})
		} else {
			m[K(k)] = x
		}
		i, more = d.next(i, '}')
	}
	if collect {
		m = make(M, len(d.members)-base)
		for _, x := range d.members[base:] {
			m[K(x.k)] = x.v
		}
		clear(d.members[base:])
		d.members = d.members[:base]
		*v = m
	}
	*large = len(m) > fewKeys
	return i
}
