// Package contender describes the codecs that the lab knows: the name of each, the modules that it
// needs, whether it can carry a type, and the sources of its worker. Each codec is a folder below
// codecs. Nothing is measured here.
package contender

import (
	"context"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/lab/run"
)

// Info describes one contender.
type Info struct {
	Name   string // name on the command line and in bench.txt
	Family string // json | binary | protobuf | floor
	Text   string // description in the report, one line
	// Modules lists the required modules, pinned. [RuntimePath] without a version is the ZMY
	// runtime, which the harness finds.
	Modules []run.Module
	// Beside lists the modules that a package of an experiment requires in addition; see
	// [Info.With].
	Beside []run.Module
	// Use lists folders of modules that are added to the workspace of the worker.
	Use []string
	// Adopt says how a program starts to use the codec, with the options that are measured; nil
	// means by requiring Modules. Its lines contain every option that values need to come back
	// unchanged.
	Adopt *run.Adopt
	// For returns Adopt for one target. If For is nil or returns nil, the field Adopt applies.
	For func(t *Target) *run.Adopt
	// Abilities are the codec's capabilities other than speed.
	Abilities Abilities
	// Native marks a row that uses the codec's own generated type. Such a row is shown but never
	// ranked.
	Native bool
	// Unranked says why the row is shown but never ranked. It is "" if the row is ranked, or if
	// Native or FamilyFloor is the reason.
	Unranked string
	// Extra contenders are measured only if they are named, if "all" is asked for, or if the user's
	// module requires theirs. The others are those that may win or that most users ask for: each of
	// them lengthens the run of a user who names none.
	Extra bool
	// Env is added to the environment of the worker's build. Example: GOEXPERIMENT=jsonv2.
	Env []string
	// Plan returns why the contender cannot carry the target, or nil.
	Plan func(t *Target) *run.Why
	// Generate makes the sources of the worker. It is nil for a codec that could not be downloaded.
	Generate func(ctx context.Context, t *Target, tools Tools) (*Sources, error)
}

// Yours reports whether the user brought the codec along: its module is then part of the workspace.
func (i *Info) Yours() bool { return len(i.Use) > 0 }

// FamilyFloor is the family of contenders that are not codecs: they do only the work that every
// codec must do. They are shown and never ranked.
const FamilyFloor = "floor"

// Rankless returns why a contender's row is never ranked, or "".
func (i *Info) Rankless() string {
	switch {
	case i.Unranked != "":
		return i.Unranked
	case i.Native:
		return "a row on the codec's own type: what a program with another type pays is the row beside it"
	case i.Family == FamilyFloor:
		return "a floor, no codec: what nobody can avoid"
	}
	return ""
}

// AdoptFor returns how a program with type t starts to use the codec; nil means by requiring
// Modules.
func (i *Info) AdoptFor(t *Target) *run.Adopt {
	if i.For != nil {
		if a := i.For(t); a != nil {
			return a
		}
	}
	return i.Adopt
}

// Target is the subject as contenders see it.
type Target struct {
	IR            *ir.Package
	Root          *ir.Type
	Expr          string // the type as spelled inside its package: Page[Order]
	Dir           string // folder of the package, "" if its files are not available
	AllowFallback bool   // the user accepts silent fallbacks to encoding/json
	Leaf          string // path of the string that operation access reads, or "": Items[0].Sku
}

// Sources is what a contender adds to a build.
//
// The harness adds to the subject's package, by overlay and as _test.go files, the files of Package
// and one main file. The main file declares `type ZZSubject = Expr`, and its TestMain calls Main,
// an expression of type worker.Contender[N].
type Sources struct {
	// Package maps file names to Go source that is added to the subject's package. Identifiers
	// there start with zz, so that they do not collide with the user's. The build leaves out
	// committed files of codec generators that declare the same names as these files. It also
	// leaves out methods in other codecs' generated files that this codec would call (MarshalJSON
	// and its like): otherwise the row would measure another codec.
	Package map[string][]byte
	// Module maps slash-separated paths, such as "adapter/adapter.go", to files of the temporary
	// contender module, whose import path is ModulePath. If go.mod is not among them, Info.Modules
	// become the module's requirements. See [Adapter].
	Module map[string][]byte
	// Replace maps absolute paths of the user's files to other contents; nil hides the file. No
	// codec uses it; experiments use it to compare two declarations of a type.
	Replace map[string][]byte
	// Imports are the import specs that Main needs: `zzadapter "zmylab.invalid/contender/adapter"`.
	Imports []string
	// Main is a Go expression: zzadapter.New[ZZSubject]().
	Main string
	// Convert, for native rows, is an expression of type func(*ZZSubject) (N, error).
	Convert string
}

// RuntimePath is the module that this project's generated code imports.
const RuntimePath = "github.com/zmylab/zmy"

// RequireClone holds shell commands that clone RuntimePath next to the user's module and require
// it. They are for a program that was built in a clone. go get raises the go line of the user's
// go.mod if it is lower than the required module's.
const RequireClone = "[ -d ../zmy ] || git clone https://" + RuntimePath + " ../zmy\n" +
	"go mod edit -replace " + RuntimePath + "=../zmy\n" +
	"go get " + RuntimePath + "@v0.0.0\n"

// RequireRelease is RequireClone for a program that is a release.
const RequireRelease = "go get " + RuntimePath + "@VERSION\n"

// Import paths inside the temporary workspace.
const (
	ModulePath = "zmylab.invalid/contender" // the contender's own module
	LabPath    = "zmylab.invalid/lab"       // worker, fidelity, values and openloop live below it
)

// Tools is what Generate may ask of the harness.
type Tools interface {
	// RunInPackage builds a one-off program inside the subject's package from the same kind of
	// sources; Main is then a list of statements. It runs the program with an empty working folder
	// and returns the files that it wrote there. easyjson's generator, which uses reflection, is
	// run in this way.
	RunInPackage(ctx context.Context, s *Sources) (files map[string][]byte, err error)
}
