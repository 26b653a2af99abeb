package cli

import (
	"flag"
	"io"

	"github.com/zmylab/zmy/gen"
	"github.com/zmylab/zmy/gen/load"
	"github.com/zmylab/zmy/internal/cmdline"
)

// FXJSON runs the command fxjson with the arguments after the command's name. It returns the exit
// code.
func FXJSON(args []string, stdout, stderr io.Writer) int {
	about := newAbout("fxjson", "generate JSON methods for Go types", FXJSON)
	if about.completes(args, stdout) {
		return exitOK
	}
	var opt gen.JSONOptions
	t := &tool{
		command: "fxjson", suffix: "json",
		about: "Fxjson writes JSON methods for types of a Go package, with the semantics of encoding/json.\nPut this line into the " +
			"package and run go generate:\n\n\t//go:generate fxjson -type=T",
		flags: func(fs *flag.FlagSet) {
			fs.BoolVar(&opt.StdMethods, "stdmethods", false,
				"write MarshalJSON and UnmarshalJSON too: they help code that calls encoding/json, though less than fxjson's own functions")
			fs.BoolVar(&opt.Tiny, "tiny", false, "write code that links neither reflect, fmt nor encoding/json, for programs whose "+
				"size counts; fields that need them are refused")
			about.register(fs)
			fs.StringVar(&opt.Only, "only", "", "write code that encodes or decodes and not the other: `encode` or decode; what calls "+
				"the other does not compile, or gets an error from fxjson's functions")
			cmdline.Offer(fs, "only", "encode", "decode")
		},
		instead: about.print,
		generate: func(p *load.Pkg, exprs []string, o gen.Options) ([]gen.File, error) {
			if opt.Tiny && opt.StdMethods {
				return nil, usageError("-tiny and -stdmethods exclude each other: MarshalJSON is for encoding/json")
			}
			if opt.Only != "" && opt.Only != "encode" && opt.Only != "decode" {
				return nil, usageError("-only is encode or decode, not " + opt.Only)
			}
			opt.Options = o
			f, err := gen.JSON(p, exprs, opt)
			return []gen.File{f}, err
		},
	}
	return t.run(args, stdout, stderr)
}
