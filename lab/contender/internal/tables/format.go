package tables

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/gen/print"
	"github.com/zmylab/zmy/lab/contender"
	"github.com/zmylab/zmy/lab/contender/internal/gosrc"
	"github.com/zmylab/zmy/lab/run"
)

// NOTE: a row is made in three steps. New describes the subject as tables, the format's compiler
// turns the schema of these tables into a Go package of the contender's module (Format.compile),
// and Format.Code writes conversions into the subject's package, with the help of Writer. The two
// formats differ in how a field is read and written; Writer has what depends on the Go type alone.

// Format has the differences between the formats. For each format the subject is described as a
// schema, the format's compiler turns the schema into Go, and conversions between the subject and
// messages are written into the subject's package.
type Format struct {
	// Info has Name, Text and Abilities of the row on the user's type. NativeText is the text of
	// the row on messages.
	Info       contender.Info
	NativeText string
	Title      string // name of the format, in reasons
	Compiler   string // the program that compiles schemas
	Install    string // command that installs it
	Native     string // arguments of the adapter's functions NewNative and Convert
	Made       string // name of the Go package that the compiler makes
	File       string // name of the schema's file
	Output     string // pattern of the files that the compiler writes
	// Schema returns the text of the schema.
	Schema func(m *Model) []byte
	// Compile runs the compiler in a folder that has the schema's file. module has the adapter's
	// go.mod and go.sum.
	Compile func(ctx context.Context, dir string, module map[string][]byte) error
	// Code writes the conversions.
	Code func(w *Writer, t *contender.Target)
}

// Rows returns the format's two contenders.
func (f *Format) Rows() (row, native contender.Info) {
	row = f.Info
	row.Family, row.Extra, row.Modules, row.Plan = "binary", true, contender.Pins(row.Name), f.plan
	native = row
	native.Name, native.Text, native.Native = row.Name+"-native", f.NativeText, true
	row.Generate = f.generate("zzadapter.New(zzCode)", "")
	native.Generate = f.generate("zzadapter.NewNative("+f.Native+")", "zzadapter.Convert("+f.Native+")")
	return row, native
}

func (f *Format) plan(t *contender.Target) *run.Why {
	plain := gosrc.Plain{Dynamic: "a schema has no dynamic values", Lacks: f.Title + " has no form for", Knows: "a schema"}
	why := gosrc.Plan(func(t *contender.Target, x *ir.Type) string {
		if reason := cmp.Or(plain.Refuse(t, x), plain.RefusePointer(x)); reason != "" || x.Spellable(t.IR.Path) {
			return reason
		}
		return gosrc.Unnameable
	})(t)
	if why != nil {
		return why
	}
	if _, err := exec.LookPath(f.Compiler); err != nil {
		return &run.Why{What: "skipped: the program " + f.Compiler + " is not installed", Reason: err.Error(), Next: f.Install}
	}
	return nil
}

func (f *Format) generate(main, convert string) func(context.Context, *contender.Target, contender.Tools) (*contender.Sources, error) {
	return func(ctx context.Context, t *contender.Target, _ contender.Tools) (*contender.Sources, error) {
		s, err := contender.Bind(f.Info.Name, main)
		if err != nil {
			return nil, err
		}
		s.Convert = convert
		m := New(t)
		w := newWriter(t, m, f.Made)
		f.Code(w, t)
		if s.Package["zz_"+f.Info.Name+".go"], err = w.Bytes(); err != nil {
			return nil, err
		}
		return s, f.compile(ctx, m, s.Module)
	}
}

// compile adds the package that is generated from the schema to a contender's module.
func (f *Format) compile(ctx context.Context, m *Model, module map[string][]byte) error {
	dir, err := os.MkdirTemp("", "zmylab-"+f.Info.Name+"-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	text := f.Schema(m)
	if err := os.WriteFile(filepath.Join(dir, f.File), text, 0o600); err != nil {
		return err
	}
	if err := f.Compile(ctx, dir, module); err != nil {
		return fmt.Errorf("%w\n%s", err, text)
	}
	names, err := filepath.Glob(filepath.Join(dir, f.Output))
	if err != nil {
		return err
	}
	for _, name := range names {
		if module[f.Made+"/"+filepath.Base(name)], err = os.ReadFile(name); err != nil {
			return err
		}
	}
	return nil
}

// Call runs a program in a folder and returns its standard output. The program may be the go
// command, which then uses the module in the folder and no other.
func Call(ctx context.Context, dir string, input []byte, name string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Stdin = dir, bytes.NewReader(input)
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=readonly -buildvcs=false", "PWD="+dir)
	out, err := cmd.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return nil, fmt.Errorf("%s: %w\n%s%s", filepath.Base(name), err, out, exit.Stderr)
	}
	return out, err
}

// Writer writes the file of conversions.
type Writer struct {
	*print.File
	*Model
	Made, Adapter, Shared print.Pkg // generated by the compiler; the adapter; shared/tables
}

// newWriter starts a file. made is the name of the package that the format's compiler generates.
func newWriter(t *contender.Target, m *Model, made string) *Writer {
	pkg := func(name string) print.Pkg {
		return print.Pkg{Path: contender.ModulePath + "/" + name, Name: "zz" + name}
	}
	return &Writer{File: print.For(t.IR, "zmy lab"), Model: m, Adapter: pkg("adapter"), Shared: pkg("tables"),
		Made: print.Pkg{Path: contender.ModulePath + "/" + made, Name: made}}
}

// Each declares a type for the entries of each map, and calls funcs to write the functions of each
// table.
func (w *Writer) Each(funcs ...func(*Table)) {
	for _, x := range w.Tables {
		if x.Map {
			w.P("type zzEntry", x.N, " struct {\nKey ", x.Type.Key, "\nValue ", x.Type.Elem, "\n}\n")
		}
		for _, f := range funcs {
			f(x)
		}
	}
}

// GoType returns the type of the values that a table's functions take.
func (w *Writer) GoType(x *Table) string {
	if x.Map {
		return fmt.Sprint("zzEntry", x.N)
	}
	return w.Type(x.Type)
}

// MadeType returns the type that the compiler generates for a table.
func (w *Writer) MadeType(x *Table) string { return w.Ident(w.Made.Ident(fmt.Sprint("T", x.N))) }

// Instant returns the expression for a time in UTC.
func (w *Writer) Instant(sec, nsec string) string {
	return w.Ident(print.Package("time").Ident("Unix")) + "(" + sec + ", int64(" + nsec + ")).UTC()"
}

// Make prints the start of a block that gives the slice, array or map dst room for n elements, if
// there are any.
func (w *Writer) Make(dst, n string, v *Value) {
	if v.Type.Kind == ir.Array {
		w.P("if ", n, " != 0 && ", n, " != ", v.Type.Len, " {\nreturn ", w.Shared.Ident("Length"), "(", v.Type.Len, ", ", n, ")\n}\n{")
		return
	}
	w.P(dst, " = nil\nif ", n, " > 0 {\n", dst, " = make(", v.Type, ", ", n, ")")
}

// ReadElement prints code that reads an element of a vector of tables into dst: at index i, or
// under the entry's key if dst is a map. call(to) returns the Go call that fills the value, for an
// expression to that points to it.
func (w *Writer) ReadElement(dst, i string, v *Value, call func(to string) string) {
	at := dst + "[" + i + "]"
	to := "&" + at
	switch e := v.Elem; {
	case v.Type.Kind == ir.Map:
		w.P("var zze zzEntry", e.Table.N)
		to = "&zze"
	case e.Absent:
		w.P(at, " = new(", e.Type.Elem, ")")
		to = at
	}
	w.P("if err := ", call(to), "; err != nil {\nreturn err\n}")
	if v.Type.Kind == ir.Map {
		w.P(dst, "[zze.Key] = zze.Value")
	}
}

// RangeTables prints the start of a loop over a slice, array or map whose elements are tables. It
// returns the expression for a pointer to the element's value. fail is the start of the statement
// that returns an error: "return 0, ". i is the name of the index variable, which is not declared
// for a map.
func (w *Writer) RangeTables(src, i string, v *Value, fail string) (elem string) {
	if v.Type.Kind == ir.Map {
		k, x := w.Unique("zzk"), w.Unique("zzx")
		w.P("for ", k, ", ", x, " := range ", src, " {\nzze := zzEntry", v.Elem.Table.N, "{", k, ", ", x, "}")
		return "&zze"
	}
	w.P("for ", i, " := range ", src, " {")
	elem = src + "[" + i + "]"
	if !v.Elem.Absent {
		return "&" + elem
	}
	w.P("if ", elem, " == nil {\n", fail, w.Shared.Ident("Nil"), "(", strconv.Quote(print.TypeExpr(v.Type)), ")\n}")
	return elem
}
