package load

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/zmylab/zmy/gen/gocmd"
)

// Folders lists what patterns name: a pattern without "..." stays as it is, one
// with stands for the folders of the packages that it matches, relative to the
// current folder where they lie below.
func Folders(ctx context.Context, cfg Config, patterns ...string) (out []string, err error) {
	for _, pattern := range patterns {
		if !strings.Contains(pattern, "...") {
			out = append(out, pattern)
			continue
		}
		found, err := packages.Load(&packages.Config{
			Mode: packages.NeedName | packages.NeedFiles, Context: ctx, Dir: cfg.Dir, Env: gocmd.Env(cfg.Dir, cfg.Env),
			BuildFlags: cfg.BuildFlags,
		}, pattern)
		if err != nil {
			return nil, explain(pattern, err.Error())
		}
		n := len(out)
		for _, p := range found {
			if len(p.GoFiles) > 0 {
				out = append(out, relative(filepath.Dir(p.GoFiles[0]), cfg.Dir))
			}
		}
		if len(out) == n {
			return nil, fmt.Errorf("%s matches no package", pattern)
		}
	}
	return out, nil
}

// relative is dir as seen from the folder base, if it lies below.
func relative(dir, base string) string {
	base, err := filepath.Abs(base)
	if err != nil {
		return dir
	}
	rel, err := filepath.Rel(base, dir)
	if err != nil || strings.HasPrefix(rel, "..") {
		return dir
	}
	return "./" + filepath.ToSlash(rel)
}
