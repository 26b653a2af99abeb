package gen

import (
	"errors"
	"path/filepath"

	"github.com/zmylab/zmy/gen/check"
	"github.com/zmylab/zmy/gen/emit/goproto"
	"github.com/zmylab/zmy/gen/emit/protofile"
	"github.com/zmylab/zmy/gen/load"
)

// Proto generates protobuf methods for struct types of the package. If the types are at fault, the
// error is an ir.Problems.
func Proto(p *load.Pkg, exprs []string, opt Options) (File, error) {
	k, err := p.BuildDeriving(exprs...) // with the types that implement interfaces
	if err != nil {
		return File{}, err
	}
	plan, err := check.Proto(k, check.ProtoOptions{})
	if err != nil {
		return File{}, err
	}
	src, err := goproto.Emit(k, plan, goproto.Options{By: opt.by("fxproto", exprs)})
	if err != nil {
		return File{}, err
	}
	f, err := opt.file(p, k, exprs, "proto", src)
	f.notes = plan.Notes
	return f, err
}

// protoLang is the language of .proto files in LangOptions.
const protoLang = "proto"

// protoFile generates the .proto file for the types. Its name is that of the Go package.
func protoFile(p *load.Pkg, exprs []string, opt LangOptions) ([]File, error) {
	switch {
	case opt.Output != "":
		return nil, errors.New("-output names a file of Go; the folder for proto is given by -o")
	case opt.Serde || opt.NonExhaustive:
		return nil, errors.New("-serde and -non-exhaustive are for -lang=rust")
	case opt.Derive:
		return nil, errors.New("-derive numbers the fields of ZMY messages; those of protobuf have struct tags, as in proto:\"1\"")
	}
	k, err := p.BuildDeriving(exprs...)
	if err != nil {
		return nil, err
	}
	past, err := protoPast(p)
	if err != nil {
		return nil, err
	}
	file, notes, err := check.ProtoFile(k, opt.Package, past)
	if err != nil {
		return nil, err
	}
	src := protofile.Emit(file, protofile.Options{By: opt.by("zmy gen", exprs)})
	return []File{{Path: filepath.Join(opt.Dir, p.Name+".proto"), Src: src, foreign: true, notes: notes}}, nil
}
