package fromproto

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"

	"github.com/zmylab/zmy/gen"
	"github.com/zmylab/zmy/internal/cmdline"
)

// Exit codes: 0 done, 1 the files are at fault or output is stale, 2 the command was not understood.
const (
	exitOK    = 0
	exitFail  = 1
	exitUsage = 2
)

// Asks reports whether the arguments of fxproto ask for this package: the first is -from.
func Asks(args []string) bool { return len(args) > 0 && (args[0] == "-from" || args[0] == "--from") }

const about = `usage: fxproto -from [flags] file.proto…

Fxproto -from writes plain Go types from .proto files (proto2, proto3, edition 2023) for package fxproto. Then
fxproto -type=T writes their methods. Names of files may be patterns: api/*.proto.
Put these lines into the package and run go generate:

	//go:generate fxproto -from api/shop.proto
	//go:generate fxproto -type=Order

flags:
`

// request is a parsed command line.
type request struct {
	dirs           []string
	files          []string
	output, name   string
	check, discard bool
}

// Run runs fxproto -from. args begin with -from. It returns the exit code.
func Run(args []string, stdout, stderr io.Writer) int {
	r := &request{}
	fs := flag.NewFlagSet("fxproto -from", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	keep := true
	fs.Func("I", "a `folder` in which imports are looked for; the flag may be repeated (default: the current one)", func(dir string) error {
		r.dirs = append(r.dirs, dir)
		return nil
	})
	fs.StringVar(&r.output, "output", "", "the Go `file`; - is the standard output (default: the name of the first .proto file and _types.go)")
	fs.StringVar(&r.name, "package", "", "the `name` of the Go package (default: that of go_package, or of the .proto file's package)")
	fs.BoolVar(&r.check, "check", false, "write nothing; exit with 1 if the file is not up to date")
	fs.BoolVar(&keep, "unknown", true, "structs keep fields that they do not have, in a field Unknown")
	err := fs.Parse(args[1:])
	if errors.Is(err, flag.ErrHelp) {
		cmdline.Help(stdout, fs, about+cmdline.Defaults(fs))
		return exitOK
	}
	r.discard = !keep
	if err == nil {
		err = r.patterns(fs.Args())
	}
	if err != nil {
		fmt.Fprintf(stderr, "fxproto: %v\n%s%s", err, about, cmdline.Defaults(fs))
		return exitUsage
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := r.run(ctx, stdout); err != nil {
		fmt.Fprintf(stderr, "fxproto: %v\n", err)
		return exitFail
	}
	return exitOK
}

// patterns replaces patterns by the files that match.
func (r *request) patterns(args []string) error {
	for _, a := range args {
		found, err := filepath.Glob(a)
		if err != nil {
			return fmt.Errorf("%s: %w", a, err)
		}
		if len(found) == 0 {
			found = []string{a} // opening it says that it does not exist
		}
		r.files = append(r.files, found...)
	}
	switch {
	case len(r.files) == 0:
		return errors.New("name the .proto files")
	case r.check && r.output == "-":
		return errors.New("-check needs a file to compare with, not the standard output")
	case r.output == "":
		r.output = strings.TrimSuffix(filepath.Base(r.files[0]), ".proto") + "_types.go"
	}
	return nil
}

func (r *request) run(ctx context.Context, stdout io.Writer) error {
	files, err := Compile(ctx, r.dirs, r.files)
	if err != nil {
		return err
	}
	var bases []string
	for _, f := range files {
		bases = append(bases, path.Base(f.Path()))
	}
	p := &Package{Name: cmp.Or(r.name, goPackageName(files[0])), Files: files, Unknown: !r.discard,
		From: strings.Join(bases, ", ") + " by fxproto -from"}
	src, err := p.Source()
	if err != nil {
		return err
	}
	out := gen.File{Path: r.output, Src: src}
	switch {
	case r.output == "-":
		_, err = stdout.Write(src)
		return err
	case !r.check:
		return out.Write()
	}
	stale, err := out.Stale()
	if err == nil && stale {
		err = fmt.Errorf("%s is not up to date; refresh it with: fxproto -from -output=%s %s", r.output, r.output, strings.Join(r.files, " "))
	}
	return err
}

var noLetters = regexp.MustCompile(`[^a-zA-Z0-9_]+`)

// goPackageName returns the name of the Go package for a file.
func goPackageName(f protoreflect.FileDescriptor) string {
	opts, _ := f.Options().(*descriptorpb.FileOptions)
	dir, name, _ := strings.Cut(opts.GetGoPackage(), ";")
	words := slices.DeleteFunc(strings.Split(cmp.Or(name, dir), "/"), func(s string) bool { return s == "" })
	if len(words) == 0 {
		words = strings.Split(string(f.Package()), ".")
	}
	last := words[len(words)-1]
	if regexp.MustCompile(`^v\d+`).MatchString(last) && len(words) > 1 && name == "" {
		last = words[len(words)-2]
	}
	if last = strings.ToLower(noLetters.ReplaceAllString(last, "_")); last == "" || last[0] >= '0' && last[0] <= '9' {
		last = "p" + last
	}
	return last
}
