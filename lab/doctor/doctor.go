// Package doctor reports what this machine has and lacks for the lab, what each lack costs, and the
// command that mends it.
//
// NOTE, the map: machine.go looks at /proc and /sys, tools.go at programs, the Go installation and
// its module cache.
package doctor

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

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

func fine(name, value string) Finding { return Finding{Name: name, State: OK, Value: value} }

func unknown(name string) Finding { return Finding{Name: name, State: Unknown, Value: "not shown"} }

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
	return !slices.ContainsFunc(all, func(f Finding) bool { return f.State == Broken })
}

// JSON writes the findings as an array of objects.
func JSON(w io.Writer, all []Finding) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(all)
}

// Text writes one line for each finding, and below it what the lack costs and what mends it.
func Text(w io.Writer, all []Finding) error {
	var b strings.Builder
	wide := 0
	for _, f := range all {
		wide = max(wide, len(f.Name))
	}
	lacks := 0
	for _, f := range all {
		fmt.Fprintf(&b, "%-8s %-*s  %s\n", f.State, wide, f.Name, f.Value)
		if f.State != OK && f.State != Unknown {
			lacks++
		}
		for _, note := range []struct{ mark, text string }{{"costs", f.Costs}, {"mend", f.Mend}} {
			if note.text != "" {
				fmt.Fprintf(&b, "%*s%-6s %s\n", 9+wide+2, "", note.mark+":", note.text)
			}
		}
	}
	switch {
	case !Usable(all):
		b.WriteString("\nThe lab cannot measure here: mend what is broken.\n")
	case lacks == 0:
		b.WriteString("\nNothing is missing.\n")
	default:
		fmt.Fprintf(&b, "\nThe lab works; %d of %d points cost something. It says in each report what that means for its figures.\n",
			lacks, len(all))
	}
	_, err := io.WriteString(w, b.String())
	return err
}
