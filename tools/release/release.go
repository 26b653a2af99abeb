// Package release makes a release of the repository's Go modules, all at one version.
//
// In the repository's main branch, modules find each other by replace lines, so that each of them
// builds in a clone without a release. A go.mod with such lines cannot be installed by version.
// So a release is a commit beside the branch: its go.mod files require the modules at the
// version, without replace lines, and all tags name it. The packages for Maven, Cargo and npm have
// the same version in that commit. Nothing is pushed.
//
// OpenTelemetry's multimod sets versions in the same way. It leaves replace lines alone, and go.sum
// files without the new versions, so that the modules of the tagged tree would not build.
package release

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
	"time"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/semver"
)

// Options say what to release.
type Options struct {
	Root    string    // folder of a clone without uncommitted changes
	Version string    // v0.1.0
	Date    time.Time // for the changelog
}

// Result is what Make has made.
type Result struct {
	Options
	Commit  string // the commit of the tags
	Modules []*Module
	Tags    []string
}

// Make dates the section of the changelog by a commit on the current branch, makes the release
// commit beside it, and the tags.
func Make(ctx context.Context, o Options) (*Result, error) {
	if !semver.IsValid(o.Version) || semver.Canonical(o.Version) != o.Version {
		return nil, fmt.Errorf("version %q: want one like v0.1.0", o.Version)
	}
	modules, err := Modules(o.Root)
	if err != nil {
		return nil, err
	}
	g := git{ctx, o.Root}
	if o.Root, err = g.repository(); err != nil {
		return nil, err
	}
	r := &Result{Options: o, Modules: modules}
	for _, m := range modules {
		r.Tags = append(r.Tags, m.Tag(o.Version))
	}
	if err := g.ready(r.Tags); err != nil {
		return nil, err
	}
	if err := dateChangelog(filepath.Join(g.dir, "CHANGELOG.md"), o.Version, o.Date); err != nil {
		return nil, err
	}
	if err := g.run("commit", "--quiet", "--all", "--message", "Changelog of "+o.Version); err != nil {
		return nil, err
	}
	tree, err := os.MkdirTemp("", "zmy-release-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(tree)
	if err := g.run("worktree", "add", "--quiet", "--detach", tree, "HEAD"); err != nil {
		return nil, err
	}
	defer g.run("worktree", "remove", "--force", tree)
	if r.Commit, err = commit(git{ctx, tree}, modules, o.Version); err != nil {
		return nil, err
	}
	for _, tag := range r.Tags {
		if err := g.run("tag", "--annotate", "--message", tag, tag, r.Commit); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// commit makes the release commit in a work tree and returns its hash. The go.sum of a module holds
// the hashes of those that it requires, so modules are committed one after the other, and the
// commits joined to one.
func commit(g git, modules []*Module, version string) (hash string, err error) {
	repo, err := g.repository()
	if err != nil {
		return "", err
	}
	if err := setPackageVersions(g.dir, version); err != nil {
		return "", err
	}
	sums := map[string][]string{}
	for i, m := range modules {
		dir := filepath.Join(g.dir, filepath.FromSlash(m.Dir))
		if err := setVersions(dir, version); err != nil {
			return "", err
		}
		if err := setSums(dir, m, sums); err != nil {
			return "", err
		}
		args := []string{"commit", "--quiet", "--all", "--allow-empty", "--message", "Release " + version}
		if i > 0 {
			args = append(args, "--amend")
		}
		if err := g.run(args...); err != nil {
			return "", err
		}
		if hash, err = g.output("rev-parse", "HEAD"); err != nil {
			return "", err
		}
		if sums[m.Path], err = sumLines(g.ctx, repo, hash, m, version); err != nil {
			return "", err
		}
	}
	return hash, nil
}

// setVersions makes the go.mod in dir require the repository's modules at the version, and removes
// the replace lines for them.
func setVersions(dir, version string) error {
	f, err := parseMod(dir)
	if err != nil {
		return err
	}
	for _, r := range slices.Clone(f.Replace) {
		if !ours(r.Old.Path) {
			return fmt.Errorf("%s: a release may have no replace line, and this one is not for the repository's modules: %s", dir, r.Old.Path)
		}
		if err := f.DropReplace(r.Old.Path, r.Old.Version); err != nil {
			return err
		}
	}
	for _, r := range f.Require {
		if ours(r.Mod.Path) {
			if err := f.AddRequire(r.Mod.Path, version); err != nil {
				return err
			}
		}
	}
	f.Cleanup()
	return os.WriteFile(filepath.Join(dir, "go.mod"), modfile.Format(f.Syntax), 0o644)
}

// setSums writes the hashes of the modules that m requires into its go.sum, sorted as the go command
// does.
func setSums(dir string, m *Module, sums map[string][]string) error {
	name := filepath.Join(dir, "go.sum")
	data, err := os.ReadFile(name)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	var lines []string
	for line := range strings.Lines(string(data)) {
		if mod, _, _ := strings.Cut(line, " "); !ours(mod) {
			lines = append(lines, line)
		}
	}
	for _, need := range m.Needs {
		lines = append(lines, sums[need]...)
	}
	if len(lines) == 0 {
		return nil
	}
	slices.Sort(lines)
	return os.WriteFile(name, []byte(strings.Join(lines, "")), 0o644)
}

// unreleased is the head of the changelog's section for what is not released yet.
const unreleased = "## [Unreleased]\n"

func dateChangelog(name, version string, date time.Time) error {
	data, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	before, after, ok := bytes.Cut(data, []byte(unreleased))
	if !ok {
		return fmt.Errorf("%s has no section %q", name, strings.TrimSpace(unreleased))
	}
	if section, _, _ := bytes.Cut(after, []byte("\n## [")); len(bytes.TrimSpace(section)) == 0 {
		return fmt.Errorf("%s: nothing is unreleased; write what has changed", name)
	}
	head := fmt.Sprintf("%s\n## [%s] - %s\n", unreleased, strings.TrimPrefix(version, "v"), date.Format(time.DateOnly))
	return os.WriteFile(name, slices.Concat(before, []byte(head), after), 0o644)
}

// git runs git in a folder.
type git struct {
	ctx context.Context
	dir string
}

func (g git) run(args ...string) error {
	_, err := g.output(args...)
	return err
}

func (g git) output(args ...string) (string, error) {
	cmd := exec.CommandContext(g.ctx, "git", args...)
	cmd.Dir = g.dir
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("git %s: %w: %s", args[0], err, bytes.TrimSpace(stderr.Bytes()))
	}
	return strings.TrimSpace(string(out)), nil
}

// repository returns the folder of the clone to which a work tree belongs. Package zip of x/mod reads
// from that folder only.
func (g git) repository() (string, error) {
	dir, err := g.output("rev-parse", "--path-format=absolute", "--git-common-dir")
	return filepath.Dir(dir), err
}

// ready returns an error if there are changes that are not committed, or if one of the tags exists.
func (g git) ready(tags []string) error {
	changed, err := g.output("status", "--porcelain")
	if err != nil {
		return err
	}
	if changed != "" {
		return fmt.Errorf("the clone has changes; commit or remove them:\n%s", changed)
	}
	have, err := g.output(append([]string{"tag", "--list"}, tags...)...)
	if err != nil {
		return err
	}
	if have != "" {
		return fmt.Errorf("there are tags of this version: %s", strings.ReplaceAll(have, "\n", ", "))
	}
	return nil
}
