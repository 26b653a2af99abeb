package cli

import (
	"flag"
	"io"

	"github.com/zmylab/zmy/gen"
	"github.com/zmylab/zmy/gen/load"
)

// ZMY is the command zmy gen: it runs with the arguments after these words and
// returns the exit code.
func ZMY(args []string, stdout, stderr io.Writer) int {
	var opt gen.ZMYOptions
	t := &tool{
		command: "zmy gen", suffix: "zmy",
		about: "Zmy gen writes methods and views of the ZMY native format for types of a Go package.\nPut this line into the package and run go generate:\n\n\t//go:generate zmy gen -type=T",
		flags: func(fs *flag.FlagSet) {
			fs.BoolVar(&opt.Derive, "derive", false, "number the fields of structs without zmy struct tags, in the order of declaration:\na field inserted or moved later changes the meaning of older messages, so only for messages that are not kept")
		},
		generate: func(p *load.Pkg, exprs []string, o gen.Options) ([]gen.File, error) {
			opt.Options = o
			f, err := gen.ZMY(p, exprs, opt)
			return []gen.File{f}, err
		},
	}
	return t.run(args, stdout, stderr)
}
