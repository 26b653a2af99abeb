// Package follow does what the lab's next steps say, to the letter: it runs their commands,
// writes their files and compiles their calls. Tests hold the advice to it.
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

// Error is a step that could not be followed, with what its command printed.
type Error struct {
	Step   run.Step
	Output string
	Err    error
}

func (e *Error) Error() string {
	return fmt.Sprintf("%s: %v: %s", e.Step.Do, e.Err, strings.TrimSpace(e.Output))
}

func (e *Error) Unwrap() error { return e.Err }

// Steps follows all in dir, the folder of the subject's package and of its go.mod, with the
// environment env (nil: that of this process). It does not change calls: see [Calls].
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

// Calls are the calls of a step of kind [run.StepCalls].
type Calls struct {
	Imports   []string // specs: "a/b", j "a/json"
	Marshal   string   // what json.Marshal(v) becomes
	Unmarshal string   // the statement for err = json.Unmarshal(b, &v)
}

// ReadCalls takes the step of kind calls apart; ok is false if there is none.
func ReadCalls(all []run.Step) (c Calls, ok bool) {
	for _, s := range all {
		if s.Kind != run.StepCalls {
			continue
		}
		c = Calls{Marshal: "json.Marshal(v)", Unmarshal: "err = json.Unmarshal(b, &v)"} // where only the import changes
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

// Source is a Go file of package pkg whose function name carries a value of type typ there
// and back by the calls.
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
