package schema

import (
	"crypto/sha256"
	"encoding/binary"
	"strconv"
	"strings"
)

// Text returns the canonical text of the message's type: all types depth first, without names. A
// struct that occurred before is written as # and its number; numbers count structs in the order of
// their first occurrence.
//
//	{string,[]{string,float64},map[string]any,time}
func (s *Schema) Text() string { return s.text(false) }

// FullText is Text with the names of structs and fields, and with a field's name in JSON if that
// differs.
//
//	Order{ID id string,Items items []Item{Sku string,Price float64}}
func (s *Schema) FullText() string { return s.text(true) }

// Fingerprint returns the first 8 bytes, little-endian, of the SHA-256 of Text. Envelopes contain
// it.
func (s *Schema) Fingerprint() uint64 { return fingerprint(s.Text()) }

// FullFingerprint returns the first 8 bytes, little-endian, of the SHA-256 of FullText.
func (s *Schema) FullFingerprint() uint64 { return fingerprint(s.FullText()) }

func fingerprint(text string) uint64 {
	sum := sha256.Sum256([]byte(text))
	return binary.LittleEndian.Uint64(sum[:])
}

func (s *Schema) text(names bool) string {
	p := printer{s: s, names: names, seen: map[uint32]int{}}
	p.typ(0)
	return p.b.String()
}

type printer struct {
	s     *Schema
	b     strings.Builder
	names bool
	seen  map[uint32]int
}

func (p *printer) typ(i uint32) {
	t := &p.s.Types[i]
	switch t.Kind {
	case List:
		p.b.WriteString("[]")
	case Array:
		p.b.WriteString("[" + strconv.FormatUint(uint64(t.Len), 10) + "]")
	case Map:
		p.b.WriteString("map[")
		p.typ(t.Key)
		p.b.WriteString("]")
	case Opt:
		p.b.WriteString("?")
	case Struct, Union:
		p.fields(i, t)
		return
	case Reserved:
		p.b.WriteString(t.Name)
		return
	default:
		p.b.WriteString(t.Kind.String())
		return
	}
	p.typ(t.Elem)
}

func (p *printer) fields(i uint32, t *Type) {
	if n, ok := p.seen[i]; ok {
		p.b.WriteString("#" + strconv.Itoa(n))
		return
	}
	p.seen[i] = len(p.seen)
	p.body(t)
}

func (p *printer) body(t *Type) {
	if p.names {
		p.b.WriteString(t.Name)
	}
	switch {
	case t.Kind == Union:
		p.b.WriteString("union")
	case t.Sparse:
		p.b.WriteString("sparse")
	}
	p.b.WriteString("{")
	for i := range t.Fields {
		f := &t.Fields[i]
		if i > 0 {
			p.b.WriteString(",")
		}
		if t.Kind == Union {
			p.b.WriteString(strconv.FormatUint(uint64(f.Number), 10) + ":")
		}
		if p.names {
			p.b.WriteString(f.Name + " ")
			if f.JSON != "" && f.JSON != f.Name {
				p.b.WriteString(f.JSON + " ")
			}
		}
		if f.Inline { // an inline struct gets no number, and is spelled out wherever it is used
			p.b.WriteString("inline")
			p.body(&p.s.Types[f.Type])
			continue
		}
		p.typ(f.Type)
	}
	p.b.WriteString("}")
}
