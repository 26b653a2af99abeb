// Package fxproto is the contender fxproto, this project's own protobuf messages on the user's type,
// with the code that the command fxproto writes. Fields without struct tags for protobuf get the
// numbers that fxproto -number would write.
package fxproto

import (
	"context"

	"github.com/zmylab/zmy/gen/check"
	"github.com/zmylab/zmy/gen/emit/goproto"
	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/lab/contender"
	"github.com/zmylab/zmy/lab/contender/internal/gosrc"
	"github.com/zmylab/zmy/lab/contender/internal/protomsg"
	"github.com/zmylab/zmy/lab/run"
)

// Info is the contender.
var Info = contender.Info{
	Name:    "fxproto",
	Family:  "protobuf",
	Text:    "fxproto, protobuf messages by generated code for your type",
	Modules: []run.Module{{Path: contender.RuntimePath}},
	Abilities: protomsg.Abilities.But(contender.Abilities{
		Any:           "no",
		Deterministic: "no; maps in random order, an option sorts them",
		ZeroCopy:      "yes; modes alias",
		Licence:       "Apache-2.0",
	}),
	Adopt: &run.Adopt{Install: install, Release: release, Number: "go tool fxproto -number -type=TYPE", Own: true,
		Generate: command, Import: contender.RuntimePath + "/fxproto", Marshal: marshal, Unmarshal: unmarshal},
	For:      numbered,
	Plan:     plan,
	Generate: generate,
}

const (
	// A pattern, since go get would look for modules with longer paths first, which are not in the clone.
	install = contender.RequireClone + "go mod edit -replace " + contender.RuntimePath + "/gen=../zmy/gen -tool " + generator + "\n" +
		"go get " + contender.RuntimePath + "/gen/...@v0.0.0"
	release = contender.RequireRelease + "go get -tool " + generator + "@VERSION"
	// generator is the command that generates the code.
	generator = contender.RuntimePath + "/gen/cmd/fxproto"
	command   = "go tool fxproto -type=TYPE"
	marshal   = "fxproto.Marshal(v)"
	unmarshal = "fxproto.Unmarshal(b, &v)"
)

// numbered returns how a program takes the codec up whose fields have numbers. It returns nil if they
// are still to be written into the source.
func numbered(t *contender.Target) *run.Adopt {
	for v := range contender.Walk(t) {
		if len(check.ProtoNumbers(v.Type, nil)) > 0 {
			return nil
		}
	}
	return &run.Adopt{Install: install, Release: release, Generate: command, Import: contender.RuntimePath + "/fxproto",
		Marshal: marshal, Unmarshal: unmarshal}
}

func messages(t *contender.Target) (*ir.Package, *ir.ProtoPlan, error) {
	p := *t.IR
	p.Roots = []*ir.Type{t.Root}
	m, err := check.Proto(&p, check.ProtoOptions{Number: true})
	return &p, m, err
}

func plan(t *contender.Target) *run.Why {
	_, _, err := messages(t)
	return gosrc.WhyErr(t, err)
}

func generate(_ context.Context, t *contender.Target, _ contender.Tools) (*contender.Sources, error) {
	p, m, err := messages(t)
	if err != nil {
		return nil, err
	}
	code, err := goproto.Emit(p, m, goproto.Options{By: "zmy lab"})
	if err != nil {
		return nil, err
	}
	s, err := contender.Bind("fxproto", "zzadapter.New[ZZSubject]()"+contender.ByTags("proto", "protobuf", "json"))
	if err != nil {
		return nil, err
	}
	s.Package["zz_fxproto.go"] = code
	return s, nil
}
