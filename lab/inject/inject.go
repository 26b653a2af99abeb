// Package inject makes contenders with known faults: they take more time by a known amount, lose a
// known part of a value, or break in a known way. Tests and tools/selftest check that the lab finds
// each fault.
package inject

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
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

// Code is what a contender does in place of, or in addition to, encoding/json. Encode and Decode
// are Go statements at the start of the functions zzEncode(v) and zzDecode(b, v); if they do not
// return, encoding/json does the rest. Decl is placed at package level.
type Code struct {
	Encode, Decode, Decl string
	Family               string // "" means json
}

// Contender returns a contender on type [Type] that runs the code.
func Contender(name string, c Code) contender.Info { return c.info(name, Type) }

// info returns a contender on the named type of the subject's package.
func (c Code) info(name, typ string) contender.Info {
	src := strings.NewReplacer("TYPE", typ, "ENCODE", c.Encode, "DECODE", c.Decode, "DECL", c.Decl).Replace(template)
	return contender.Info{Name: name, Family: cmp.Or(c.Family, "json"), Text: "injected",
		Generate: func(context.Context, *contender.Target, contender.Tools) (*contender.Sources, error) {
			return &contender.Sources{Package: map[string][]byte{"zz.go": []byte(src)}, Main: "zzNew()"}, nil
		}}
}

// template imports every package that some contender's code uses; the list of values keeps the
// compiler from refusing the imports that this contender does not use.
const template = `package subject

import (
	"bytes"
	"encoding/binary"
	"encoding/gob"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"
	"unsafe"

	"zmylab.invalid/lab/worker"
)

var _ = []any{json.Marshal, bytes.Clone, binary.LittleEndian, gob.NewEncoder, errors.New, fmt.Sprint,
	maps.Clone[map[int]int], math.Inf, os.Args, filepath.Join,
	reflect.TypeOf, runtime.GC,
	debug.SetGCPercent, slices.Clone[[]int], strings.Cut, new(sync.Mutex), time.Now, unsafe.Pointer(nil)}

DECL

func zzEncode(v *TYPE) ([]byte, error) {
	ENCODE
	return json.Marshal(v)
}

func zzDecode(b []byte, v *TYPE) error {
	DECODE
	return json.Unmarshal(b, v)
}

func zzNew() worker.Contender[TYPE] {
	return worker.Contender[TYPE]{
		Encoders: []worker.Encoder[TYPE]{{Mode: "fresh", New: func() func([]byte, *TYPE) ([]byte, error) {
			return func(_ []byte, v *TYPE) ([]byte, error) { return zzEncode(v) }
		}}},
		Decoders: []worker.Decoder[TYPE]{{Mode: "fresh", New: func() func([]byte, *TYPE) error { return zzDecode }}},
	}
}
`

// Case is a contender, and what the lab must find out about it.
type Case struct {
	Info   contender.Info
	Does   string // one line
	Status string // the status that it must end with
	Holds  string // a text that the run's evidence against it must contain
	Ranked bool   // whether it may be ranked if it is timed, since its fault harms nobody
	Honest bool   // the twin of a cheat that must be ranked, and not be blamed for anything
	Check  string // the check that must be bad
	Grade  string // the expected grade of the values, if that is what exposes it
	Noisy  bool   // it is found by timing: undecided on a busy machine
	Long   bool   // not in the quick form, which has others of its kind
	Later  bool   // it starts to cheat after some thousand calls, possibly while several goroutines call it
}

// AllBad lists contenders with every kind of fault that the lab promises to catch, and Good, which
// has none.
func AllBad() []Case {
	var out []Case
	add := func(name, does, status, holds string, ranked bool, c Code) {
		out = append(out, Case{Info: Contender(name, c), Does: does, Status: status, Holds: holds, Ranked: ranked})
	}
	add(Good, "behaves", run.StatusMeasured, "", true, Code{})
	add("lossy", "loses a field", run.StatusMeasured, "N", false, Code{Decode: "err := json.Unmarshal(b, v); v.N = 0; return err"})
	add("wrongjson", "leaves fields out of its JSON", run.StatusMeasured, "N", false, Code{Encode: "v = &Msg{ID: v.ID}"})
	add("aliasing", "returns strings that lie in its input", run.StatusMeasured, "overwritten", false,
		Code{Decode: "err := json.Unmarshal(b, v); if len(b) > 20 { v.ID = unsafe.String(&b[7], len(v.ID)) }; return err"})
	add("printing", "prints on stdout and stderr", run.StatusMeasured, "", true,
		Code{Encode: `fmt.Println("{\"id\":1}"); fmt.Fprintln(os.Stderr, "noise")`})
	add("panicking", "panics", run.StatusFailed, "boom at decode", false, Code{Decode: `panic("boom at decode")`})
	add("hanging", "never returns", run.StatusFailed, "time.Sleep(", false, Code{Encode: "for { time.Sleep(time.Second) }"})
	add("exiting", "calls os.Exit(0)", run.StatusFailed, "os.Exit", false, Code{Decode: "os.Exit(0)"})
	add("dying", "calls os.Exit(7)", run.StatusFailed, "exit status 7", false, Code{Decode: `fmt.Println("last words"); os.Exit(7)`})
	add("hungry", "allocates 10 GiB", run.StatusFailed, "of memory", false, Code{Decl: "var zzHold [][]byte",
		Decode: "for range 10 << 30 / (8 << 20) { x := make([]byte, 8<<20); for i := 0; i < len(x); i += 4096 { x[i] = 1 }; zzHold " +
			"= append(zzHold, x) }"})
	add("unbuildable", "does not compile", run.StatusFailed, "does not build", false, Code{Encode: "return 1"})
	add("fussy", "panics on truncated input", run.StatusMeasured, "cut short", true,
		Code{Decode: `if len(b) == 0 || b[len(b)-1] != '}' { panic("cut short") }`})
	add("noop", "does nothing, fast", run.StatusMeasured, "ID", false,
		Code{Encode: `if v != nil { return []byte("{}"), nil }`, Decode: "if b != nil { return nil }"})
	add("nodecode", "encodes, and decodes nothing", run.StatusMeasured, "ID", false, Code{Decode: "if b != nil { return nil }"})
	return out
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

// TreeHash returns a hash over the names, modes, times and contents in a folder. Tests use it to
// show that a run of the lab does not change the user's folder.
func TreeHash(dir string) (string, error) {
	sum := sha256.New()
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		fmt.Fprintln(sum, p, info.Mode(), info.ModTime())
		if d.IsDir() {
			return nil
		}
		data, err := os.ReadFile(p)
		sum.Write(data)
		return err
	})
	return hex.EncodeToString(sum.Sum(nil)), err
}
