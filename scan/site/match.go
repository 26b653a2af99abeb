package site

import (
	"go/types"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// spec is one function of a row.
type spec struct {
	row       *row
	direction Direction
	value     int
	result    bool
	typeArg   bool
	stream    bool
}

func (s *spec) kind(name string) *Kind {
	return &Kind{Codec: s.row.codec, Func: name, Direction: s.direction, Value: s.value, Result: s.result, TypeArg: s.typeArg,
		Format: s.row.format, Stream: s.stream}
}

// matcher finds the kinds of a function.
type matcher struct {
	specs map[string][]spec       // by import path, receiver's type name if any, and function name
	names map[string][]*generated // by method name
	extra map[string][]*Kind      // kinds of the caller's, by full name
	kinds map[*types.Func][]*Kind // what was found before
}

func newMatcher(extra []Kind) *matcher {
	m := &matcher{specs: map[string][]spec{}, names: map[string][]*generated{}, extra: map[string][]*Kind{},
		kinds: map[*types.Func][]*Kind{}}
	for i := range rows {
		r := &rows[i]
		m.add(r, r.marshal, Marshal)
		m.add(r, r.unmarshal, Unmarshal)
	}
	for i := range generatedMethods {
		g := &generatedMethods[i]
		m.names[g.name] = append(m.names[g.name], g)
	}
	for i := range extra {
		m.extra[extra[i].Func] = append(m.extra[extra[i].Func], &extra[i])
	}
	return m
}

func (m *matcher) add(r *row, funcs string, d Direction) {
	for _, f := range strings.Fields(funcs) {
		i := strings.IndexAny(f, ":=~%")
		s := spec{row: r, direction: d, value: Receiver, result: f[i] == '=', typeArg: f[i] == '%', stream: f[i] == '~'}
		if f[i+1:] != "r" {
			s.value, _ = strconv.Atoi(f[i+1:]) // TestTable holds that it is a number
		}
		key := r.path + "." + f[:i]
		m.specs[key] = append(m.specs[key], s)
	}
}

// of returns the kinds of f, or nil if f marshals nothing.
func (m *matcher) of(f *types.Func) []*Kind {
	if f == nil {
		return nil
	}
	f = f.Origin()
	if kinds, ok := m.kinds[f]; ok {
		return kinds
	}
	kinds := m.find(f)
	m.kinds[f] = kinds
	return kinds
}

func (m *matcher) find(f *types.Func) []*Kind {
	var kinds []*Kind
	kinds = append(kinds, m.extra[f.FullName()]...)
	if f.Pkg() == nil || kinds != nil {
		return kinds
	}
	recv := f.Signature().Recv()
	key := f.Pkg().Path() + "."
	var named *types.Named
	if recv != nil {
		if named = namedOf(recv.Type()); named == nil {
			return nil
		}
		key += named.Obj().Name() + "."
	}
	for _, s := range m.specs[key+f.Name()] {
		kinds = append(kinds, s.kind(f.FullName()))
	}
	if kinds != nil || named == nil || types.IsInterface(named) {
		return kinds
	}
	for _, g := range m.names[f.Name()] {
		if paramsOf(f) == g.params && (g.also == "" || hasMethod(named, g.also)) {
			return []*Kind{{Codec: g.codec, Func: f.FullName(), Direction: g.direction, Value: Receiver, Format: g.format}}
		}
	}
	return nil
}

// ofVariable returns the kinds of a function that a package of a codec has as a variable.
func (m *matcher) ofVariable(v *types.Var) (kinds []*Kind) {
	if v == nil || v.Pkg() == nil {
		return nil
	}
	name := v.Pkg().Path() + "." + v.Name()
	for _, s := range m.specs[name] {
		kinds = append(kinds, s.kind(name))
	}
	return kinds
}

// generatedMethod reports whether f is a method that a generator writes to marshal its receiver.
func (m *matcher) generatedMethod(f *types.Func) bool {
	if f == nil || f.Signature().Recv() == nil || len(m.names[f.Name()]) == 0 {
		return false
	}
	kinds := m.of(f)
	return len(kinds) > 0 && kinds[0].Value == Receiver
}

// namedOf returns the named type of a receiver, without its pointer.
func namedOf(t types.Type) *types.Named {
	t = types.Unalias(t)
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	n, _ := t.(*types.Named)
	return n
}

func paramsOf(f *types.Func) string {
	var b strings.Builder
	params := f.Signature().Params()
	for i := range params.Len() {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(types.TypeString(params.At(i).Type(), nil))
	}
	return strings.ReplaceAll(b.String(), "[]uint8", "[]byte")
}

func hasMethod(n *types.Named, name string) bool {
	obj, _, _ := types.LookupFieldOrMethod(types.NewPointer(n), true, n.Obj().Pkg(), name)
	_, ok := obj.(*types.Func)
	return ok
}

// argument returns the value of call that k names, if fn is what the call calls. The first result is
// the value itself if it is a result; nil if the call has no such value.
func (k *Kind) argument(call ssa.CallInstruction, fn *ssa.Function) ssa.Value {
	c := call.Common()
	if k.Result {
		return nil
	}
	if c.IsInvoke() {
		if k.Value == Receiver {
			return c.Value
		}
		return at(c.Args, k.Value)
	}
	skip := 0
	if fn != nil && fn.Signature.Recv() != nil {
		skip = 1
	} else if f := objectOf(fn); f != nil && f.Signature().Recv() != nil {
		// A thunk takes the receiver as its first argument, a bound method has it among its free variables.
		switch {
		case len(c.Args) > f.Signature().Params().Len():
			skip = 1
		case k.Value == Receiver:
			if m, ok := c.Value.(*ssa.MakeClosure); ok {
				return at(m.Bindings, 0)
			}
			return nil
		}
	}
	if k.Value == Receiver {
		if skip == 0 {
			return nil
		}
		return at(c.Args, 0)
	}
	return at(c.Args, skip+k.Value)
}

func at(args []ssa.Value, i int) ssa.Value {
	if i >= len(args) {
		return nil
	}
	return args[i]
}

// objectOf returns the declared function behind fn: of its origin if it is an instance, of the method
// if it is a wrapper.
func objectOf(fn *ssa.Function) *types.Func {
	if fn == nil {
		return nil
	}
	if o := fn.Origin(); o != nil {
		fn = o
	}
	f, _ := fn.Object().(*types.Func)
	return f
}
