package jsonschema

import (
	"bytes"
	"encoding/json"
)

// node is a JSON object whose members keep their order.
type node []entry

type entry struct {
	name  string
	value any
}

func (n *node) add(name string, value any) { *n = append(*n, entry{name, value}) }

func (n node) set(name string, value any) {
	for i := range n {
		if n[i].name == name {
			n[i].value = value
		}
	}
}

func (n node) get(name string) any {
	for _, e := range n {
		if e.name == name {
			return e.value
		}
	}
	return nil
}

// MarshalJSON writes the members in order.
func (n node) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, e := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		if err := write(&b, e.name); err != nil {
			return nil, err
		}
		b.WriteByte(':')
		if err := write(&b, e.value); err != nil {
			return nil, err
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

func write(b *bytes.Buffer, v any) error {
	enc := json.NewEncoder(b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return err
	}
	b.Truncate(b.Len() - 1) // the line's end
	return nil
}

// text returns the document, indented.
func (n node) text() ([]byte, error) {
	compact, err := n.MarshalJSON()
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := json.Indent(&b, compact, "", "  "); err != nil {
		return nil, err
	}
	b.WriteByte('\n')
	return b.Bytes(), nil
}
