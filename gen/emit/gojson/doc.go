// Package gojson writes the Go code that marshals and unmarshals types as
// encoding/json does, by statically bound calls of package fxjson/jsonrt.
//
// Every type gets an encoder and a decoder at most. Structs, recursive types and
// elements that need more than one call have functions of their own in the
// output; all else is a call of the runtime with the function of the element:
//
//	b = jsonrt.EncodeSlice(e, b, &v.Items, encodeOrder_Item)
//	i = jsonrt.DecodeSlice(d, i, &v.Items, decodeOrder_Item)
//
// A root that cannot have methods here, as an instance of a generic type
// (-type='Page[Order]'), gets the functions AppendPageOrderJSON and
// DecodePageOrderJSON instead. fxjson.Marshal and Unmarshal do not find those:
// they handle such a type by reflection, with the same results.
//
// The functions of a file carry the name of its first root, so that several
// generated files of a package do not meet.
package gojson

import (
	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/gen/print"
)

// Options say what the output contains beside the methods AppendJSON,
// DecodeJSON and JSONCode.
type Options struct {
	By string // the generator that the header names: "fxjson -type=Order"
	// StdMethods adds MarshalJSON and UnmarshalJSON. encoding/json calls them,
	// checks what they return and copies it, which makes it slower than it is by
	// itself for most types; they help only where others call json.Marshal.
	StdMethods bool
	// Tiny writes code for package fxjson/jsontiny, which links neither reflect, fmt
	// nor encoding/json. The plan has passed check.Tiny.
	Tiny bool
	// Only is "encode" or "decode" for code that does one of them, "" for both.
	Only string
}

func (o Options) encodes() bool { return o.Only != "decode" }
func (o Options) decodes() bool { return o.Only != "encode" }

// generation is the constant of the runtime that serves this code. Its name is
// what the compiler prints where there is none.
const generation = "Gen3ElseRunGoGenerate"

// Emit returns the formatted source of a file that joins the package p.
func Emit(p *ir.Package, plan *ir.JSONPlan, opt Options) ([]byte, error) {
	e := &emitter{
		pkg:   p,
		plan:  plan,
		opt:   opt,
		File:  print.For(p, opt.By),
		funcs: map[key]string{},
		vars:  map[string]string{},
	}
	if err := e.checkRoots(); err != nil {
		return nil, err
	}
	e.nameLocals()
	e.P("// If this does not compile, the file is older or newer than the module")
	e.P("// github.com/zmylab/zmy that is in use: run go generate with fxjson of its version.")
	e.P("const _ = ", e.rt(generation))
	e.assertions()
	for _, t := range p.Roots {
		e.root(t)
	}
	for len(e.queue) > 0 {
		k := e.queue[0]
		e.queue = e.queue[1:]
		e.function(k)
	}
	return e.Bytes()
}

// checkRoots refuses what cannot have methods.
func (e *emitter) checkRoots() error {
	var ps ir.Problems
	for _, t := range e.pkg.Roots {
		for _, f := range t.Fields {
			switch f.Name {
			case "AppendJSON", "DecodeJSON", "JSONCode":
				ps = append(ps, ir.Problem{Pos: f.Pos, Msg: "field " + f.Name + " has the name of a generated method", Hint: "rename the field"})
			}
		}
	}
	return ps.Err()
}
