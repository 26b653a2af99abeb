// Package inject makes contenders with known faults: they take more time by a known amount, lose a
// known part of a value, or break in a known way. Tests and tools/selftest check that the lab finds
// each fault.
package inject

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"github.com/zmylab/zmy/lab/contender"
	"github.com/zmylab/zmy/lab/run"
)

// Type is the name of the subject's type.
const Type = "Msg"

// Subject returns the files of the module for injected contenders. Its test file does not compile,
// as may happen with users.
func Subject() map[string]string {
	return map[string]string{
		"go.mod":    "module example.com/subject\n\ngo 1.24\n",
		"msg.go":    "package subject\n\ntype Msg struct {\n\tID   string\n\tN    int\n\tTags []string\n}\n",
		"x_test.go": "package subject\n\nfunc broken( {\n",
	}
}

// Write writes files below dir.
func Write(dir string, files map[string]string) error {
	for name, text := range files {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// Code is what a contender does in addition to encoding/json, as Go statements. Encode can use v
// *Msg, Decode b []byte, and After the decoded v. Decl is placed at package level.
type Code struct {
	Encode, Decode, After, Decl string
}

// Contender returns a contender that runs encoding/json and the code.
func Contender(name string, c Code) contender.Info {
	src := strings.NewReplacer("NAME", name, "ENCODE", c.Encode, "DECODE", c.Decode, "AFTER", c.After, "DECL", c.Decl).Replace(template)
	return contender.Info{Name: name, Family: "json", Text: "injected",
		Generate: func(context.Context, *contender.Target, contender.Tools) (*contender.Sources, error) {
			return &contender.Sources{Package: map[string][]byte{"zz.go": []byte(src)}, Main: "zzNew()"}, nil
		}}
}

const template = `package subject

import (
	"encoding/json"
	"fmt"
	"os"
	"sync"
	"time"
	"unsafe"

	"zmylab.invalid/lab/worker"
)

var _ = fmt.Sprint(os.Args, time.Now(), unsafe.Pointer(nil), new(sync.Mutex))

DECL

func zzNew() worker.Contender[Msg] {
	return worker.Contender[Msg]{
		Name: "NAME", Family: "json",
		Encoders: []worker.Encoder[Msg]{{Mode: "fresh", New: func() func([]byte, *Msg) ([]byte, error) {
			return func(_ []byte, v *Msg) ([]byte, error) {
				ENCODE
				return json.Marshal(v)
			}
		}}},
		Decoders: []worker.Decoder[Msg]{{Mode: "fresh", New: func() func([]byte, *Msg) error {
			return func(b []byte, v *Msg) error {
				DECODE
				err := json.Unmarshal(b, v)
				AFTER
				return err
			}
		}}},
	}
}
`

// Bad is a contender that the lab must catch, or must let pass.
type Bad struct {
	Info   contender.Info
	Does   string // one line
	Status string // the status that it must end with
	Holds  string // a text that the run's evidence against it must contain
	Ranked bool   // whether it may be ranked if it is timed, since its fault harms nobody
}

// AllBad lists contenders with every kind of fault that the lab promises to catch, and Good, which
// has none.
func AllBad() []Bad {
	return []Bad{
		{Contender(Good, Code{}), "behaves", run.StatusMeasured, "", true},
		{Contender("lossy", Code{After: "v.N = 0"}), "loses a field", run.StatusMeasured, "N", false},
		{Contender("wrongjson", Code{Encode: "v = &Msg{ID: v.ID}"}), "leaves fields out of its JSON", run.StatusMeasured, "N", false},
		{Contender("aliasing", Code{After: "if len(b) > 20 { v.ID = unsafe.String(&b[7], len(v.ID)) }"}),
			"returns strings that lie in its input", run.StatusMeasured, "overwritten", false},
		{Contender("printing", Code{Encode: `fmt.Println("{\"id\":1}"); fmt.Fprintln(os.Stderr, "noise")`}),
			"prints on stdout and stderr", run.StatusMeasured, "", true},
		{Contender("panicking", Code{Decode: `panic("boom at decode")`}), "panics", run.StatusFailed, "boom at decode", false},
		{Contender("hanging", Code{Encode: "for { time.Sleep(time.Second) }"}), "never returns", run.StatusFailed, "time.Sleep(", false},
		{Contender("exiting", Code{Decode: "os.Exit(0)"}), "calls os.Exit(0)", run.StatusFailed, "os.Exit", false},
		{Contender("dying", Code{Decode: `fmt.Println("last words"); os.Exit(7)`}), "calls os.Exit(7)", run.StatusFailed, "exit status 7", false},
		{Contender("hungry", Code{Decl: "var zzHold [][]byte",
			Decode: "for range 10 << 30 / (8 << 20) { x := make([]byte, 8<<20); for i := 0; i < len(x); i += 4096 { x[i] = 1 }; zzHold " +
				"= append(zzHold, x) }"}),
			"allocates 10 GiB", run.StatusFailed, "of memory", false},
		{Contender("unbuildable", Code{Encode: "return 1"}), "does not compile", run.StatusFailed, "does not build", false},
		{Contender("fussy", Code{Decode: `if len(b) == 0 || b[len(b)-1] != '}' { panic("cut short") }`}), "panics on truncated input",
			run.StatusMeasured, "cut short", true},
		{Contender("noop", Code{Encode: `if v != nil { return []byte("{}"), nil }`, Decode: "if b != nil { return nil }"}),
			"does nothing, fast", run.StatusMeasured, "ID", false},
		{Contender("nodecode", Code{Decode: "if b != nil { return nil }"}), "encodes, and decodes nothing", run.StatusMeasured, "ID", false},
	}
}

// Good is the name of the contender without a fault.
const Good = "good"

// Evidence returns everything that a run reports against a contender, as one text.
func Evidence(c *run.Contender) string {
	var b strings.Builder
	if c.Why != nil {
		b.WriteString(c.Why.What + " " + c.Why.Where + " " + c.Why.Reason + " " + c.Why.Output)
	}
	for _, g := range []run.Grade{c.Contract, c.Value} {
		for _, d := range g.Diffs {
			b.WriteString(" " + d.Path + " " + d.Before + " " + d.After)
		}
	}
	for _, k := range c.Checks {
		if k.Result == "bad" {
			b.WriteString(" " + k.Name + ": " + k.Detail)
		}
	}
	return b.String() + " " + c.Rankless
}
