package adopt

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Dirty returns the files of the module that git reports as changed or untracked, other than the
// files that this package writes. It returns none if the module is in no git repository, or if there
// is no git.
func Dirty(ctx context.Context, dir string) ([]string, error) {
	if _, err := exec.LookPath("git"); err != nil || !inGit(dir) {
		return nil, nil
	}
	cmd := exec.CommandContext(ctx, "git", "status", "--porcelain", "-z", "--no-renames", "--", ".")
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		return nil, err
	}
	var files []string
	for _, entry := range strings.Split(string(out), "\x00") {
		if len(entry) < 4 {
			continue
		}
		name := entry[3:]
		base := filepath.Base(name)
		if strings.HasPrefix(base, "adopt-") && (strings.HasSuffix(base, ".patch") || strings.HasSuffix(base, ".undo")) {
			continue
		}
		files = append(files, name)
	}
	return files, nil
}

// inGit reports whether a folder lies in a git work tree.
func inGit(dir string) bool {
	for {
		if _, err := os.Stat(filepath.Join(dir, ".git")); err == nil {
			return true
		}
		up := filepath.Dir(dir)
		if up == dir {
			return false
		}
		dir = up
	}
}

// Module returns the folder of the module that dir is in.
func Module(ctx context.Context, dir string) (string, error) {
	p, err := find(ctx, dir)
	if err != nil {
		return "", err
	}
	return p.dir, nil
}

// SavePatch writes the patch beside go.mod and returns its path.
func SavePatch(r *Result) (string, error) {
	return filepath.Join(r.Dir, PatchName(r.Codec)), put(r.Dir, PatchName(r.Codec), Patch(r.Changes), 0o644)
}
