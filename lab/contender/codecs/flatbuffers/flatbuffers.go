// Package flatbuffers knows github.com/google/flatbuffers: the subject is
// described as a schema, the program flatc turns it into Go, and conversions
// between the subject and messages are written into the subject's package.
package flatbuffers

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/zmylab/zmy/lab/contender"
	"github.com/zmylab/zmy/lab/contender/internal/gosrc"
	"github.com/zmylab/zmy/lab/contender/internal/tables"
	"github.com/zmylab/zmy/lab/run"
)

// The rows. The Go runtime has no verifier, so that op access reads what it trusts.
var (
	Info = info("flatbuffers", "Google's FlatBuffers by flatc, conversion from and to your type included; reads in place without verification", false)

	NativeInfo = info("flatbuffers-native", "Google's FlatBuffers by flatc on the types of its object API", true)
)

func info(name, text string, native bool) contender.Info {
	return contender.Info{
		Name: name, Family: "binary", Text: text, Extra: true, Native: native,
		Modules: contender.Pins("flatbuffers"),
		Plan:    plan,
		Generate: func(ctx context.Context, t *contender.Target, _ contender.Tools) (*contender.Sources, error) {
			return generate(ctx, t, native)
		},
	}
}

// Compiler is the program that makes Go of schemas.
const Compiler = "flatc"

func plan(t *contender.Target) (why *run.Why) {
	contender.Walk(t, func(v contender.Visit) bool {
		if reason := tables.Refuse(t, v.Type, "FlatBuffers"); reason != "" {
			why = gosrc.Also(why, gosrc.Skip(t, v, reason, contender.LeaveOut))
		}
		return true
	})
	if why != nil {
		return why
	}
	if _, err := exec.LookPath(Compiler); err != nil {
		return &run.Why{What: "skipped: the program flatc is not installed", Reason: err.Error(),
			Next: "apt-get install flatbuffers-compiler, or see flatbuffers.dev"}
	}
	return nil
}

func generate(ctx context.Context, t *contender.Target, native bool) (*contender.Sources, error) {
	m := tables.New(t)
	main := "zzadapter.New(zzCode)"
	if native {
		main = "zzadapter.NewNative(zzCode, zzUnpack)"
	}
	s, err := contender.Bind("flatbuffers", main)
	if err != nil {
		return nil, err
	}
	if native {
		s.Convert = "zzadapter.Convert(zzCode, zzUnpack)"
	}
	if s.Package["zz_flatbuffers.go"], err = code(t, m); err != nil {
		return nil, err
	}
	files, err := compile(ctx, schema(m))
	if err != nil {
		return nil, err
	}
	for name, src := range files {
		s.Module["zzfb/"+name] = src
	}
	return s, nil
}

// compile runs flatc in a folder of its own.
func compile(ctx context.Context, schema []byte) (map[string][]byte, error) {
	dir, err := os.MkdirTemp("", "zmylab-flatc-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	if err := os.WriteFile(filepath.Join(dir, "subject.fbs"), schema, 0o600); err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, Compiler, "--go", "--gen-object-api", "-o", ".", "subject.fbs")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("flatc: %w\n%s\n%s", err, out, schema)
	}
	names, err := filepath.Glob(filepath.Join(dir, "zzfb", "*.go"))
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	for _, name := range names {
		if files[filepath.Base(name)], err = os.ReadFile(name); err != nil {
			return nil, err
		}
	}
	return files, nil
}
