//go:build ignore

// Package adapter binds github.com/valyala/fastjson, whose values are trees of
// documents: numbers stay text until they are asked for. Mode reused keeps one
// Parser, the first of the tips under "Performance optimization" in its README.
package adapter

import (
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/valyala/fastjson"

	"github.com/zmylab/zmy/lab/worker"
)

// Tree is what it makes of a document.
type Tree = *fastjson.Value

// New is the codec on trees of documents that stand for values of type T.
func New[T any]() worker.Contender[Tree] {
	value := func(v *Tree) (any, error) {
		var out T
		err := json.Unmarshal((*v).MarshalTo(nil), &out)
		return out, err
	}
	encode := worker.Stateless(func(dst []byte, v *Tree) ([]byte, error) { return (*v).MarshalTo(dst), nil })
	return worker.Contender[Tree]{
		Name:     "fastjson",
		Family:   "json",
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

// Convert renders a value with encoding/json and parses that.
func Convert[T any](v *T) (Tree, error) {
	doc, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	return fastjson.ParseBytes(doc)
}

// get parses the whole document and reads one string of it, with a Parser of its own.
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
