// Command oracle tells whether versions of types understand each other, by writing documents with
// one version and reading them with the other. Documents are judged by another implementation of
// JSON Schema too.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/big"
	"math/rand/v2"
	"os"
	"reflect"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/zmylab/zmy/fxjson"
)

// codec is one implementation of JSON.
type codec struct {
	name      string
	marshal   func(any) ([]byte, error)
	unmarshal func([]byte, any) error
}

var codecs = []codec{
	{"encoding/json", json.Marshal, json.Unmarshal},
	{"fxjson", func(v any) ([]byte, error) { return fxjson.Marshal(v) }, func(b []byte, v any) error { return fxjson.Unmarshal(b, v) }},
}

// pair is a type before and after an edit. Enums has the constants of types, as JSON.
type pair struct {
	name     string
	old, now reflect.Type
	schemas  [2]string
	fxjson   bool // struct tags fxjson matter
}

// verdict is what was found out about an edit: the first document that a side does not understand.
type verdict struct{ Name, Readers, Writers string }

func main() {
	out := json.NewEncoder(os.Stdout)
	for _, p := range pairs {
		v := verdict{Name: p.name}
		r := rand.New(rand.NewPCG(7, uint64(len(p.name))))
		oldSchema, nowSchema := compile(p.schemas[0]), compile(p.schemas[1])
		for _, c := range codecs {
			if p.fxjson && c.name != "fxjson" {
				continue
			}
			for range rounds {
				if v.Readers == "" {
					v.Readers = readers(c, r, p, oldSchema)
				}
				if v.Writers == "" {
					v.Writers = writers(c, r, p, nowSchema)
				}
			}
		}
		if err := out.Encode(v); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}

const rounds = 400

// readers reads what the new type writes with the old one.
func readers(c codec, r *rand.Rand, p pair, schema *jsonschema.Schema) string {
	doc := document(c, r, p.now)
	if err := accepts(schema, doc); err != nil {
		return fmt.Sprintf("the schema of before refuses %s: %v", doc, err)
	}
	back, err := again(c, doc, p.old)
	if err != nil {
		return fmt.Sprintf("%s: %s: %v", c.name, doc, err)
	}
	if path := differs(back, parse(doc)); path != "" {
		return fmt.Sprintf("%s: %s is read with another %s: %v", c.name, doc, path, back)
	}
	return ""
}

// writers reads what the old type has written with the new one.
func writers(c codec, r *rand.Rand, p pair, schema *jsonschema.Schema) string {
	doc := document(c, r, p.old)
	back, err := again(c, doc, p.now)
	if err != nil {
		return fmt.Sprintf("%s: %s: %v", c.name, doc, err)
	}
	if path := differs(parse(doc), back); path != "" {
		return fmt.Sprintf("%s: %s is read without its %s: %v", c.name, doc, path, back)
	}
	text, err := json.Marshal(back)
	if err != nil {
		return err.Error()
	}
	if err := accepts(schema, text); err != nil {
		return fmt.Sprintf("what was read from %s is no value of the new type: %v", doc, err)
	}
	return ""
}

func document(c codec, r *rand.Rand, t reflect.Type) []byte {
	v := reflect.New(t)
	draw(r, v.Elem(), 4)
	doc, err := c.marshal(v.Interface())
	if err != nil {
		panic(fmt.Sprintf("%v: %v", t, err))
	}
	return doc
}

// again reads a document as type t, and returns what t writes then.
func again(c codec, doc []byte, t reflect.Type) (any, error) {
	v := reflect.New(t)
	if err := c.unmarshal(doc, v.Interface()); err != nil {
		return nil, err
	}
	text, err := c.marshal(v.Interface())
	if err != nil {
		return nil, err
	}
	return parse(text), nil
}

func parse(doc []byte) any {
	d := json.NewDecoder(bytes.NewReader(doc))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		panic(fmt.Sprintf("%s: %v", doc, err))
	}
	return v
}

// differs returns the path of something in a that b has otherwise, or does not have though it is
// not empty. It returns "" if there is none.
func differs(a, b any) string {
	switch a := a.(type) {
	case map[string]any:
		b, ok := b.(map[string]any)
		if !ok {
			return "value"
		}
		for name, x := range a {
			y, there := b[name]
			if !there && empty(x) {
				continue
			}
			if path := differs(x, y); !there || path != "" {
				return "." + name + path
			}
		}
		return ""
	case []any:
		b, ok := b.([]any)
		if !ok || len(a) != len(b) {
			return "elements"
		}
		for i := range a {
			if path := differs(a[i], b[i]); path != "" {
				return fmt.Sprintf("[%d]%s", i, path)
			}
		}
		return ""
	case json.Number:
		b, ok := b.(json.Number)
		if !ok {
			return "number"
		}
		x, _ := new(big.Rat).SetString(a.String())
		y, _ := new(big.Rat).SetString(b.String())
		if x.Cmp(y) != 0 {
			return "number"
		}
		return ""
	}
	if !reflect.DeepEqual(a, b) {
		return "value"
	}
	return ""
}

// empty reports whether v says no more than that nothing is there.
func empty(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case bool:
		return !v
	case string:
		return v == "" || v == "0" || v == "0001-01-01T00:00:00Z"
	case json.Number:
		return v == "0"
	case []any:
		for _, x := range v {
			if !empty(x) {
				return false
			}
		}
		return true
	case map[string]any:
		for _, x := range v {
			if !empty(x) {
				return false
			}
		}
		return true
	}
	return false
}

func compile(text string) *jsonschema.Schema {
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		panic(err)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	c.AssertContent()
	if err := c.AddResource("mem:///schema.json", doc); err != nil {
		panic(err)
	}
	return c.MustCompile("mem:///schema.json")
}

func accepts(s *jsonschema.Schema, doc []byte) error {
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(doc))
	if err != nil {
		return err
	}
	return s.Validate(v)
}
