package gate

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/zmylab/zmy/gen/gocmd"
	"github.com/zmylab/zmy/lab"
)

// repository is the user's git repository, with the commit to compare with.
type repository struct {
	top    string // its folder
	sub    string // the package's folder, relative to top
	ref    string // the commit as the user named it
	commit string // the commit's hash
	short  string // the abbreviated hash
}

// name returns the commit's name for messages.
func (r *repository) name() string {
	if strings.HasPrefix(r.commit, r.ref) {
		return r.short
	}
	return r.ref + " (" + r.short + ")"
}

// find asks git for the repository that contains a package's folder, and for the commit.
func find(ctx context.Context, dir, ref string) (*repository, error) {
	if _, err := exec.LookPath("git"); err != nil {
		return nil, lab.Usagef("git is not in PATH: the gate takes the package's earlier state from it; install git")
	}
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return nil, err
	}
	top, err := git(ctx, dir, nil, "rev-parse", "--show-toplevel")
	if err != nil {
		return nil, lab.Usagef("%s: the gate compares with a commit, and git finds no repository around this folder: %v\n→ run it on a "+
			"package inside of one", dir, err)
	}
	if top, err = filepath.EvalSymlinks(top); err != nil {
		return nil, err
	}
	r := &repository{top: top, ref: ref}
	if r.sub, err = filepath.Rel(top, dir); err != nil || !filepath.IsLocal(r.sub) {
		return nil, lab.Usagef("%s lies outside of %s, the repository that git names for it", dir, top)
	}
	if r.commit, err = git(ctx, top, nil, "rev-parse", "--verify", "--quiet", "--end-of-options", ref+"^{commit}"); err != nil {
		return nil, r.unknown(ctx)
	}
	r.short, err = git(ctx, top, nil, "rev-parse", "--short", r.commit)
	return r, err
}

// unknown returns an error for a name that git does not know, with a suggestion.
func (r *repository) unknown(ctx context.Context) error {
	next := "name a branch, tag or commit that `git log` shows"
	if _, err := git(ctx, r.top, nil, "rev-parse", "--verify", "--quiet", "--end-of-options", "origin/"+r.ref+"^{commit}"); err == nil {
		next = "did you mean -baseline origin/" + r.ref + "?"
	} else if shallow, _ := git(ctx, r.top, nil, "rev-parse", "--is-shallow-repository"); shallow == "true" {
		next = "this clone is shallow, so run `git fetch --unshallow` first; with actions/checkout say fetch-depth: 0"
	}
	return lab.Usagef("-baseline %s: the repository in %s has no such commit\n→ %s", r.ref, r.top, next)
}

// checkOut writes the commit's files and those of its submodules into dir. It uses an index of its
// own. So it changes neither the user's files nor their index nor their list of worktrees, and if
// this process is killed there is nothing to prune. The warnings name submodules that are not
// available.
func (r *repository) checkOut(ctx context.Context, dir string) (warnings []string, err error) {
	return checkOut(ctx, r.top, r.commit, dir, dir+".index")
}

// checkOut checks out one repository and calls itself for its submodules. These lie in repositories
// of their own, at the commit that the outer one names.
func checkOut(ctx context.Context, top, commit, dir, index string) (warnings []string, err error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	env := []string{"GIT_INDEX_FILE=" + index}
	for _, args := range [][]string{
		{"read-tree", commit},
		{"checkout-index", "--all", "--force", "--prefix=" + dir + string(filepath.Separator)},
	} {
		if _, err := git(ctx, top, env, append([]string{"-c", "core.sparseCheckout=false"}, args...)...); err != nil {
			return nil, fmt.Errorf("git %s of %s in %s: %w", args[0], commit, top, err)
		}
	}
	if err := os.Remove(index); err != nil {
		return nil, err
	}
	subs, err := submodules(ctx, top, commit)
	if err != nil {
		return nil, err
	}
	for _, s := range subs {
		home := filepath.Join(top, s.path)
		if _, err := os.Stat(filepath.Join(home, ".git")); err != nil {
			warnings = append(warnings, fmt.Sprintf("submodule %s is not checked out here, so it is left out of the commit: git "+
				"submodule update --init fetches it", s.path))
			continue
		}
		if _, err := git(ctx, home, nil, "cat-file", "-e", s.commit+"^{commit}"); err != nil {
			warnings = append(warnings, fmt.Sprintf("submodule %s does not have its commit %.10s here, so it is left out: git -C %s "+
				"fetch brings it", s.path, s.commit, s.path))
			continue
		}
		more, err := checkOut(ctx, home, s.commit, filepath.Join(dir, s.path), index)
		if err != nil {
			return nil, err
		}
		warnings = append(warnings, more...)
	}
	return warnings, nil
}

// submodule is a repository inside another one, at the commit that the outer one names.
type submodule struct{ path, commit string }

// submodules lists the submodules of a commit.
func submodules(ctx context.Context, top, commit string) ([]submodule, error) {
	list, err := git(ctx, top, nil, "ls-tree", "-r", "-z", "--full-tree", commit)
	if err != nil {
		return nil, fmt.Errorf("git ls-tree %s in %s: %w", commit, top, err)
	}
	var out []submodule
	for line := range strings.SplitSeq(list, "\x00") {
		head, path, _ := strings.Cut(line, "\t")
		if f := strings.Fields(head); len(f) == 3 && f[1] == "commit" {
			out = append(out, submodule{filepath.FromSlash(path), f[2]})
		}
	}
	return out, nil
}

// mapped returns where a folder of the repository is in the check-out. It returns other folders
// unchanged.
func (r *repository) mapped(dir, tree string) string {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return dir
	}
	if real, err := filepath.EvalSymlinks(abs); err == nil {
		abs = real
	}
	if rel, err := filepath.Rel(r.top, abs); err == nil && filepath.IsLocal(rel) {
		return filepath.Join(tree, rel)
	}
	return dir
}

// workspace returns the environment for building the commit with its own go.work, if the user has
// one in use. The warnings say if the commit's go.work is not available.
func (r *repository) workspace(ctx context.Context, tree string) (env, warnings []string, err error) {
	out, err := gocmd.Output(ctx, filepath.Join(r.top, r.sub), nil, "env", "GOWORK")
	if err != nil {
		return nil, nil, err
	}
	work := strings.TrimSpace(string(out))
	if work == "" || work == "off" {
		return nil, nil, nil
	}
	there := r.mapped(work, tree)
	if there == work {
		return []string{"GOWORK=off"}, []string{"the go.work in use lies outside of the repository: the commit is built without it, " +
			"with the versions that its go.mod names"}, nil
	}
	if _, err := os.Stat(there); errors.Is(err, os.ErrNotExist) {
		return []string{"GOWORK=off"}, []string{"the go.work in use is not in the commit: the commit is built without it, with the " +
			"versions that its go.mod names"}, nil
	}
	if os.Getenv("GOWORK") == "" {
		return nil, nil, nil // the go command finds it from the folder
	}
	return []string{"GOWORK=" + there}, nil, nil
}

// git runs a git command and returns its output, trimmed. Its error is git's own message.
func git(ctx context.Context, dir string, env []string, args ...string) (string, error) {
	// A split index would leave a file beside the user's own index.
	cmd := exec.CommandContext(ctx, "git", append([]string{"-c", "core.splitIndex=false"}, args...)...)
	cmd.Dir, cmd.Env = dir, append(clean(os.Environ()), env...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		if text := strings.TrimSpace(stderr.String()); text != "" {
			return "", errors.New(text)
		}
		return "", err
	}
	return strings.TrimSpace(stdout.String()), nil
}

// clean removes the variables that a git hook passes on, which would make git use another
// repository, index or configuration than the folder's. It keeps variables that limit the search
// for a repository, and those of the user's configuration.
func clean(env []string) []string {
	return slices.DeleteFunc(env, func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		switch name {
		case "GIT_CEILING_DIRECTORIES", "GIT_DISCOVERY_ACROSS_FILESYSTEM", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM",
			"GIT_CONFIG_NOSYSTEM", "GIT_EXEC_PATH":
			return false
		}
		return strings.HasPrefix(name, "GIT_")
	})
}
