package cli

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"strings"

	"github.com/zmylab/zmy/gen"
	"github.com/zmylab/zmy/gen/load"
	"github.com/zmylab/zmy/internal/buildinfo"
	"github.com/zmylab/zmy/internal/cmdline"
)

// FXJSON runs the command fxjson with the arguments after the command's name. It returns the exit
// code.
func FXJSON(args []string, stdout, stderr io.Writer) int {
	if len(args) > 0 && args[0] == cmdline.Asking {
		fxjson().Complete(stdout, args[1:])
		return exitOK
	}
	var opt gen.JSONOptions
	var about aboutFXJSON
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

// aboutFXJSON has the flags that print something about fxjson itself.
type aboutFXJSON struct {
	version, man bool
	shell        string
}

func (a *aboutFXJSON) register(fs *flag.FlagSet) {
	fs.BoolVar(&a.version, "version", false, "print the version and what it was built from, and do nothing else")
	fs.BoolVar(&a.man, "man", false, "print the manual page: fxjson -man | man -l -")
	fs.StringVar(&a.shell, "completion", "", "print the completions of a `shell`, "+strings.Join(cmdline.Shells, ", ")+
		": source <(fxjson -completion bash)")
	cmdline.Offer(fs, "completion", cmdline.Shells...)
}

// print prints what the flags ask for, and reports whether they ask for something.
func (a *aboutFXJSON) print(stdout io.Writer) (done bool, err error) {
	switch {
	case a.version:
		_, err = fmt.Fprintln(stdout, "fxjson", buildinfo.Read())
	case a.man:
		var page bytes.Buffer
		fxjson().Man(&page, buildinfo.Read())
		_, err = page.WriteTo(stdout)
	case a.shell != "":
		var script string
		if script, err = fxjson().Script(a.shell); err == nil {
			_, err = io.WriteString(stdout, script)
		}
	default:
		return false, nil
	}
	return err == nil, err
}

// fxjson describes the command for completions and the manual page.
func fxjson() *cmdline.Program {
	return &cmdline.Program{Name: "fxjson", Short: "generate JSON methods for Go types", Commands: []cmdline.Command{{
		Help: func(stdout io.Writer) { FXJSON([]string{"-h"}, stdout, io.Discard) },
	}}}
}
