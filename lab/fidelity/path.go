package fidelity

import (
	"strconv"
	"strings"
)

// A path is a stack of steps that is spelled out only when a difference is
// found, so that equal values pay nothing for it.
type path []step

type step struct {
	kind  stepKind
	name  string // field name, or the map key as rendered
	index int
	dyn   bool // taken inside an interface
}

type stepKind uint8

const (
	stepField stepKind = iota
	stepIndex
	stepKey
)

// String spells the path: Items[3].Attrs["k"].
func (p path) String() string { return p.spell(false) }

// Pattern spells the path without indices and keys: Items[].Attrs[*]. However deep
// maps and lists nest inside an interface, they are one place: Metadata[*].
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
			b.WriteString("[" + s.name + "]")
		}
	}
	return b.String()
}
