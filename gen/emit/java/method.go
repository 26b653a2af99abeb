package java

import (
	"fmt"

	"github.com/zmylab/zmy/gen/ir"
)

// HotSpot never compiles a method of more than 8,000 bytes of bytecode: it stays interpreted. If
// one method handles all fields, a field takes up to 60 bytes.
const (
	manyFields = 100 // structs with more fields have several methods
	partFields = 50  // fields for each of these methods
)

// step is the code of a method for one field.
type step struct {
	lines []string
	field int  // index in FIELDS; -1 for a reserved field
	fails bool // it may throw
}

// method prints a method that reads or writes the fields of a struct.
type method struct {
	f         *source
	what      string // name of the method, and start of the names of its parts
	fields    []field
	exception string
	many      bool
	reserved  bool           // the struct has reserved fields
	index     map[int]int    // index of a field in FIELDS, by its index in the type
	name      map[int]string // name of a field's component, by the same
	bodies    []func()       // prints the bodies of the parts
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

// print prints steps, then the line last. If a step may throw, the Java variable f has the index of
// its field, and an exception gets that field's name.
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

// parts prints calls of methods, each for some of the steps. [method.printParts] prints those
// methods.
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

// printParts prints the methods whose calls [method.parts] printed.
func (m *method) printParts() {
	for _, body := range m.bodies {
		body()
	}
}
