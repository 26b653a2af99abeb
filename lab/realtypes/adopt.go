package realtypes

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/zmylab/zmy/lab/follow"
	"github.com/zmylab/zmy/lab/run"
)

// follow carries out the steps to the letter and builds the module. If that fails, it restores the
// module.
func (m *module) follow(ctx context.Context, steps []run.Step) (*follow.Calls, error) {
	calls, ok := follow.ReadCalls(steps)
	if !ok {
		return nil, fmt.Errorf("the steps name no calls: %+v", steps)
	}
	before, err := m.snapshot()
	if err != nil {
		return nil, err
	}
	err = m.take(ctx, steps)
	if err != nil {
		if back := m.restore(before); back != nil {
			return nil, back
		}
		return nil, err
	}
	return &calls, nil
}

func (m *module) take(ctx context.Context, steps []run.Step) error {
	// The steps ask to clone this repository; a link to the clone replaces that.
	if err := os.Symlink(m.clone, filepath.Join(filepath.Dir(m.dir), "zmy")); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	if err := follow.Steps(ctx, m.dir, m.env(), steps); err != nil {
		var step *follow.Error
		if errors.As(err, &step) {
			return &stepError{step.Step.Do, step.Output}
		}
		return err
	}
	for _, args := range [][]string{{"build", "./..."}, {"vet", "."}} {
		if out, err := m.run(ctx, "go", args...); err != nil {
			return &stepError{"go " + args[0], out}
		}
	}
	return nil
}

// stepError is the error for a command of a step that failed.
type stepError struct{ command, output string }

func (e *stepError) Error() string {
	return e.command + ": " + strings.TrimSpace(e.output)
}

// snapshot reads the files in the module's root folder.
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
