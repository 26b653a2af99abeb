package main

import (
	"context"
	"flag"
	"os"
	"strings"
	"time"

	"github.com/zmylab/zmy"
	"github.com/zmylab/zmy/adapters/zstdx"
	"github.com/zmylab/zmy/gen"
	"github.com/zmylab/zmy/gen/load"
	"github.com/zmylab/zmy/gen/lock"
	"github.com/zmylab/zmy/schema"
)

// schemaFlags say where to find the schema of messages.
type schemaFlags struct {
	typ  string
	lock string
	tags string
}

const schemaHelp = `  -type PKG.TYPE   the type of the messages: ./model.Order, example.com/shop/model.Order,
                   or Order for a type of the package in the current folder
  -lock FILE       take it from a zmy.lock instead; -type is then the bare name, Order
  -tags LIST       build tags of that package, as the go command takes them
`

func (f *schemaFlags) register(fs *flag.FlagSet) {
	fs.StringVar(&f.typ, "type", "", "")
	fs.StringVar(&f.lock, "lock", "", "")
	fs.StringVar(&f.tags, "tags", "", "")
}

// stoppable returns f's error. If ctx ends first, it waits briefly and then returns ctx's error
// while f still runs: f may be waiting for input or for a reader of its output, or converting a
// long record. The caller must then end the program.
func stoppable(ctx context.Context, f func() error) error {
	const grace = 100 * time.Millisecond // time for f to end by itself
	done := make(chan error, 1)
	go func() { done <- f() }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
	}
	select {
	case err := <-done:
		return err
	case <-time.After(grace):
		return ctx.Err()
	}
}

// load returns the schema that the flags name, or nil if they name none.
func (f *schemaFlags) load(ctx context.Context) (*schema.Schema, error) {
	switch {
	case f.lock != "" && f.typ == "":
		return nil, misused("-lock %s: which type of it? name it by -type", f.lock)
	case f.lock != "":
		return f.locked()
	case f.typ == "":
		return nil, nil
	}
	pkg, expr := splitType(f.typ)
	if expr == "" {
		return nil, misused("-type %s: name the type behind the package: -type %s.Order", f.typ, f.typ)
	}
	cfg := load.Config{}
	if f.tags != "" {
		cfg.BuildFlags = []string{"-tags=" + f.tags}
	}
	if info, err := os.Stat(pkg); err == nil && info.IsDir() {
		cfg.Dir, pkg = pkg, "."
	}
	p, err := load.Load(ctx, cfg, pkg)
	if err != nil {
		return nil, misused("-type %s: %w", f.typ, err)
	}
	s, err := gen.Schema(p, expr)
	if err != nil {
		return nil, misused("-type %s: %w", f.typ, err)
	}
	return s, nil
}

func (f *schemaFlags) locked() (*schema.Schema, error) {
	text, err := os.ReadFile(f.lock)
	if err != nil {
		return nil, misused("%w", err)
	}
	file, err := lock.Parse(text)
	if err != nil {
		return nil, misused("-lock %s: %w", f.lock, err)
	}
	s, err := file.Schema(f.typ)
	if err != nil {
		var names []string
		for _, t := range file.Types {
			names = append(names, t.Name)
		}
		return nil, misused("-lock %s: %w%s", f.lock, err, didYouMean(f.typ, names))
	}
	return s, nil
}

// splitType splits "./model.Page[Order]" into the package and the type. A bare type belongs to the
// package in the current folder. A path without a dot after its last slash is a package without a
// type.
func splitType(s string) (pkg, expr string) {
	path, args, _ := strings.Cut(s, "[")
	if args != "" {
		args = "[" + args
	}
	slash := strings.LastIndex(path, "/")
	dot := strings.LastIndex(path, ".")
	switch {
	case dot > slash && dot > 0:
		return path[:dot], path[dot+1:] + args
	case slash >= 0:
		return path, ""
	}
	return ".", path + args
}

// compressors returns the project's compressors.
func compressors() ([]zmy.Compressor, error) {
	z, err := zstdx.NewZstd(zstdx.ZstdOptions{})
	if err != nil {
		return nil, err
	}
	return []zmy.Compressor{z, zstdx.LZ4{}}, nil
}
