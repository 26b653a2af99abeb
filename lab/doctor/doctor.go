// Package doctor reports what this machine has and lacks for the lab, what each lack costs, and the
// command that mends it.
//
// NOTE, the map: machine.go looks at /proc and /sys, tools.go at programs, the Go installation and
// its module cache, print.go prints the findings.
package doctor

import (
	"context"
	"io/fs"
	"os"

	"github.com/zmylab/zmy/lab/run"
)

// The states of a finding.
const (
	OK      = "ok"
	Warn    = "warn"    // measurements are less precise
	Missing = "missing" // something cannot be measured
	Broken  = "broken"  // nothing can be measured
	Unknown = "unknown" // this machine does not tell
)

// Finding is the result of one check.
type Finding struct {
	Name  string `json:"name"` // governor
	State string `json:"state"`
	Value string `json:"value"`           // what was found, in a few words
	Costs string `json:"costs,omitempty"` // what the user loses
	Mend  string `json:"mend,omitempty"`  // the command that mends it, or who can mend it
}

// Options say where to look. The zero value means this machine.
type Options struct {
	Root    fs.FS    // holds proc and sys; nil: /
	GOOS    string   // "": this program's
	Cores   int      // 0: this machine's
	Env     []string // of go commands; nil: this process's
	Modules []Pinned // what the contenders require
	Dir     string   // where temporary workspaces are made; "": the system's folder
}

// Pinned lists the modules that one contender requires.
type Pinned struct {
	Contender string
	Modules   []run.Module
}

// Examine runs all checks. It writes only into temporary folders. It asks the module proxy for one
// module's versions.
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
