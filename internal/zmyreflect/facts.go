package zmyreflect

import (
	"bytes"
	"math"
	"reflect"

	"github.com/zmylab/zmy/wire"
)

// facts settles what can be said of a type only once all types are known.
func (c *compiler) facts(root *typ) *TypeError {
	for _, t := range c.order {
		if bottomless(t) {
			return fail("", "put a struct between", "%v contains itself without a struct between: its depth has no limit", t.rt)
		}
	}
	for _, t := range c.order {
		if t.rt == nil {
			continue
		}
		if t.cost = cost(t); t.cost > math.MaxInt32 {
			return fail("", "use slices", "%v takes more than 2 GiB", t.rt)
		}
		t.mem = int(t.rt.Size()) + zones(t)*wire.ZoneMemory
		t.skips = skipsInside(t)
		t.none = t.shape == shapeMap && t.elem.shape == shapeStruct && len(t.elem.fields) == 0
	}
	for _, t := range c.order {
		if t.isStruct() && c.generated(t.rt) && !c.stale(t.rt) && !t.agrees() {
			err := fail("", "write it as the struct tag of a blank field, or generate code for the type around it",
				"generated code of %v has another form than reflection sees, by a directive //zmy:sparse or //zmy:reserved in a comment", t.rt)
			err.Generator = true
			return err
		}
	}
	return nil
}

// agrees reports whether generated code writes the zero value as t does: its
// header tells which fields there are, those reserved in comments included.
func (t *typ) agrees() bool {
	want, err := reflect.New(t.rt).Interface().(zmyAppender).AppendZMY(nil)
	if err != nil {
		return true // there is nothing to compare
	}
	e := wire.NewEncoder(0, math.MaxInt32)
	got, failed := t.appendStruct(&e, nil, newOf(t), t.head, 4, 1<<10)
	return failed == nil && bytes.Equal(got, want)
}

// bottomless reports a type that contains itself with no struct on the way.
func bottomless(t *typ) bool {
	seen := map[*typ]bool{}
	for e := t.elem; e != nil && !e.isStruct() && !seen[e]; e = e.elem {
		if e == t {
			return true
		}
		seen[e] = true
	}
	return false
}

// cost is what one value takes of the budget, wherever it stands.
func cost(t *typ) int {
	switch t.shape {
	case shapeFixed, shapeFixedTail:
		return t.size
	case shapeArray:
		return t.size * cost(t.elem)
	case shapeStruct, shapeSparse:
		sum := 0
		for i := range t.fields {
			if !t.fields[i].reserved {
				sum += cost(t.fields[i].typ)
			}
		}
		if t.unknown != nil {
			sum += wire.SlotCost
		}
		return sum
	case shapeAny:
		return wire.AnyCost
	}
	return wire.SlotCost
}

// zones is how many times with a zone a value holds where it stands.
func zones(t *typ) (n int) {
	switch t.shape {
	case shapeArray:
		return t.size * zones(t.elem)
	case shapeFixed, shapeFixedTail, shapeStruct, shapeSparse:
		if t.rt.Kind() == reflect.Array {
			return t.rt.Len() * zones(t.elem)
		}
		for i := range t.fields {
			if !t.fields[i].reserved {
				n += zones(t.fields[i].typ)
			}
		}
		if t.form == formZone {
			n++
		}
	}
	return n
}

// pointers are the bytes of a pointer for each element of a list that has them.
func (t *typ) pointers() int {
	if t.ptrs {
		return int(t.rt.Elem().Size())
	}
	return 0
}

// chargeMap takes n pairs from the budget.
func (t *typ) chargeMap(d *wire.Decoder, n int) *wire.Error {
	key, val := int(t.rt.Key().Size()), int(t.rt.Elem().Size())
	apart := t.key.mem + t.elem.mem - key - val // of zones
	if t.ptrs {
		apart = t.elem.mem
	}
	return d.ChargeMap(n, wire.PairCost+t.key.cost+t.elem.cost, key, val, apart)
}

func skipsInside(t *typ) bool {
	if t.skips {
		return true
	}
	switch t.shape {
	case shapeArray:
		return skipsInside(t.elem)
	case shapeStruct, shapeSparse:
		for i := range t.fields {
			if skipsInside(t.fields[i].typ) {
				return true
			}
		}
	}
	return false
}

// aliases reports that values may hold strings or bytes, which can share memory
// with the message. All types reached are put into seen.
func aliases(t *typ, seen map[*typ]bool) bool {
	if t == nil || seen[t] {
		return false
	}
	seen[t] = true
	found := t.shape == shapeString || t.shape == shapeBytes && t.rt != nil || t.shape == shapeAny
	for _, part := range []*typ{t.key, t.elem} {
		if aliases(part, seen) {
			found = true
		}
	}
	for i := range t.fields {
		if aliases(t.fields[i].typ, seen) {
			found = true
		}
	}
	return found
}

// methods reports a type with methods of its own among those given.
func methods(types map[*typ]bool) bool {
	for t := range types {
		if t.shape == shapeMethods {
			return true
		}
	}
	return false
}
