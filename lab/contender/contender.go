// Package contender is the table of codecs that the lab knows: what each one is
// called, what it needs, whether it can carry a type, and the sources from which
// its worker is built. One folder under adapters/ holds each codec's adapter as
// text; nothing here is measured.
package contender

import (
	"context"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/lab/run"
)

// Info describes one contender.
type Info struct {
	Name    string       // the name on the command line and in bench.txt
	Family  string       // json | binary | protobuf
	Text    string       // one line for the report
	Modules []run.Module // what it requires, pinned
	// Native marks a row on the codec's own generated type: shown, never ranked.
	Native bool
	// Plan reports why the contender cannot carry the target, or nil.
	Plan func(t *Target) *run.Why
	// Generate makes the sources of its worker.
	Generate func(ctx context.Context, t *Target, tools Tools) (*Sources, error)
}

// Target is the subject as contenders see it.
type Target struct {
	IR            *ir.Package
	Root          *ir.Type
	Expr          string // the type as spelled inside its package: Page[Order]
	AllowFallback bool   // the user accepts silent fallbacks to encoding/json
}

// Sources is what a contender adds to a build.
//
// The harness writes, into the subject's package (by overlay, as _test.go files),
// the files of Package and one main file that declares `type ZZSubject = Expr`
// and whose TestMain calls Main, an expression of type worker.Contender[N].
type Sources struct {
	// Package maps a file name to Go source that joins the subject's package.
	// Identifiers start with zz so that they meet nothing of the user's.
	Package map[string][]byte
	// Module maps a slash path to a file of the temporary contender module,
	// whose import path is ModulePath: "adapter/adapter.go".
	Module map[string][]byte
	// Imports are the import specs that Main needs: `adapter "zmylab.invalid/contender/adapter"`.
	Imports []string
	// Main is the expression: adapter.New[ZZSubject]().
	Main string
	// Convert, for native rows, is an expression of type func(*ZZSubject) (N, error).
	Convert string
}

// Import paths inside the temporary workspace.
const (
	ModulePath = "zmylab.invalid/contender" // the contender's own module
	LabPath    = "zmylab.invalid/lab"       // worker, fidelity and values live below it
)

// Tools is what a contender's Generate may ask of the harness.
type Tools interface {
	// RunInPackage builds a one-off program inside the subject's package from
	// the same kind of sources (Main is then a statement list), runs it with
	// dir as its working folder, and returns what it wrote to files there.
	// easyjson's own generator, which works by reflection, is run this way.
	RunInPackage(ctx context.Context, s *Sources) (files map[string][]byte, err error)
}
