package avro

import (
	"encoding/json"
	"fmt"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/lab/contender"
)

// object is a schema that needs more than a name, in Avro's JSON form.
type object struct {
	Type    string    `json:"type"`
	Name    string    `json:"name,omitempty"`
	Fields  *[]member `json:"fields,omitempty"`
	Items   any       `json:"items,omitempty"`
	Values  any       `json:"values,omitempty"`
	Size    int64     `json:"size,omitempty"`
	Logical string    `json:"logicalType,omitempty"`
}

type member struct {
	Name string `json:"name"`
	Type any    `json:"type"`
}

// schema returns the text of the subject's schema. Records are called R0, R1 …, since names are not
// part of messages.
func schema(t *contender.Target) ([]byte, error) {
	w := &writer{records: map[*ir.Type]string{}, fixed: map[int64]bool{}}
	return json.Marshal(w.of(t.Root))
}

type writer struct {
	records map[*ir.Type]string
	fixed   map[int64]bool
}

var primitives = map[ir.Kind]string{
	ir.Bool: "boolean", ir.Int: "long", ir.Int8: "int", ir.Int16: "int", ir.Int32: "int", ir.Int64: "long", ir.Duration: "long",
	ir.Uint8: "int", ir.Uint16: "int", ir.Uint32: "long", ir.Float32: "float", ir.Float64: "double",
	ir.String: "string", ir.Number: "string", ir.Bytes: "bytes", ir.RawJSON: "bytes",
}

func (w *writer) of(x *ir.Type) any {
	if asText(x) {
		return "string"
	}
	switch x.Kind {
	case ir.Time:
		return object{Type: "long", Logical: "timestamp-micros"}
	case ir.Uint64:
		return w.bytes(8)
	case ir.Array:
		return w.bytes(x.Len)
	case ir.Slice:
		return object{Type: "array", Items: w.of(x.Elem)}
	case ir.Map:
		return object{Type: "map", Values: w.of(x.Elem)}
	case ir.Pointer:
		return []any{"null", w.of(x.Elem)}
	case ir.Struct:
		return w.record(x)
	}
	return primitives[x.Kind]
}

// bytes returns Avro's type fixed with n bytes. The first use declares it.
func (w *writer) bytes(n int64) any {
	name := fmt.Sprint("F", n)
	if w.fixed[n] {
		return name
	}
	w.fixed[n] = true
	return object{Type: "fixed", Name: name, Size: n}
}

func (w *writer) record(x *ir.Type) any {
	if name := w.records[x]; name != "" {
		return name
	}
	name := fmt.Sprint("R", len(w.records))
	w.records[x] = name
	fields := []member{}
	for _, f := range flat(x) {
		fields = append(fields, member{f.Name, w.of(f.Type)})
	}
	return object{Type: "record", Name: name, Fields: &fields}
}
