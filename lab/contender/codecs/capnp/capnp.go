// Package capnp knows Cap'n Proto's library for Go: the subject is described as a
// schema, the program capnp and the library's own capnpc-go turn it into Go, and
// conversions between the subject and messages are written into the subject's
// package.
package capnp

import (
	"context"
	"os/exec"

	"github.com/zmylab/zmy/lab/contender"
	"github.com/zmylab/zmy/lab/contender/internal/gosrc"
	"github.com/zmylab/zmy/lab/contender/internal/tables"
	"github.com/zmylab/zmy/lab/run"
)

// The rows.
var (
	Info = info("capnp", "Cap'n Proto by capnpc-go, conversion from and to your type included", false)

	NativeInfo = info("capnp-native", "Cap'n Proto by capnpc-go on messages: what stands built is written, what is opened is not read", true)
)

func info(name, text string, native bool) contender.Info {
	return contender.Info{
		Name: name, Family: "binary", Text: text, Extra: true, Native: native,
		Modules: contender.Pins("capnp"),
		Plan:    plan,
		Generate: func(ctx context.Context, t *contender.Target, _ contender.Tools) (*contender.Sources, error) {
			return generate(ctx, t, native)
		},
	}
}

// Compiler is the program that reads schemas.
const Compiler = "capnp"

func plan(t *contender.Target) (why *run.Why) {
	contender.Walk(t, func(v contender.Visit) bool {
		if reason := tables.Refuse(t, v.Type, "Cap'n Proto"); reason != "" {
			why = gosrc.Also(why, gosrc.Skip(t, v, reason, contender.LeaveOut))
		}
		return true
	})
	if why != nil {
		return why
	}
	if _, err := exec.LookPath(Compiler); err != nil {
		return &run.Why{What: "skipped: the program capnp is not installed", Reason: err.Error(),
			Next: "apt-get install capnproto, or see capnproto.org/install.html"}
	}
	return nil
}

func generate(ctx context.Context, t *contender.Target, native bool) (*contender.Sources, error) {
	m := tables.New(t)
	main := "zzadapter.New(zzCode)"
	if native {
		main = "zzadapter.NewNative(zzCode)"
	}
	s, err := contender.Bind("capnp", main)
	if err != nil {
		return nil, err
	}
	if native {
		s.Convert = "zzadapter.Convert(zzCode)"
	}
	if s.Package["zz_capnp.go"], err = code(t, m); err != nil {
		return nil, err
	}
	s.Module["zzcp/subject.capnp.go"], err = compile(ctx, schema(m), s.Module)
	return s, err
}
