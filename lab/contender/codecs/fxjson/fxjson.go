// Package fxjson is the contender fxjson, this project's own JSON generator. It uses the code that
// the command fxjson writes.
package fxjson

import (
	"context"
	"strings"

	"github.com/zmylab/zmy/gen/check"
	"github.com/zmylab/zmy/gen/emit/gojson"
	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/lab/contender"
	"github.com/zmylab/zmy/lab/contender/internal/gosrc"
	"github.com/zmylab/zmy/lab/run"
)

// Info is the contender.
var Info = contender.Info{
	Name:    "fxjson",
	Family:  "json",
	Text:    "fxjson, generated code for your type",
	Modules: []run.Module{{Path: contender.RuntimePath}},
	Abilities: contender.JSON.But(contender.Abilities{
		ZeroCopy:   "partly; Get and Parse",
		Validation: "partly; as encoding/json",
		Streaming:  "yes; Encoder, Decoder and tokens",
		Licence:    "Apache-2.0",
	}),
	Adopt: &run.Adopt{Install: install, Release: release, Generate: command, Import: `json "` + contender.RuntimePath + `/fxjson"`,
		Same: true, Marshal: "json.Marshal(v)", Unmarshal: "json.Unmarshal(b, &v)"},
	For:      instance,
	Plan:     plan,
	Generate: generate,
}

const (
	// A pattern, since go get would look for modules with longer paths first, which are not in the clone.
	install = contender.RequireClone + "go mod edit -replace " + contender.RuntimePath + "/gen=../zmy/gen -tool " + generator + "\n" +
		"go get " + contender.RuntimePath + "/gen/...@v0.0.0"
	release = contender.RequireRelease + "go get -tool " + generator + "@VERSION"
	command = "go tool fxjson -type=TYPE"
	// generator is the command that generates the code.
	generator = contender.RuntimePath + "/gen/cmd/fxjson"
)

// instance returns the calls of generated functions for a type that cannot have methods, since
// fxjson.Marshal would use reflection for it. It returns nil for other types.
func instance(t *contender.Target) *run.Adopt {
	if !contender.Methodless(t) {
		return nil
	}
	app, dec := gojson.FuncNames(t.Root, t.IR.Path)
	return &run.Adopt{Install: install, Release: release, Generate: command, Marshal: app + "(nil, &v)", Unmarshal: dec + "(b, &v)"}
}

func json(t *contender.Target) (*ir.Package, *ir.JSONPlan, error) {
	p := *t.IR
	p.Roots = []*ir.Type{t.Root}
	j, err := check.JSON(&p)
	return &p, j, err
}

func plan(t *contender.Target) *run.Why {
	_, _, err := json(t)
	return gosrc.WhyErr(t, err)
}

func generate(_ context.Context, t *contender.Target, _ contender.Tools) (*contender.Sources, error) {
	p, j, err := json(t)
	if err != nil {
		return nil, err
	}
	code, err := gojson.Emit(p, j, gojson.Options{By: "zmy lab"})
	if err != nil {
		return nil, err
	}
	main, err := expression(code)
	if err != nil {
		return nil, err
	}
	s, err := contender.Bind("fxjson", main)
	if err != nil {
		return nil, err
	}
	s.Package["zz_fxjson.go"] = code
	return s, nil
}

// expression returns the expression that passes the generated code to the adapter: methods, or
// functions if the type cannot have methods.
func expression(code []byte) (string, error) {
	funcs, err := gosrc.Funcs(code)
	if err != nil {
		return "", err
	}
	app, ok := gosrc.Find(funcs, func(x gosrc.Func) bool {
		return x.Recv == "" && strings.HasPrefix(x.Name, "Append") && strings.HasSuffix(x.Name, "JSON")
	})
	if !ok {
		return "zzadapter.New[ZZSubject]()", nil
	}
	return "zzadapter.NewFuncs(" + app.Name + ", Decode" + strings.TrimPrefix(app.Name, "Append") + ")", nil
}
