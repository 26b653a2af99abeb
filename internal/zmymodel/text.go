package zmymodel

import (
	"crypto/sha256"
	"encoding/binary"
	"strconv"
	"strings"
)

// Text returns the canonical text of the type (FORMAT.md, section 12).
func (t *Type) Text() string {
	w := texts{seen: map[*Type]int{}}
	w.typ(t)
	return w.String()
}

// Fingerprint returns the first 8 bytes, little-endian, of the SHA-256 of the canonical text.
func (t *Type) Fingerprint() uint64 {
	sum := sha256.Sum256([]byte(t.Text()))
	return binary.LittleEndian.Uint64(sum[:])
}

type texts struct {
	strings.Builder
	seen map[*Type]int
}

func (w *texts) typ(t *Type) {
	switch t.Kind {
	case List:
		w.WriteString("[]")
		w.typ(t.elem())
	case Array:
		w.WriteString("[" + strconv.Itoa(t.Len) + "]")
		w.typ(t.Elem)
	case Map:
		w.WriteString("map[")
		w.typ(t.Key)
		w.WriteString("]")
		w.typ(t.elem())
	case Opt:
		w.WriteString("?")
		w.typ(t.Elem)
	case Inline:
		w.WriteString("inline")
		w.fields(t.Elem)
	case Struct, Union:
		if n, ok := w.seen[t]; ok {
			w.WriteString("#" + strconv.Itoa(n))
			return
		}
		w.seen[t] = len(w.seen)
		switch {
		case t.Kind == Union:
			w.WriteString("union")
		case t.Sparse:
			w.WriteString("sparse")
		}
		w.fields(t)
	default:
		w.WriteString(string(t.Kind))
	}
}

func (w *texts) fields(t *Type) {
	w.WriteString("{")
	for i, f := range t.Fields {
		if i > 0 {
			w.WriteString(",")
		}
		if t.Kind == Union {
			w.WriteString(strconv.Itoa(f.Disc) + ":")
		}
		w.typ(f.Type)
	}
	w.WriteString("}")
}
