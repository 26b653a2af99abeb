package cli

import (
	"flag"
	"io"

	"github.com/zmylab/zmy/gen"
	"github.com/zmylab/zmy/gen/load"
)

// grpcFlag is the flag with which zmy gen generates gRPC.
const grpcFlag = "grpc"

// asksGRPC removes the flag from the arguments and reports whether it was there.
func asksGRPC(args []string) (rest []string, asks bool) {
	for i, a := range args {
		switch a {
		case "-" + grpcFlag, "--" + grpcFlag:
			return append(args[:i:i], args[i+1:]...), true
		case "--":
			return args, false
		}
	}
	return args, false
}

// grpcTool runs zmy gen -grpc and returns its exit code.
func grpcTool(args []string, stdout, stderr io.Writer) int {
	lang := "go"
	t := &tool{
		command: "zmy gen -grpc", suffix: "grpc",
		about: "Zmy gen -grpc writes a gRPC client and server for an interface of a Go package, whose messages are types with a " +
			"ZMY\nnative form. " +
			"Its methods are M(context.Context, *In) (*Out, error), with iter.Seq2[*T, error] for a sequence.\nPut this line into the " +
			"package and run go generate:\n\n\t//go:generate zmy gen -grpc -type=T",
		flags: func(fs *flag.FlagSet) {
			fs.StringVar(&lang, "lang", lang, "the `language` of the output: go")
		},
		generate: func(p *load.Pkg, exprs []string, o gen.Options) ([]gen.File, error) {
			if lang != "go" {
				return nil, usageError("-grpc writes Go only")
			}
			f, err := gen.GRPC(p, exprs, o)
			return []gen.File{f}, err
		},
	}
	return t.run(args, stdout, stderr)
}
