//go:build ignore

// Package adapter makes a contender of github.com/valyala/fastjson. Its values are trees of
// documents, in which numbers stay text until they are read. Mode reused keeps one Parser, the
// first tip under "Performance optimization" in its README.
package adapter

import (
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/valyala/fastjson"

	"github.com/zmylab/zmy/lab/worker"
)

// Tree is the tree that fastjson makes of a document.
type Tree = *fastjson.Value

// New returns the contender on trees of documents that represent values of type T.
func New[T any]() worker.Contender[Tree] {
	value := func(v *Tree) (any, error) {
		var out T
		err := json.Unmarshal((*v).MarshalTo(nil), &out)
		return out, err
	}
	encode := worker.Stateless(func(dst []byte, v *Tree) ([]byte, error) { return (*v).MarshalTo(dst), nil })
	return worker.Contender[Tree]{
		Encoders: []worker.Encoder[Tree]{{Mode: "fresh", New: encode}, {Mode: "append", New: encode}},
		Decoders: []worker.Decoder[Tree]{
			{Mode: "fresh", New: worker.Stateless(func(b []byte, v *Tree) (err error) {
				*v, err = fastjson.ParseBytes(b)
				return err
			})},
			{Mode: "reused", Reuse: true, New: func() func([]byte, *Tree) error {
				var p fastjson.Parser
				return func(b []byte, v *Tree) (err error) {
					*v, err = p.ParseBytes(b)
					return err
				}
			}},
		},
		Get:     get,
		Compare: value,
		Mapped:  value,
	}
}

// Convert renders a value with encoding/json and parses the result.
func Convert[T any](v *T) (Tree, error) {
	doc, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	return fastjson.ParseBytes(doc)
}

// get returns a function that parses the whole document, with a Parser of its own, and reads one
// string.
func get(path []any) func([]byte) (string, error) {
	keys := make([]string, len(path))
	for i, k := range path {
		if n, ok := k.(int); ok {
			k = strconv.Itoa(n)
		}
		keys[i] = fmt.Sprint(k)
	}
	var p fastjson.Parser
	return func(doc []byte) (string, error) {
		v, err := p.ParseBytes(doc)
		if err != nil {
			return "", err
		}
		return string(v.GetStringBytes(keys...)), nil
	}
}
