// Package doctor says what this machine has and lacks for the lab, what each lack
// costs, and the command that mends it.
//
// NOTE, the map: machine.go looks at /proc and /sys, tools.go at programs, the Go
// installation and its module cache; print.go draws the answer.
package doctor

import (
	"context"
	"io/fs"
	"os"

	"github.com/zmylab/zmy/lab/run"
)

// State of a finding.
const (
	OK      = "ok"
	Warn    = "warn"    // figures suffer
	Missing = "missing" // something cannot be measured
	Broken  = "broken"  // nothing can be measured
	Unknown = "unknown" // this machine does not say
)

// Finding is one thing that was looked at.
type Finding struct {
	Name  string `json:"name"` // governor
	State string `json:"state"`
	Value string `json:"value"`           // what was found, in a few words
	Costs string `json:"costs,omitempty"` // what the user loses
	Mend  string `json:"mend,omitempty"`  // the command that mends it, or who can
}

// Options say where to look; the zero value is this machine.
type Options struct {
	Root    fs.FS    // holds proc and sys; nil: /
	GOOS    string   // "": that of this program
	Cores   int      // 0: those of this machine
	Env     []string // of go commands; nil: the process's
	Modules []Pinned // what the contenders require
	Dir     string   // where temporary workspaces are made, "" for the system's
}

// Pinned is what one contender requires.
type Pinned struct {
	Contender string
	Modules   []run.Module
}

// Examine looks at everything. It writes nothing outside of temporary folders, and
// asks the network for one module's version.
func Examine(ctx context.Context, o Options) []Finding {
	if o.Root == nil {
		o.Root = os.DirFS("/")
	}
	out := goFindings(ctx, o)
	out = append(out, machine(o)...)
	return append(out, tools()...)
}

// Usable reports whether the lab can measure at all.
func Usable(all []Finding) bool {
	for _, f := range all {
		if f.State == Broken {
			return false
		}
	}
	return true
}
