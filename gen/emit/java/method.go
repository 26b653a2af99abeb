package java

import (
	"fmt"

	"github.com/zmylab/zmy/gen/ir"
)

// HotSpot compiles no method of more than 8,000 bytes, and interprets it for ever. A field
// takes up to 60 of them where all are handled by one method.
const (
	manyFields = 100 // from here on there are several methods
	partFields = 50  // that each of them handles
)

// step is what a method does for one field.
type step struct {
	lines []string
	field int  // its index in FIELDS; -1 for a reserved one
	fails bool // it may throw
}

// method prints what reads or writes the fields of a struct.
type method struct {
	f         *source
	what      string // its name, and the start of the names of its parts
	fields    []field
	exception string
	many      bool
	reserved  bool           // some fields are
	index     map[int]int    // of a field in FIELDS, by its index in the type
	name      map[int]string // its component
	bodies    []func()       // of the parts
}

func (g *gen) method(f *source, t *ir.ZMYType, fields []field, what string) *method {
	m := &method{
		f: f, what: what, fields: fields, exception: f.zmy("ZmyException"),
		many: len(t.Fields) > manyFields, reserved: len(fields) < len(t.Fields),
		index: map[int]int{}, name: map[int]string{},
	}
	for i, x := range fields {
		m.index[x.at], m.name[x.at] = i, x.name
	}
	return m
}

// print prints steps and what follows them. An exception gets the name of the field: f is
// the one that a step is about which may throw.
func (m *method) print(steps []step, last string) {
	f, may := m.f, false
	for _, s := range steps {
		may = may || s.fails
	}
	at, reserved := 0, false
	if may {
		f.p("int f = 0;\ntry {")
	}
	for _, s := range steps {
		if s.fails && s.field != at {
			f.p("f = %d;", s.field)
			at = s.field
		}
		reserved = reserved || s.fails && s.field < 0
		for _, line := range s.lines {
			f.p("%s", line)
		}
	}
	if last != "" {
		f.p("%s", last)
	}
	if !may {
		return
	}
	f.line("} catch (" + m.exception + " failed) {")
	if reserved {
		f.p("throw f < 0 ? failed : failed.in(FIELDS[f]);\n}")
	} else {
		f.p("throw failed.in(FIELDS[f]);\n}")
	}
}

// parts prints the calls of methods for some steps each, which [method.printParts] prints.
func (m *method) parts(steps []step, result, params, assign, args, last string) {
	for len(steps) > 0 {
		some := steps[:min(partFields, len(steps))]
		steps = steps[len(some):]
		name := fmt.Sprintf("%s%d", m.what, len(m.bodies)+1)
		m.f.p("%s%s(%s);", assign, name, args)
		m.bodies = append(m.bodies, func() {
			m.f.p("private static %s %s(%s) throws %s {", result, name, params, m.exception)
			m.print(some, last)
			m.f.p("}\n")
		})
	}
}

// printParts prints the methods that were called.
func (m *method) printParts() {
	for _, body := range m.bodies {
		body()
	}
}
