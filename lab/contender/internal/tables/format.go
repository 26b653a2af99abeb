package tables

import (
	"cmp"
	"context"
	"fmt"
	"os/exec"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/gen/print"
	"github.com/zmylab/zmy/lab/contender"
	"github.com/zmylab/zmy/lab/contender/internal/gosrc"
	"github.com/zmylab/zmy/lab/run"
)

// Format is what differs between the formats: the subject is described as a schema, the format's
// compiler turns it into Go, and conversions between the subject and messages are written into the
// subject's package.
type Format struct {
	// Info has Name, Text and Abilities of the row on the user's type; NativeText is the text of
	// the row on messages.
	Info       contender.Info
	NativeText string
	Title      string // of the format, in reasons
	Compiler   string // the program that reads schemas
	Install    string // what installs it
	Native     string // arguments of the adapter's functions NewNative and Convert
	// Code writes the conversions.
	Code func(t *contender.Target, m *Model) ([]byte, error)
	// Compile adds to a contender's module the package that is made of the schema.
	Compile func(ctx context.Context, m *Model, module map[string][]byte) error
}

// Rows are the format's two contenders.
func (f *Format) Rows() (row, native contender.Info) {
	row = f.Info
	row.Family, row.Extra, row.Modules, row.Plan = "binary", true, contender.Pins(row.Name), f.plan
	native = row
	native.Name, native.Text, native.Native = row.Name+"-native", f.NativeText, true
	row.Generate = func(ctx context.Context, t *contender.Target, _ contender.Tools) (*contender.Sources, error) {
		return f.generate(ctx, t, "zzadapter.New(zzCode)")
	}
	native.Generate = func(ctx context.Context, t *contender.Target, _ contender.Tools) (*contender.Sources, error) {
		s, err := f.generate(ctx, t, "zzadapter.NewNative("+f.Native+")")
		if err == nil {
			s.Convert = "zzadapter.Convert(" + f.Native + ")"
		}
		return s, err
	}
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

func (f *Format) generate(ctx context.Context, t *contender.Target, main string) (*contender.Sources, error) {
	s, err := contender.Bind(f.Info.Name, main)
	if err != nil {
		return nil, err
	}
	m := New(t)
	if s.Package["zz_"+f.Info.Name+".go"], err = f.Code(t, m); err != nil {
		return nil, err
	}
	return s, f.Compile(ctx, m, s.Module)
}

// Writer writes the file of conversions.
type Writer struct {
	*print.File
	*Model
	Made, Adapter, Shared print.Pkg // what the compiler made, the adapter, and shared/tables
}

// NewWriter starts it; made is the name of the package that the format's compiler makes.
func NewWriter(t *contender.Target, m *Model, made string) *Writer {
	pkg := func(name string) print.Pkg {
		return print.Pkg{Path: contender.ModulePath + "/" + name, Name: "zz" + name}
	}
	return &Writer{File: print.For(t.IR, "zmy lab"), Model: m, Adapter: pkg("adapter"), Shared: pkg("tables"),
		Made: print.Pkg{Path: contender.ModulePath + "/" + made, Name: made}}
}

// Each declares the entries of maps, and writes the functions of each table.
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

// GoType is what a table's functions take.
func (w *Writer) GoType(x *Table) string {
	if x.Map {
		return fmt.Sprint("zzEntry", x.N)
	}
	return w.Type(x.Type)
}

// MadeType is the compiler's type of a table.
func (w *Writer) MadeType(x *Table) string { return w.Ident(w.Made.Ident(fmt.Sprint("T", x.N))) }
