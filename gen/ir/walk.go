package ir

import "iter"

// Walk calls visit for t and every type reached from it, each once, parents
// first, children in the order of declaration. Where visit returns false the
// children are not followed from there.
func Walk(t *Type, visit func(*Type) bool) {
	seen := map[*Type]bool{}
	var walk func(*Type)
	walk = func(t *Type) {
		if seen[t] {
			return
		}
		seen[t] = true
		if !visit(t) {
			return
		}
		for child := range t.Children() {
			walk(child)
		}
	}
	walk(t)
}

// Children yields the types that t is made of: type arguments, key, element,
// fields.
func (t *Type) Children() iter.Seq[*Type] {
	return func(yield func(*Type) bool) {
		if t.Name != nil {
			for _, arg := range t.Name.Args {
				if !yield(arg) {
					return
				}
			}
		}
		if t.Key != nil && !yield(t.Key) || t.Elem != nil && !yield(t.Elem) {
			return
		}
		for _, f := range t.Fields {
			if !yield(f.Type) {
				return
			}
		}
	}
}
