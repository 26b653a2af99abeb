package fidelity

import (
	"reflect"
	"strconv"
	"strings"
)

// A path is a stack of steps that is spelled out only when a difference is
// found, so that equal values pay nothing for it.
type path []step

type step struct {
	kind  stepKind
	name  string        // of a field, or a key as spelled
	key   reflect.Value // of a map, when name is empty: spelled only on demand
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
			b.WriteString("[" + s.keyName() + "]")
		}
	}
	return b.String()
}

// keyWidth is the most runes that a map key takes in a path.
const keyWidth = 48

func (s step) keyName() string {
	if s.name != "" {
		return s.name
	}
	return clip(spell(s.key), keyWidth)
}
