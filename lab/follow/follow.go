// Package follow carries out the steps that the lab advises, to the letter: it runs their commands,
// writes their files and compiles their calls. Tests use it to check the advice.
package follow

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/zmylab/zmy/lab/run"
)

// Error is returned for a step that could not be carried out. Output is what its command printed,
// if it has one.
type Error struct {
	Step   run.Step
	Output string
	Err    error
}

func (e *Error) Error() string {
	return fmt.Sprintf("%s: %v: %s", e.Step.Do, e.Err, strings.TrimSpace(e.Output))
}

func (e *Error) Unwrap() error { return e.Err }

// Steps carries out the steps of kinds shell and file in dir, the folder of the subject's package
// and of its go.mod. env is the environment of commands; nil means this process's environment. It
// ignores steps of kind calls: see [Calls].
func Steps(ctx context.Context, dir string, env []string, all []run.Step) error {
	for _, s := range all {
		switch s.Kind {
		case run.StepShell:
			cmd := exec.CommandContext(ctx, "sh", "-e", "-c", s.Code)
			cmd.Dir, cmd.Env = dir, env
			if out, err := cmd.CombinedOutput(); err != nil {
				return &Error{s, string(out), err}
			}
		case run.StepFile:
			if s.File == "" || s.File != filepath.Base(s.File) {
				return &Error{Step: s, Err: fmt.Errorf("%q is no name of a file", s.File)}
			}
			if err := os.WriteFile(filepath.Join(dir, s.File), []byte(s.Code), 0o644); err != nil {
				return &Error{Step: s, Err: err}
			}
		}
	}
	return nil
}

// Calls are the calls in a step of kind [run.StepCalls].
type Calls struct {
	Imports   []string // import specs: "a/b", j "a/json"
	Marshal   string   // the expression that replaces json.Marshal(v)
	Unmarshal string   // the statement that replaces err = json.Unmarshal(b, &v)
}

// ReadCalls parses the step of kind calls. ok is false if there is none.
func ReadCalls(all []run.Step) (c Calls, ok bool) {
	for _, s := range all {
		if s.Kind != run.StepCalls {
			continue
		}
		c = Calls{Marshal: "json.Marshal(v)", Unmarshal: "err = json.Unmarshal(b, &v)"} // for a step that changes only the import
		for line := range strings.Lines(s.Code) {
			line = strings.TrimSpace(line)
			if spec, is := strings.CutPrefix(line, "import "); is {
				c.Imports = append(c.Imports, spec)
			} else if call, is := strings.CutPrefix(line, "b, err := "); is {
				c.Marshal = call
			} else if line != "" {
				c.Unmarshal = line
			}
		}
		return c, true
	}
	return c, false
}

// Source returns a Go file of package pkg. Its function name marshals a value of type typ with the
// calls and unmarshals the result.
func (c Calls) Source(pkg, name, typ string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "package %s\n\n", pkg)
	for _, spec := range c.Imports {
		fmt.Fprintf(&b, "import %s\n", spec)
	}
	fmt.Fprintf(&b, `
func %[1]s(v %[2]s) (%[2]s, []byte, error) {
	b, err := %[3]s
	if err != nil {
		return v, nil, err
	}
	var zero %[2]s
	v = zero
	%[4]s
	return v, b, err
}
`, name, typ, c.Marshal, c.Unmarshal)
	return b.String()
}
