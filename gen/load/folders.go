package load

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/zmylab/zmy/gen/gocmd"
)

// Folders expands patterns. A pattern without "..." is kept. A pattern with "..." is replaced by
// the folders of the packages that it matches, relative to the current folder if they lie below it.
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

// relative returns dir relative to base, or dir itself if it does not lie below base.
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
