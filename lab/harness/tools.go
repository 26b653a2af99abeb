package harness

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/zmylab/zmy/lab/contender"
)

// tools implements contender.Tools for one contender.
type tools struct {
	w    *Workspace
	info contender.Info
}

// toolTime bounds a generator that runs inside the subject's package.
const toolTime = 2 * time.Minute

// RunInPackage builds a program from the sources, runs it in an empty folder, and returns the files
// that it wrote there.
func (t *tools) RunInPackage(ctx context.Context, src *contender.Sources) (map[string][]byte, error) {
	root := filepath.Join(t.w.dir, "tool")
	if err := os.MkdirAll(root, 0o755); err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp(root, t.info.Name+"-")
	if err != nil {
		return nil, err
	}
	if _, err := t.w.compile(ctx, dir, t.info, src, toolFile(t.w.cfg.Subject, src)); err != nil {
		return nil, err
	}
	out := filepath.Join(dir, "out")
	if err := os.MkdirAll(out, 0o755); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, toolTime)
	defer cancel()
	cmd := command(ctx, filepath.Join(dir, "worker"))
	cmd.Dir = out
	cmd.Env = append(slices.Clone(t.w.work().Env), "PWD="+out)
	if text, err := cmd.CombinedOutput(); err != nil {
		return nil, t.w.failed([]string{"the generator of", t.info.Name}, text, err)
	}
	return readTree(out)
}

func readTree(dir string) (map[string][]byte, error) {
	files := map[string][]byte{}
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(dir, p)
		if err != nil {
			return err
		}
		data, err := os.ReadFile(p)
		files[filepath.ToSlash(rel)] = data
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("what the generator wrote: %w", err)
	}
	return files, nil
}
