// Package avro is the contender github.com/hamba/avro. The library reads and writes Go types by
// reflection, along an Avro schema that is derived from the subject.
package avro

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/lab/contender"
	"github.com/zmylab/zmy/lab/contender/internal/gosrc"
	"github.com/zmylab/zmy/lab/run"
)

// Info is the contender.
var Info = contender.Info{
	Name:    "avro",
	Family:  "binary",
	Text:    "hamba/avro v2 along a schema derived from your type, known to both ends; times in microseconds",
	Extra:   true,
	Modules: contender.Pins("avro"),
	Abilities: contender.Abilities{
		Evolution:     "yes; the writer's schema is resolved against the reader's",
		Languages:     "yes; Avro",
		Maps:          "yes; keys are strings",
		Any:           "no; a union names its types",
		Time:          "microseconds",
		Deterministic: "no; maps in random order",
		ZeroCopy:      "no",
		Validation:    "partly; nothing in a message tells where a field is",
		Streaming:     "yes; Encoder, Decoder and container files",
		Licence:       "MIT",
		Released:      "2025-12-30",
	},
	Adopt: &run.Adopt{Import: "github.com/hamba/avro/v2",
		Manual: "an Avro schema for the type, parsed once by avro.Parse, the same one at both ends, for avro.Marshal(schema, v) " +
			"and avro.Unmarshal(schema, b, &v)",
		Marshal: "avro.Marshal(schema, v)", Unmarshal: "avro.Unmarshal(schema, b, &v)"},
	Plan: gosrc.Plan(refuse),
	Generate: func(_ context.Context, t *contender.Target, _ contender.Tools) (*contender.Sources, error) {
		text, err := schema(t)
		if err != nil {
			return nil, err
		}
		return contender.Bind("avro", fmt.Sprintf("zzadapter.New[ZZSubject](%q)", text))
	},
}

// asText reports whether hamba/avro carries the type as the text that its MarshalText returns.
func asText(x *ir.Type) bool {
	return x.Kind != ir.Time && x.Hooks.Has(ir.HasMarshalText) && x.Hooks.Has(ir.HasUnmarshalTextPtr)
}

var plain = gosrc.Plain{Dynamic: "a schema names every type that a value may have", Lacks: "hamba/avro has no codec for", Knows: "a schema"}

func refuse(t *contender.Target, x *ir.Type) string {
	if asText(x) {
		return ""
	}
	if reason := plain.Refuse(t, x); reason != "" {
		return reason
	}
	if x == t.Root && x.Kind != ir.Struct {
		return "hamba/avro takes a pointer to a struct only"
	}
	switch x.Kind {
	case ir.Uint:
		return "hamba/avro has no codec for uint"
	case ir.Map:
		if x.Key.Kind != ir.String {
			return "keys of Avro's maps are strings"
		}
	case ir.Array:
		if x.Elem.Kind != ir.Uint8 {
			return "hamba/avro takes arrays of bytes only"
		}
	case ir.Pointer:
		switch x.Elem.Kind {
		case ir.Pointer, ir.Slice, ir.Bytes, ir.RawJSON, ir.Map:
			return "hamba/avro takes no pointers to what can be nil"
		}
	case ir.Struct:
		return refuseFields(x)
	}
	return ""
}

func refuseFields(x *ir.Type) string {
	seen := map[string]bool{}
	for _, f := range flat(x) {
		switch {
		case f.Embedded && f.Type.Kind != ir.Struct:
			return "hamba/avro passes over embedded " + f.Name + ", which is no struct"
		case seen[f.Name]:
			return "hamba/avro mistakes its fields " + f.Name + " for one another"
		case strings.ContainsFunc(f.Name, func(c rune) bool { return c >= utf8.RuneSelf }):
			return "Avro's names are ASCII, its field " + f.Name + " is not"
		}
		seen[f.Name] = true
	}
	return ""
}

// flat returns the fields of a struct as hamba/avro sees them: the fields of an embedded struct
// take its place.
func flat(x *ir.Type) []*ir.Field {
	var out []*ir.Field
	for _, f := range x.Fields {
		switch {
		case contender.Ignored(f):
		case f.Embedded && f.Type.Kind == ir.Struct && f.Type.Hooks&contender.OwnForm == 0:
			out = append(out, flat(f.Type)...)
		case f.Exported || f.Embedded:
			out = append(out, f)
		}
	}
	return out
}

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
