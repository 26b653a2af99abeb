package check

import "github.com/zmylab/zmy/gen/ir"

// derivation numbers the fields of a struct that has no struct tags: those that
// are recorded keep their numbers, others follow in the order of declaration.
type derivation struct {
	recorded []ir.ZMYRecord
	next     int
	used     map[int]bool
}

func (c *zmyCheck) derivation(t *ir.Type) *derivation {
	d := &derivation{used: map[int]bool{}}
	if c.opt.Recorded != nil {
		d.recorded = c.opt.Recorded(t)
	}
	for _, r := range d.recorded {
		d.next = max(d.next, r.Number+1)
	}
	return d
}

// number is that of the field of this name.
func (d *derivation) number(name string) int {
	for _, r := range d.recorded {
		if r.Name == name && !d.used[r.Number] {
			d.used[r.Number] = true
			return r.Number
		}
	}
	d.next++
	return d.next - 1
}

// gone are the recorded fields that were not asked for: their numbers stay reserved.
func (d *derivation) gone() (fields []*ir.ZMYField) {
	for _, r := range d.recorded {
		if d.used[r.Number] {
			continue
		}
		t := reservedTail(r.Words)
		if r.Size > 0 {
			t.Shape, t.Size = ir.ZMYFixed, r.Size
		}
		fields = append(fields, &ir.ZMYField{Number: r.Number, Type: t})
	}
	return fields
}
