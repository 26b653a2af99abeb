package cli

import (
	"flag"
	"io"
	"strings"

	"github.com/zmylab/zmy/gen"
	"github.com/zmylab/zmy/gen/load"
	"github.com/zmylab/zmy/internal/cmdline"
)

// ZMY runs the command zmy gen. args are the arguments after "zmy gen". It returns the exit code.
func ZMY(args []string, stdout, stderr io.Writer) int {
	if rest, asks := asksGRPC(args); asks {
		return grpcTool(rest, stdout, stderr)
	}
	var opt gen.ZMYOptions
	to, lock := gen.LangOptions{Lang: "go"}, false
	t := &tool{
		command: "zmy gen", suffix: "zmy",
		about: "Zmy gen writes methods and views of the ZMY native format for types of a Go package.\nPut this line into the " +
			"package and run go generate:\n\n\t//go:generate zmy gen -type=T",
		flags: func(fs *flag.FlagSet) {
			fs.BoolVar(&lock, "lock", false, "record the types in zmy.lock too, and refuse changes that break messages of before")
			fs.Bool(grpcFlag, false, "write a gRPC client and server for the interface -type instead; zmy gen -grpc -h says more")
			fs.BoolVar(&opt.Derive, "derive", false, "number the fields of structs without zmy struct tags, those with json:\"-\" left "+
				"out, those without\na form of their own carried as JSON, which notes say: at first in the order\nof declaration, from "+
				"then on as recorded in zmy.lock; new fields follow, removed ones stay reserved.\nThe same for the structs that implement "+
				"an interface with an unexported method, in the order of their names")
			fs.StringVar(&to.Lang, "lang", to.Lang, "the `language` of the output: "+strings.Join(gen.Langs(), ", "))
			cmdline.Offer(fs, "lang", gen.Langs()...)
			fs.StringVar(&to.Package, "package", "", "the `name` of the package or module that the output forms, for a -lang other "+
				"than go: com.example.shop;\nfor proto of the package in the file: shop.v1; for "+
				"jsonschema and ts-types\nof the file (default: that of the Go package), "+
				"for jsonschema also its $id: https://example.org/shop.schema.json")
			fs.StringVar(&to.Dir, "o", "", "the `folder` that the output goes into, for a -lang other than go (default: the current one)")
			fs.BoolVar(&to.Serde, "serde", false, "for -lang rust: types derive Serialize and Deserialize of the crate serde, which "+
				"the program depends on")
			fs.BoolVar(&to.NonExhaustive, "non-exhaustive", false,
				"for -lang rust: structs and enums are #[non_exhaustive], so that new fields and arms break no program of another crate")
		},
		generate: func(p *load.Pkg, exprs []string, o gen.Options) ([]gen.File, error) {
			opt.Options = o
			if opt.Derive {
				var err error
				if opt.Recorded, err = gen.ReadLock(p); err != nil {
					return nil, err
				}
			}
			to.ZMYOptions = opt
			switch {
			case to.Lang != "go" && lock: // a lock file is kept only in the folder of the Go source
				return nil, usageError("-lock records Go types; leave it to the command that generates Go")
			case to.Lang != "go":
				return gen.Lang(p, exprs, to)
			case to.Package != "" || to.Dir != "" || to.Serde || to.NonExhaustive:
				return nil, usageError("-package, -o, -serde and -non-exhaustive are for a -lang other than go; the Go file joins the " +
					"package that it was made from")
			}
			return generate(p, exprs, opt, lock || opt.Derive)
		},
	}
	return t.run(args, stdout, stderr)
}

// generate generates the Go file, and with locked also zmy.lock.
func generate(p *load.Pkg, exprs []string, opt gen.ZMYOptions, locked bool) (files []gen.File, err error) {
	f, err := gen.ZMY(p, exprs, opt)
	if err != nil || !locked {
		return []gen.File{f}, err
	}
	old, err := gen.ReadLock(p)
	if err != nil {
		return nil, err
	}
	c, err := gen.Locked(p, old, gen.Messages{Types: exprs, Derive: opt.Derive})
	if err == nil {
		err = gen.Breaking(c.Changes)
	}
	return []gen.File{f, gen.LockFile(p, c.Next)}, err
}

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
			"ZMY\nnative form, or with struct tags proto. " +
			"Its methods are M(context.Context, *In) (*Out, error), with iter.Seq2[*T, error] for a sequence.\nPut this line into the " +
			"package and run go generate:\n\n\t//go:generate zmy gen -grpc -type=T",
		flags: func(fs *flag.FlagSet) {
			fs.StringVar(&lang, "lang", lang, "the `language` of the output: go")
			cmdline.Offer(fs, "lang", "go")
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
