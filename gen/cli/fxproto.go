package cli

import (
	"flag"
	"io"

	"github.com/zmylab/zmy/gen"
	"github.com/zmylab/zmy/gen/load"
)

// FXProto runs the command fxproto with the arguments after the command's name. It returns the exit
// code.
func FXProto(args []string, stdout, stderr io.Writer) int {
	about := newAbout("fxproto", "generate protobuf methods for Go types", FXProto)
	if about.completes(args, stdout) {
		return exitOK
	}
	number := false
	t := &tool{
		command: "fxproto", suffix: "proto",
		about: "Fxproto writes methods that marshal and unmarshal protobuf messages for struct types of a Go package, whose\nfields have " +
			"struct tags: proto:\"3\". The types stay as they are, and there is no .proto file.\nPut this line into the " +
			"package and run go generate:\n\n\t//go:generate fxproto -type=T\n\n" +
			"Fxproto -from shop.proto writes such types from a .proto file; fxproto -from -h says more.",
		flags: func(fs *flag.FlagSet) {
			fs.BoolVar(&number, "number", false, "in place of generating code, add struct tags to the package's source files:\n"+
				"the next numbers for fields that have none, and proto:\"-\" for those with json:\"-\"")
			about.register(fs)
		},
		instead: about.print,
		all: func(p *load.Pkg) []string {
			if number {
				return candidates(p)
			}
			own, legacy := p.ProtoTagged() // arms of oneofs have code with the messages that hold them
			return append(own, legacy...)
		},
		generate: func(p *load.Pkg, exprs []string, o gen.Options) ([]gen.File, error) {
			if number {
				return gen.NumberProto(p, exprs)
			}
			f, err := gen.Proto(p, exprs, o)
			return []gen.File{f}, err
		},
	}
	return t.run(args, stdout, stderr)
}
