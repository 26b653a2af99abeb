// Package gojson generates Go code that marshals and unmarshals types as encoding/json does. The
// code calls functions of package fxjson/jsonrt directly, not by reflection.
//
// A type gets at most one encoder and one decoder. Functions are generated for structs, recursive
// types, and elements that need more than one call. For all other types the code calls the runtime,
// with the element's function as an argument:
//
//	b = jsonrt.EncodeSlice(e, b, &v.Items, encodeOrder_Item)
//	i = jsonrt.DecodeSlice(d, i, &v.Items, decodeOrder_Item)
//
// A root that cannot have methods, such as an instance of a generic type (-type='Page[Order]'),
// gets functions instead: AppendPageOrderJSON and DecodePageOrderJSON. fxjson.Marshal and Unmarshal
// do not find these functions. They handle such a type by reflection, with the same results.
//
// Function names contain the name of the file's first root, so that the names of several generated
// files in a package do not clash.
package gojson

import (
	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/gen/print"
)

// Options say what is generated besides the methods AppendJSON, DecodeJSON and JSONCode.
type Options struct {
	By string // command that the header shows: "fxjson -type=Order"
	// StdMethods adds MarshalJSON and UnmarshalJSON. encoding/json calls them, checks their result
	// and copies it. For most types that is slower than encoding/json without them, so they help
	// only if others call json.Marshal.
	StdMethods bool
	// Tiny generates code for package fxjson/jsontiny, which links none of reflect, fmt and
	// encoding/json. check.Tiny must have accepted the plan.
	Tiny bool
	// Only is "encode" or "decode" to generate one of the two, "" for both.
	Only string
}

func (o Options) encodes() bool { return o.Only != "decode" }
func (o Options) decodes() bool { return o.Only != "encode" }

// generation is a constant of the runtimes that support this code. In another runtime it does not
// exist, and the compiler's message has this name.
const generation = "Gen3ElseRunGoGenerate"

// Emit returns the formatted source of a file of the package p.
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

// checkRoots returns a problem for each field that is named like a generated method.
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
