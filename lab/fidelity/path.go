package fidelity

import (
	"reflect"
	"strconv"
	"strings"
)

// A path is a list of steps. It is spelled only if a difference is found, so that equal values do
// not pay for it.
type path []step

type step struct {
	kind  stepKind
	name  string        // of a field; or a key, already spelled
	key   reflect.Value // key of a map, if name is empty; spelled only on demand
	index int
	dyn   bool // inside an interface
}

type stepKind uint8

const (
	stepField stepKind = iota
	stepIndex
	stepKey
)

// String returns the path: Items[3].Attrs["k"].
func (p path) String() string { return p.spell(false) }

// Pattern returns the path without indices and keys: Items[].Attrs[*]. Inside an interface, nested
// maps and lists count as one place, however deep they are: Metadata[*].
func (p path) Pattern() string { return p.spell(true) }

func (p path) spell(general bool) string {
	if len(p) == 0 {
		return "."
	}
	var b strings.Builder
	for i, s := range p {
		switch {
		case general && s.dyn && s.kind != stepField && i > 0 && p[i-1].kind != stepField:
		case s.kind == stepField:
			if b.Len() > 0 {
				b.WriteByte('.')
			}
			b.WriteString(s.name)
		case general && s.kind == stepIndex:
			b.WriteString("[]")
		case general:
			b.WriteString("[*]")
		case s.kind == stepIndex:
			b.WriteString("[" + strconv.Itoa(s.index) + "]")
		default:
			b.WriteString("[" + s.keyName() + "]")
		}
	}
	return b.String()
}

func (s step) keyName() string {
	if s.name != "" {
		return s.name
	}
	return render(s.key)
}
