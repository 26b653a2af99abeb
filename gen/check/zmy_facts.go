package check

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math"
	"strings"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/gen/print"
	"github.com/zmylab/zmy/wire"
)

// Units of the decode budget: spec/FORMAT.md has the table.
const (
	zmySlotCost = 24
	zmyAnyCost  = 32
)

// facts settles what can be said of a type only once all types are known, and
// lists the types in depth-first order.
func (c *zmyCheck) facts() {
	listed := map[*ir.ZMYType]bool{}
	for _, r := range c.plan.Roots {
		c.list(r, listed)
	}
	for _, t := range c.plan.Types {
		if bottomless(t) {
			c.problem(t.Type.Pos, print.TypeExprIn(t.Type, c.pkg), "put a struct between", "type contains itself without a struct between: its depth has no limit")
		}
	}
	if len(c.problems) > 0 {
		return
	}
	for _, t := range c.plan.Types {
		t.Cost = zmyCost(t)
		if t.Cost > math.MaxInt32 {
			c.problem(t.Type.Pos, "", "use slices", "type takes more than 2 GiB")
		}
		t.Memory = int(t.Type.Size) + zones(t)*wire.ZoneMemory
		t.Skips = skipsInside(t)
		t.Aliases = aliases(t, map[*ir.ZMYType]bool{})
		if t.IsStruct() {
			t.Fingerprint = zmyFingerprint(t)
		}
	}
	for _, r := range c.plan.Roots {
		c.stale(r)
	}
}

// bottomless reports a type that contains itself with no struct on the way.
func bottomless(t *ir.ZMYType) bool {
	seen := map[*ir.ZMYType]bool{}
	for e := t.Elem; e != nil && !e.IsStruct() && !seen[e]; e = e.Elem {
		if e == t {
			return true
		}
		seen[e] = true
	}
	return false
}

func (c *zmyCheck) list(t *ir.ZMYType, listed map[*ir.ZMYType]bool) {
	if listed[t] {
		return
	}
	listed[t] = true
	t.ID = len(c.plan.Types)
	c.plan.Types = append(c.plan.Types, t)
	for _, part := range zmyParts(t) {
		c.list(part, listed)
	}
}

// zmyParts are the types that t is made of.
func zmyParts(t *ir.ZMYType) (parts []*ir.ZMYType) {
	if t.Key != nil {
		parts = append(parts, t.Key)
	}
	if t.Elem != nil {
		parts = append(parts, t.Elem)
	}
	for _, f := range t.Fields {
		parts = append(parts, f.Type)
	}
	for _, a := range t.Arms {
		parts = append(parts, a.Type)
	}
	return parts
}

// zmyCost is what one value takes of the budget, wherever it stands.
func zmyCost(t *ir.ZMYType) int {
	switch t.Shape {
	case ir.ZMYFixed, ir.ZMYFixedTail:
		return t.Size
	case ir.ZMYArray:
		return t.Size * zmyCost(t.Elem)
	case ir.ZMYStruct, ir.ZMYSparse:
		sum := 0
		for _, f := range t.Fields {
			if f.Field != nil {
				sum += zmyCost(f.Type)
			}
		}
		if t.Unknown != nil {
			sum += zmySlotCost
		}
		return sum
	case ir.ZMYAny:
		return zmyAnyCost
	}
	return zmySlotCost
}

// zones is how many times with a zone a value holds where it stands.
func zones(t *ir.ZMYType) (n int) {
	switch t.Shape {
	case ir.ZMYArray:
		return t.Size * zones(t.Elem)
	case ir.ZMYFixed, ir.ZMYFixedTail, ir.ZMYStruct, ir.ZMYSparse:
		if t.Type.Kind == ir.Array {
			return int(t.Type.Len) * zones(t.Elem)
		}
		for _, f := range t.Fields {
			if f.Field != nil {
				n += zones(f.Type)
			}
		}
		if t.Type.Kind == ir.Time && t.Time == ir.ZMYZone {
			n++
		}
	}
	return n
}

func skipsInside(t *ir.ZMYType) bool {
	if t.Skips {
		return true
	}
	switch t.Shape {
	case ir.ZMYArray:
		return skipsInside(t.Elem)
	case ir.ZMYStruct, ir.ZMYSparse:
		for _, f := range t.Fields {
			if skipsInside(f.Type) {
				return true
			}
		}
	}
	return false
}

func aliases(t *ir.ZMYType, seen map[*ir.ZMYType]bool) bool {
	if seen[t] {
		return false
	}
	seen[t] = true
	switch t.Shape {
	case ir.ZMYString, ir.ZMYBytes, ir.ZMYAny, ir.ZMYUnion:
		return true
	}
	for _, part := range zmyParts(t) {
		if aliases(part, seen) {
			return true
		}
	}
	return false
}

// zmyFingerprint hashes the canonical text of a type: its shapes depth first,
// structs numbered in the order of their first sight, no names.
func zmyFingerprint(t *ir.ZMYType) uint64 {
	var s strings.Builder
	canonical(&s, t, map[*ir.ZMYType]int{})
	sum := sha256.Sum256([]byte(s.String()))
	return binary.LittleEndian.Uint64(sum[:])
}

func canonical(s *strings.Builder, t *ir.ZMYType, seen map[*ir.ZMYType]int) {
	if t.Words != "" {
		s.WriteString(t.Words)
		return
	}
	switch t.Shape {
	case ir.ZMYFixed, ir.ZMYFixedTail, ir.ZMYArray:
		if t.Type.Kind == ir.Array {
			fmt.Fprintf(s, "[%d]", t.Type.Len)
			canonical(s, t.Elem, seen)
			return
		}
		switch {
		case t.Type.Kind == ir.Struct:
			s.WriteString("inline")
			canonicalFields(s, t, seen)
		case t.Time == ir.ZMYZone:
			s.WriteString("time:zone")
		case t.Time == ir.ZMYUnixNano:
			s.WriteString("time:unixnano")
		default:
			s.WriteString(scalarName(t.Type.Kind))
		}
	case ir.ZMYPacked, ir.ZMYList, ir.ZMYDense:
		s.WriteString("[]")
		canonical(s, t.Elem, seen)
	case ir.ZMYMap:
		s.WriteString("map[")
		canonical(s, t.Key, seen)
		s.WriteString("]")
		canonical(s, t.Elem, seen)
	case ir.ZMYPtrStruct, ir.ZMYPtrFixed, ir.ZMYOpt:
		s.WriteString("?")
		canonical(s, t.Elem, seen)
	case ir.ZMYStruct, ir.ZMYSparse, ir.ZMYUnion:
		if n, ok := seen[t]; ok {
			fmt.Fprintf(s, "#%d", n)
			return
		}
		seen[t] = len(seen)
		if t.Shape == ir.ZMYUnion {
			canonicalUnion(s, t, seen)
			return
		}
		if t.Shape == ir.ZMYSparse {
			s.WriteString("sparse")
		}
		canonicalFields(s, t, seen)
	case ir.ZMYMethods:
		s.WriteString([...]string{ir.ZMYViaZMY: "zmy", ir.ZMYViaBinary: "binary", ir.ZMYViaText: "text", ir.ZMYViaJSON: "bytes:json"}[t.Via])
	default:
		s.WriteString(shapeNames[t.Shape])
		if t.Type.Kind == ir.RawJSON {
			s.WriteString(":json")
		}
	}
}

func canonicalFields(s *strings.Builder, t *ir.ZMYType, seen map[*ir.ZMYType]int) {
	s.WriteString("{")
	for i, f := range t.Fields {
		if i > 0 {
			s.WriteString(",")
		}
		canonical(s, f.Type, seen)
	}
	s.WriteString("}")
}

var shapeNames = map[ir.ZMYShape]string{
	ir.ZMYString: "string", ir.ZMYBytes: "bytes", ir.ZMYAny: "any",
	ir.ZMYBigInt: "bigint", ir.ZMYBigFloat: "bigfloat", ir.ZMYPtrBigInt: "?bigint", ir.ZMYPtrBigFloat: "?bigfloat",
}

// scalarName is the same for Go types with the same values on every machine.
func scalarName(k ir.Kind) string {
	switch k {
	case ir.Int:
		k = ir.Int64
	case ir.Uint, ir.Uintptr:
		k = ir.Uint64
	case ir.Time:
		return "time"
	case ir.Duration:
		return "duration"
	}
	return k.String()
}
