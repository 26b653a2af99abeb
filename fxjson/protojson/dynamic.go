package protojson

import (
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"

	"github.com/zmylab/zmy/fxjson/internal/jsonwire"
	"github.com/zmylab/zmy/internal/pbtype"
	"github.com/zmylab/zmy/internal/pbvalue"
)

// dynamic appends the value of a google.protobuf.Value, Struct or ListValue. left is how many levels of
// them are allowed.
func (e *encoder) dynamic(x any, left int) *failure {
	if left--; left < 0 {
		return fail(ErrDepth, 0, "does the value contain itself?")
	}
	switch x := x.(type) {
	case nil:
		e.b = append(e.b, "null"...)
	case bool:
		e.b = append(e.b, [...]string{"false", "true"}[bit(x)]...)
	case string:
		return e.text(x)
	case map[string]any:
		return e.object(x, left)
	case []any:
		e.b = append(e.b, '[')
		for i, elem := range x {
			if i > 0 {
				e.b = append(e.b, ',')
			}
			if bad := e.dynamic(elem, left); bad != nil {
				return bad.at(i)
			}
		}
		e.b = append(e.b, ']')
	default:
		f, ok := pbvalue.Number(x)
		switch {
		case !ok:
			return fail(ErrValue, 0, fmt.Sprintf("%T; use nil, a bool, a number, a string, map[string]any or []any", x))
		case math.IsNaN(f) || math.IsInf(f, 0):
			return fail(ErrValue, 0, fmt.Sprintf("JSON has no number %v", f))
		}
		e.b = jsonwire.AppendFloat64(e.b, f)
	}
	return nil
}

func bit(x bool) int {
	if x {
		return 1
	}
	return 0
}

// object appends a google.protobuf.Struct in the order of its keys.
func (e *encoder) object(m map[string]any, left int) *failure {
	e.b = append(e.b, '{')
	for i, k := range slices.Sorted(maps.Keys(m)) {
		if i > 0 {
			e.b = append(e.b, ',')
		}
		if bad := e.text(k); bad != nil {
			return bad.in("key")
		}
		e.b = append(e.b, ':')
		if bad := e.dynamic(m[k], left); bad != nil {
			return bad.in(fmt.Sprintf("[%v]", k))
		}
	}
	e.b = append(e.b, '}')
	return nil
}

// The memory in bytes of the parts of dynamic values, for the budget.
const (
	boxSize   = 16      // a number, a string or half a list in an any
	slotSize  = 16      // an any in a list
	entrySize = 16 + 16 // a key and an any
)

// dynamic reads the value at i of kind k into v.
func (d *decoder) dynamic(k pbtype.Kind, v reflect.Value, i, left int) (next int, bad *failure) {
	var out any
	switch {
	case k == pbtype.DynamicStruct && d.b[i] != '{':
		return 0, d.syntax(i, "an object")
	case k == pbtype.DynamicList && d.b[i] != '[':
		return 0, d.syntax(i, "an array")
	}
	if out, next, bad = d.plain(i, left); bad != nil || out == nil {
		return next, bad
	}
	if k == pbtype.DynamicValue {
		v.Set(reflect.ValueOf(out))
	} else {
		v.Set(reflect.ValueOf(out).Convert(v.Type()))
	}
	return next, nil
}

// plain reads any value at i.
func (d *decoder) plain(i, left int) (x any, next int, bad *failure) {
	if left--; left < 0 {
		return nil, 0, d.deep(i)
	}
	switch c := d.b[i]; {
	case c == '{':
		return d.object(i, left)
	case c == '[':
		return d.array(i, left)
	case c == 'n' && jsonwire.IsNull(d.b, i):
		return nil, i + 4, nil
	case c == 't' || c == 'f':
		if x, next := jsonwire.ParseBool(d.b, i); next >= 0 {
			return x, next, nil
		}
	}
	if bad := d.charge(boxSize, i); bad != nil {
		return nil, 0, bad
	}
	if d.b[i] == '"' {
		text, next, bad := d.string(i)
		return string(text), next, bad
	}
	f, next := jsonwire.ParseFloat64(d.b, i)
	if next < 0 {
		return nil, 0, d.wrong(&value{kind: pbtype.DynamicValue}, i)
	}
	return f, next, nil
}

func (d *decoder) array(i, left int) (any, int, *failure) {
	list := []any{}
	if bad := d.charge(2*boxSize, i); bad != nil {
		return nil, 0, bad
	}
	if i = jsonwire.SkipSpace(d.b, i+1); d.b[i] == ']' {
		return list, i + 1, nil
	}
	for {
		if bad := d.charge(2*slotSize, i); bad != nil {
			return nil, 0, bad.at(len(list))
		}
		x, end, bad := d.plain(i, left)
		if bad != nil {
			return nil, 0, bad.at(len(list))
		}
		list = append(slices.Grow(list, 1), x)
		if i = jsonwire.SkipSpace(d.b, end); d.b[i] == ']' {
			return list, i + 1, nil
		}
		if d.b[i] != ',' {
			return nil, 0, d.syntax(i, "a comma or the end of the array")
		}
		i = jsonwire.SkipSpace(d.b, i+1)
	}
}

func (d *decoder) object(i, left int) (any, int, *failure) {
	m := map[string]any{}
	if bad := d.charge(mapSize, i); bad != nil {
		return nil, 0, bad
	}
	if i = jsonwire.SkipSpace(d.b, i+1); d.b[i] == '}' {
		return m, i + 1, nil
	}
	for {
		at := i
		name, end, bad := d.name(i)
		if bad != nil {
			return nil, 0, bad
		}
		key := string(name)
		if _, again := m[key]; again {
			return nil, 0, fail(ErrDuplicate, at, fmt.Sprintf("key %.100q", key))
		}
		if bad := d.charge(pbvalue.EntryCost(entrySize, len(m) > 0), at); bad != nil {
			return nil, 0, bad
		}
		x, end, bad := d.plain(end, left)
		if bad != nil {
			return nil, 0, bad.in(fmt.Sprintf("[%v]", key))
		}
		m[key] = x
		if i = jsonwire.SkipSpace(d.b, end); d.b[i] == '}' {
			return m, i + 1, nil
		}
		if d.b[i] != ',' {
			return nil, 0, d.syntax(i, "a comma or the end of the object")
		}
		i = jsonwire.SkipSpace(d.b, i+1)
	}
}
