// Package flatbuffers is the contender github.com/google/flatbuffers, with the program flatc.
package flatbuffers

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/zmylab/zmy/lab/contender"
	"github.com/zmylab/zmy/lab/contender/internal/tables"
)

// The rows. The Go runtime has no verifier, so op access reads unverified messages.
var Info, NativeInfo = format.Rows()

var format = &tables.Format{
	Info: contender.Info{
		Name: "flatbuffers", Text: "Google's FlatBuffers by flatc, conversion from and to your type included; reads in place " +
			"without verification",
		Abilities: contender.Abilities{
			Evolution:     "yes; new fields go to the end of a table",
			Languages:     "yes; FlatBuffers",
			Maps:          "partly; as vectors of entries",
			Any:           "no",
			Time:          "nanoseconds; a struct of the schema that is made here",
			Deterministic: "partly; but for maps",
			ZeroCopy:      "yes; messages are read in place",
			Validation:    "no; the Go runtime has no verifier",
			Streaming:     "partly; size-prefixed messages",
			Licence:       "Apache-2.0",
			Released:      "2025-12-19",
		},
	},
	NativeText: "Google's FlatBuffers by flatc on the types of its object API",
	Title:      "FlatBuffers",
	Compiler:   Compiler,
	Install:    "apt-get install flatbuffers-compiler, or see flatbuffers.dev",
	Native:     "zzCode, zzUnpack",
	Code:       code,
	Compile:    compile,
}

// Compiler is the program that compiles schemas.
const Compiler = "flatc"

// compile runs flatc in a folder of its own.
func compile(ctx context.Context, m *tables.Model, module map[string][]byte) error {
	dir, err := os.MkdirTemp("", "zmylab-flatc-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	text := schema(m)
	if err := os.WriteFile(filepath.Join(dir, "subject.fbs"), text, 0o600); err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, Compiler, "--go", "--gen-object-api", "-o", ".", "subject.fbs")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("flatc: %w\n%s\n%s", err, out, text)
	}
	names, err := filepath.Glob(filepath.Join(dir, "zzfb", "*.go"))
	if err != nil {
		return err
	}
	for _, name := range names {
		if module["zzfb/"+filepath.Base(name)], err = os.ReadFile(name); err != nil {
			return err
		}
	}
	return nil
}
