package realtypes

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// steps is what the lab advises for one codec, taken apart.
type steps struct {
	inClone   []string // commands to run in a clone of this repository
	here      []string // commands to run in the user's module
	generate  string   // the go:generate line
	imports   string   // import path of the calls
	marshal   string   // what json.Marshal(v) becomes
	unmarshal string   // what json.Unmarshal(b, &v) becomes
}

// parseSteps reads the lines that the lab prints for a codec. It fails on a line of which
// it does not know what a user is to do.
func parseSteps(codec string, lines []string) (*steps, error) {
	s := &steps{}
	for _, line := range lines {
		text, ok := strings.CutPrefix(line, codec+": ")
		if !ok {
			return nil, fmt.Errorf("step %q is not of %s", line, codec)
		}
		switch {
		case strings.HasPrefix(text, "in a clone of "):
			_, text, _ = strings.Cut(text, ": ") // behind the clone's address
			clone, here, _ := strings.Cut(text, "; here: ")
			s.inClone, s.here = append(s.inClone, clone), append(s.here, here)
		case strings.HasPrefix(text, "//go:generate "):
			s.generate = text
		case strings.Contains(text, "json.Marshal(v) → "):
			if rest, ok := strings.CutPrefix(text, `import "`); ok {
				s.imports, text, _ = strings.Cut(rest, `"; `)
			}
			marshal, unmarshal, ok := strings.Cut(text, "; json.Unmarshal(b, &v) → ")
			if !ok {
				return nil, fmt.Errorf("step %q names no call for json.Unmarshal", line)
			}
			s.marshal, s.unmarshal = strings.TrimPrefix(marshal, "json.Marshal(v) → "), unmarshal
		default:
			return nil, fmt.Errorf("step %q: what is to be done?", line)
		}
	}
	if s.generate == "" || s.marshal == "" || s.unmarshal == "" {
		return nil, fmt.Errorf("the steps of %s name no command or no calls: %q", codec, lines)
	}
	return s, nil
}

// follow does what the steps say and builds the module. On failure the module is as it was.
func (m *module) follow(ctx context.Context, s *steps) error {
	before, err := m.snapshot()
	if err != nil {
		return err
	}
	err = m.take(ctx, s)
	if err != nil {
		if back := m.restore(before); back != nil {
			return back
		}
	}
	return err
}

func (m *module) take(ctx context.Context, s *steps) error {
	for _, line := range s.inClone {
		if out, err := m.runIn(ctx, m.clone, "sh", "-c", line); err != nil {
			return fmt.Errorf("%w: %.600s", err, out)
		}
	}
	for _, line := range s.here {
		line = strings.ReplaceAll(line, "=CLONE", "="+m.clone)
		if out, err := m.run(ctx, "sh", "-c", line); err != nil {
			return fmt.Errorf("%w: %.600s", err, out)
		}
	}
	name := filepath.Join(m.dir, "subject.go")
	if err := os.WriteFile(name, m.typ.source([]string{s.generate}), 0o644); err != nil {
		return err
	}
	for _, args := range [][]string{{"generate", "."}, {"build", "./..."}, {"vet", "."}} {
		if out, err := m.run(ctx, "go", args...); err != nil {
			return &stepError{"go " + args[0], out}
		}
	}
	return nil
}

// stepError is a command of a step that failed.
type stepError struct{ command, output string }

func (e *stepError) Error() string {
	return e.command + ": " + strings.TrimSpace(e.output)
}

// snapshot reads the files of the module's root folder.
func (m *module) snapshot() (map[string][]byte, error) {
	names, err := fs.Glob(os.DirFS(m.dir), "*.*")
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	for _, name := range names {
		if files[name], err = os.ReadFile(filepath.Join(m.dir, name)); err != nil {
			return nil, err
		}
	}
	return files, nil
}

func (m *module) restore(files map[string][]byte) error {
	now, err := m.snapshot()
	if err != nil {
		return err
	}
	for name := range now {
		if _, was := files[name]; !was {
			if err := os.Remove(filepath.Join(m.dir, name)); err != nil {
				return err
			}
		}
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(m.dir, name), text, 0o644); err != nil {
			return err
		}
	}
	return nil
}
