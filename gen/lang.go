package gen

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/zmylab/zmy/gen/emit/java"
	"github.com/zmylab/zmy/gen/emit/rust"
	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/gen/load"
)

// LangOptions are the options of [Lang].
type LangOptions struct {
	ZMYOptions
	Lang    string // one of Langs, except "go"
	Package string // the output's package or module in that language: "com.example.shop"
	Dir     string // output folder; "" is the current one
	Serde   bool   // Rust only: types derive Serialize and Deserialize of the crate serde

	NonExhaustive bool // Rust only: other crates still compile when the types get new fields or arms
}

// emitter generates the types' code in another language. It returns the sources by file name. Names
// are relative to the output folder and have slashes.
type emitter func(k *ir.Package, plan *ir.ZMYPlan, opt LangOptions) (map[string][]byte, error)

// emitters has the emitters of all languages but Go.
var emitters = map[string]emitter{
	"java": func(k *ir.Package, plan *ir.ZMYPlan, opt LangOptions) (map[string][]byte, error) {
		return java.Emit(k, plan, java.Options{By: opt.By, Package: opt.Package})
	},
	"rust": func(k *ir.Package, plan *ir.ZMYPlan, opt LangOptions) (map[string][]byte, error) {
		name, src, err := rust.Emit(k, plan, rust.Options{
			By: opt.By, Module: opt.Package, Serde: opt.Serde, NonExhaustive: opt.NonExhaustive,
		})
		return map[string][]byte{name: src}, err
	},
}

// Langs returns the languages that code is generated for: Go, and those that [Lang] supports.
func Langs() []string {
	return append(append(append([]string{"go"}, slices.Sorted(maps.Keys(emitters))...), protoLang), JSONLangs()...)
}

// Lang generates code in another language for types of the package, given as expressions in its
// scope. That code reads and writes the same messages as the Go code; that for one of [JSONLangs]
// describes the types' JSON, and "proto" stands for a .proto file with their protobuf messages. If the
// types are at fault, the error is an ir.Problems.
func Lang(p *load.Pkg, exprs []string, opt LangOptions) ([]File, error) {
	if slices.Contains(JSONLangs(), opt.Lang) {
		return jsonLang(p, exprs, opt)
	}
	if opt.Lang == protoLang {
		return protoFile(p, exprs, opt)
	}
	emit := emitters[opt.Lang]
	switch {
	case emit == nil:
		return nil, fmt.Errorf("-lang=%s is not known; known are %s", opt.Lang, strings.Join(Langs(), ", "))
	case opt.Output != "":
		return nil, fmt.Errorf("-output names a file of Go; the folder for %s is given by -o", opt.Lang)
	case opt.Serde && opt.Lang != "rust":
		return nil, errors.New("-serde is for -lang=rust")
	case opt.NonExhaustive && opt.Lang != "rust":
		return nil, errors.New("-non-exhaustive is for -lang=rust")
	case opt.Derive && opt.Recorded == nil:
		return nil, errors.New("-derive has no numbers yet: record them first, with zmy gen -derive for Go")
	}
	k, plan, err := opt.plan(p, exprs)
	if err != nil {
		return nil, err
	}
	opt.By = opt.by("zmy gen", exprs)
	sources, err := emit(k, plan, opt)
	if err != nil {
		return nil, err
	}
	var files []File
	for _, name := range slices.Sorted(maps.Keys(sources)) {
		files = append(files, File{Path: filepath.Join(opt.Dir, filepath.FromSlash(name)), Src: sources[name], foreign: true})
	}
	return files, nil
}
