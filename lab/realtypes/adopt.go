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
	before := m.dir + ".before"
	if err := os.CopyFS(before, os.DirFS(m.dir)); err != nil {
		return nil, err
	}
	if err := m.take(ctx, steps); err != nil {
		if back := errors.Join(os.RemoveAll(m.dir), os.Rename(before, m.dir)); back != nil {
			return nil, back
		}
		return nil, err
	}
	if err := os.RemoveAll(before); err != nil {
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
