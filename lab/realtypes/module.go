package realtypes

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/zmylab/zmy/codec/capture/fit"
	"github.com/zmylab/zmy/lab/contender"
	"github.com/zmylab/zmy/lab/follow"
)

// Unreachable is the error for a module proxy that cannot be reached.
type Unreachable struct{ Output string }

func (e *Unreachable) Error() string {
	return "the module proxy cannot be reached: " + e.Output
}

// module is a user's module in a temporary folder.
type module struct {
	typ   *Type
	dir   string
	clone string // this repository's folder
	bin   string // folder for the tools that steps install
	docs  string // file with the documents
}

// newModule writes the module of a type into the empty folder dir and fetches its requirements.
func newModule(ctx context.Context, t *Type, o Options, dir string) (*module, error) {
	m := &module{typ: t, dir: filepath.Join(dir, "subject"), clone: o.Clone, bin: o.Bin, docs: filepath.Join(dir, "documents.ndjson")}
	if err := t.Write(m.dir, m.docs); err != nil {
		return nil, err
	}
	if out, err := m.run(ctx, "go", "list", "-deps", "."); err != nil {
		if unreachable(out) {
			return nil, &Unreachable{lastLine(out)}
		}
		return nil, fmt.Errorf("%s: %w: %s", t.Name, err, out)
	}
	return m, nil
}

// Write writes a module with the type into folder dir, and its documents to the file docs.
func (t *Type) Write(dir, docs string) error {
	mod, sum, err := t.pinned()
	if err != nil {
		return err
	}
	text, err := t.documents()
	if err != nil {
		return err
	}
	return errors.Join(os.MkdirAll(dir, 0o755),
		os.WriteFile(docs, text, 0o644),
		os.WriteFile(filepath.Join(dir, "go.mod"), mod, 0o644),
		os.WriteFile(filepath.Join(dir, "go.sum"), sum, 0o644),
		os.WriteFile(filepath.Join(dir, "subject.go"), t.source(nil), 0o644))
}

// unreachable reports whether the output of a go command shows that a module proxy did not answer.
// A proxy that answers with a refusal does not count.
func unreachable(out string) bool {
	for _, s := range []string{"dial tcp", "no such host", "i/o timeout", "connection refused", "network is unreachable",
		"TLS handshake timeout", "module lookup disabled by GOPROXY=off"} {
		if strings.Contains(out, s) {
			return true
		}
	}
	return false
}

func lastLine(out string) string {
	lines := strings.Split(strings.TrimSpace(out), "\n")
	return lines[len(lines)-1]
}

// env returns the environment for commands: PATH begins with the folder of the tools that steps
// install.
func (m *module) env() []string {
	return append(os.Environ(), "GOBIN="+m.bin, "PATH="+m.bin+string(os.PathListSeparator)+os.Getenv("PATH"))
}

// run runs a command in the module and returns everything that it printed.
func (m *module) run(ctx context.Context, name string, args ...string) (string, error) {
	return m.runIn(ctx, m.dir, name, args...)
}

// runIn runs a command in a folder. The folder is outside of any workspace.
func (m *module) runIn(ctx context.Context, dir, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Env = dir, m.env()
	out, err := cmd.CombinedOutput()
	if err != nil {
		err = fmt.Errorf("%s: %w", strings.Join(append([]string{name}, args...), " "), err)
	}
	return string(out), err
}

// oracle writes the judge's source into a folder next to the module's, and makes the module require
// it.
func (m *module) oracle(ctx context.Context) error {
	to := filepath.Join(filepath.Dir(m.dir), "lab")
	files, err := contender.Files(os.DirFS(filepath.Join(m.clone, "lab")), "values/*.go", "fidelity/*.go", "realtypes/oracle/*.go")
	if err != nil {
		return err
	}
	fits, err := contender.Files(fit.Source, "*.go")
	if err != nil {
		return err
	}
	for name, text := range fits {
		files["fit/"+name] = text
	}
	for name, text := range files {
		name = filepath.Join(to, strings.TrimPrefix(name, "realtypes/"))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(name, text, 0o644); err != nil {
			return err
		}
	}
	mod := "module " + contender.LabPath + "\n\ngo 1.24\n"
	if err := os.WriteFile(filepath.Join(to, "go.mod"), []byte(mod), 0o644); err != nil {
		return err
	}
	out, err := m.run(ctx, "go", "mod", "edit", "-require", contender.LabPath+"@v0.0.0", "-replace", contender.LabPath+"="+to)
	if err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	return nil
}

// check builds the judge with the calls that the lab advised, and runs it.
func (m *module) check(ctx context.Context, calls map[string]*follow.Calls, leavesOut []string) (*judged, error) {
	dir := filepath.Join(m.dir, "check")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(dir, "main.go"), m.program(calls, leavesOut), 0o644); err != nil {
		return nil, err
	}
	bin := filepath.Join(filepath.Dir(m.dir), "check.bin")
	if out, err := m.run(ctx, "go", "build", "-o", bin, "./check"); err != nil {
		return nil, fmt.Errorf("%w: %s", err, out)
	}
	cmd := exec.CommandContext(ctx, bin)
	cmd.Dir = m.dir
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("the judge: %w: %.2000s", err, stderr.String())
	}
	return readJudged(stdout.Bytes())
}

// program returns the source of the judge's main package. leavesOut are the fields that zmy does
// not carry.
func (m *module) program(calls map[string]*follow.Calls, leavesOut []string) []byte {
	path := "realtypes.invalid/" + m.typ.Name
	typ := "subject." + m.typ.Subject()
	var b strings.Builder
	fmt.Fprintf(&b, "package main\n\nimport (\n\tsubject %q\n\t%q\n", path, contender.LabPath+"/oracle")
	seen := map[string]bool{}
	for _, s := range calls {
		for _, spec := range s.Imports {
			if !seen[spec] {
				seen[spec] = true
				fmt.Fprintf(&b, "\t%s\n", spec)
			}
		}
	}
	fmt.Fprintf(&b, ")\n\ntype plain %s\n\nfunc main() {\n\toracle.Main(oracle.Subject[%s]{\n\t\tDocuments: %q,\n", typ, typ, m.docs)
	fmt.Fprintf(&b, "\t\tPlain: func(v *%s) any { return (*plain)(v) },\n", typ)
	for field, codec := range map[string]string{"JSON": "fxjson", "ZMY": "zmy"} {
		s := calls[codec]
		if s == nil {
			continue
		}
		fmt.Fprintf(&b, "\t\t%s: &oracle.Codec[%s]{\n", field, typ)
		fmt.Fprintf(&b, "\t\t\tMarshal: func(v *%s) ([]byte, error) { return %s },\n", typ, s.Marshal)
		fmt.Fprintf(&b, "\t\t\tUnmarshal: func(b []byte, to *%s) error {\n\t\t\t\tvar v %s\n\t\t\t\tvar err "+
			"error\n\t\t\t\t%s\n\t\t\t\t*to = v\n\t\t\t\treturn err\n\t\t\t},\n",
			typ, typ, s.Unmarshal)
		b.WriteString("\t\t},\n")
	}
	if len(leavesOut) > 0 {
		fmt.Fprintf(&b, "\t\tLeavesOut: %#v,\n", leavesOut)
	}
	b.WriteString("\t})\n}\n")
	return []byte(b.String())
}
