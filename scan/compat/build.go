package compat

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/zmylab/zmy/lab"
	"github.com/zmylab/zmy/lab/contender"
	"github.com/zmylab/zmy/lab/contender/codecs/fxjson"
	"github.com/zmylab/zmy/lab/contender/codecs/goccy"
	"github.com/zmylab/zmy/lab/contender/codecs/jsoniter"
	"github.com/zmylab/zmy/lab/contender/codecs/segmentio"
	"github.com/zmylab/zmy/lab/contender/codecs/sonic"
	stdjson "github.com/zmylab/zmy/lab/contender/codecs/std-json"
	"github.com/zmylab/zmy/lab/harness"
)

// NOTE: a side's worker is a worker of the lab with package side added to it. The adapters of
// folder codecs call the functions that a program calls; those of the lab call the quickest ones.
// The worker of fxjson has the lab's adapter, since it needs generated code.

//go:embed side/*.go codecs
var sources embed.FS

// table holds the lab's descriptions of the codecs: their modules, at pinned versions.
var table = map[string]*contender.Info{
	stdJSON: &stdjson.Info, jsonV2: &stdjson.Info, "fxjson": &fxjson.Info, "goccy": &goccy.Info, "sonic": &sonic.Info,
	"jsoniter": &jsoniter.Info, "segmentio": &segmentio.Info,
}

// family is that of workers which must not leave out code that the package has: methods of
// generators are part of what the package writes.
const family = "compat"

// info returns the contender of a side.
func (s *Side) info(name string, got *fetched) contender.Info {
	base := *table[s.Codec]
	i := contender.Info{Name: name, Family: family, Modules: slices.Clone(base.Modules), Env: slices.Clone(s.Env)}
	if s.Toolchain != "" {
		i.Env = append(i.Env, "GOTOOLCHAIN="+s.Toolchain)
	}
	if s.Codec == "fxjson" {
		i.Family = base.Family // generated code takes the place of other generators' methods
	}
	own := got != nil && codecOf(s.Module) == s.Codec && s.Codec != stdJSON
	for n := range i.Modules {
		if own && i.Modules[n].Path == s.Module {
			i.Modules[n].Version = got.version
		}
	}
	i.Generate = func(ctx context.Context, t *contender.Target, tools contender.Tools) (*contender.Sources, error) {
		src, err := base.Generate(ctx, t, tools)
		if err != nil {
			return nil, err
		}
		return s.sources(src, got, own)
	}
	return i
}

// sources adds package side to the sources of a contender, and replaces its adapter.
func (s *Side) sources(from *contender.Sources, got *fetched, own bool) (*contender.Sources, error) {
	out := *from
	out.Module = map[string][]byte{}
	for name, data := range from.Module {
		if s.Codec == "fxjson" || !strings.HasSuffix(name, ".go") {
			out.Module[name] = data
		}
	}
	names, err := sources.ReadDir("side")
	if err != nil {
		return nil, err
	}
	for _, n := range names {
		if strings.HasSuffix(n.Name(), "_test.go") {
			continue
		}
		if out.Module["side/"+n.Name()], err = sources.ReadFile("side/" + n.Name()); err != nil {
			return nil, err
		}
	}
	out.Imports = append(slices.Clip(out.Imports), `zzside "`+contender.ModulePath+`/side"`)
	if s.Codec == "fxjson" {
		out.Main = "zzside.Contender(" + from.Main + ")"
	} else {
		out.Main = "zzside.Codec[ZZSubject](zzadapter.Open, zzadapter.Pins())"
		if out.Module["adapter/codec.go"], err = sources.ReadFile("codecs/" + s.Codec + "/codec.go"); err != nil {
			return nil, err
		}
	}
	if got == nil {
		return &out, nil
	}
	out.Module["go.sum"] = slices.Concat(out.Module["go.sum"], got.sum)
	if own {
		out.Module["go.mod"], err = atVersion(out.Module["go.mod"], s.Module, got.version)
	}
	return &out, err
}

// atVersion returns the text of a go.mod in which a requirement has another version.
func atVersion(mod []byte, path, version string) ([]byte, error) {
	f, err := modfile.Parse("go.mod", mod, nil)
	if err != nil {
		return nil, err
	}
	if err := f.AddRequire(path, version); err != nil {
		return nil, err
	}
	f.Cleanup()
	return f.Format()
}

// Failure says why a side has no worker.
type Failure struct {
	Side   string `json:"side"`
	What   string `json:"what"`             // "does not build"
	Reason string `json:"reason,omitempty"` // the first line that says why
	Output string `json:"output,omitempty"`
}

func (f *Failure) Error() string {
	s := f.Side + " " + f.What
	if f.Reason != "" {
		s += ": " + f.Reason
	}
	return s
}

// build builds a side's worker in the workspace of an opened subject.
func (s *Side) build(ctx context.Context, o *lab.Opened, name string, got *fetched) (*harness.Worker, error) {
	w, err := o.Space().Build(ctx, s.info(name, got), o.Target())
	if err == nil || ctx.Err() != nil {
		return w, err
	}
	var failed *harness.BuildError
	if errors.As(err, &failed) {
		return nil, &Failure{Side: s.String(), What: "does not build", Reason: reason(failed.Output), Output: failed.Output}
	}
	return nil, &Failure{Side: s.String(), What: "cannot carry the type", Reason: firstLine(err.Error())}
}

// told matches lines of the go command and the compiler that say why a build failed.
var told = regexp.MustCompile(`(?m)^(go: .*|\S.*\.(go|mod|work|s):\d+.*|.*undefined: .*)$`)

func reason(output string) string {
	if line := told.FindString(output); line != "" {
		return strings.TrimSpace(line)
	}
	return firstLine(output)
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return line
}

// replaced makes the workspace of an opened subject use another version of a module.
func replaced(o *lab.Opened, path, version string) {
	w := o.Subject().Work
	w.Replaces = slices.DeleteFunc(w.Replaces, func(line string) bool { return strings.HasPrefix(line, path+" ") })
	w.Replaces = append(w.Replaces, fmt.Sprintf("%s => %s %s", path, path, version))
}

// folder returns a folder for files of this package in the temporary folder of a subject.
func folder(o *lab.Opened, name string) string {
	return filepath.Join(o.Space().Folder("compat"), name)
}
