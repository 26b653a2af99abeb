// Package peers keeps the libraries that the lab measures at their newest versions. It lists them
// with the versions that this repository requires and the newest that the module proxy has, raises
// the requirements, and measures what a raised version changes.
//
// NOTE, the map: peers.go lists, bump.go writes go.mod files, measure.go measures.
package peers

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"
)

// Peer is a module that a contender, or a store of the lab, requires.
type Peer struct {
	Path   string
	Uses   []Use
	Have   Version // the lowest version that is required
	Newest Version // the newest of this path, or Have if the proxy has none that is higher
	Major  Version // the newest of a higher major version, whose path differs; "" if there is none
	Path2  string  // path of Major
	Err    error   // why Newest is not known
}

// Version is a version of a module with the day of its release: 2026-10-29.
type Version struct{ Name, Day string }

// Use is a requirement in one file.
type Use struct {
	File    string // go.mod or mod.txt, relative to the repository, with slashes
	Version string
}

// Stale reports whether a newer version is there under the same path.
func (p *Peer) Stale() bool {
	return p.Err == nil && slices.ContainsFunc(p.Uses, func(u Use) bool { return semver.Compare(u.Version, p.Newest.Name) < 0 })
}

// Latest returns the newest version of the module path, or the version that query names. The error
// is [ErrNone] if the proxy knows no such module.
type Latest func(ctx context.Context, path, query string) (Version, error)

// ErrNone says that there is no such module.
var ErrNone = errors.New("there is no such module")

// pinned are the files whose direct requirements are peers.
var pinned = []string{"lab/contender/codecs/*/adapter/mod.txt", "lab/experiment/stores/client/mod.txt"}

// List returns the peers of the repository at root, sorted by path.
func List(ctx context.Context, root string, latest Latest) ([]*Peer, error) {
	peers, err := Required(root)
	if err != nil {
		return nil, err
	}
	for _, p := range peers {
		if err := p.look(ctx, latest); err != nil {
			return nil, err
		}
	}
	return peers, nil
}

// Required returns the peers with the versions that files require. It asks no proxy.
func Required(root string) ([]*Peer, error) {
	by := map[string]*Peer{}
	for _, pattern := range pinned {
		files, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(pattern)))
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			if err := requires(root, file, func(path string, u Use) {
				if by[path] == nil {
					by[path] = &Peer{Path: path}
				}
				by[path].Uses = append(by[path].Uses, u)
			}); err != nil {
				return nil, err
			}
		}
	}
	if len(by) == 0 {
		return nil, fmt.Errorf("%s has no %s: run this in a clone of the project", root, strings.Join(pinned, ", no "))
	}
	mods, err := goMods(root)
	if err != nil {
		return nil, err
	}
	for _, file := range mods {
		if err := requires(root, file, func(path string, u Use) {
			if p := by[path]; p != nil {
				p.Uses = append(p.Uses, u)
			}
		}); err != nil {
			return nil, err
		}
	}
	var out []*Peer
	for _, p := range by {
		p.Have.Name = p.Uses[0].Version
		for _, u := range p.Uses {
			if semver.Compare(u.Version, p.Have.Name) < 0 {
				p.Have.Name = u.Version
			}
		}
		out = append(out, p)
	}
	slices.SortFunc(out, func(a, b *Peer) int { return strings.Compare(a.Path, b.Path) })
	return out, nil
}

// goMods returns the go.mod files of the repository's modules.
func goMods(root string) (files []string, err error) {
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != root && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata" || d.Name() == "node_modules"):
			return filepath.SkipDir
		case d.Name() == "go.mod":
			files = append(files, path)
		}
		return nil
	})
	return files, err
}

// requires calls add with the direct requirements of a file.
func requires(root, file string, add func(path string, u Use)) error {
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	f, err := modfile.ParseLax(file, data, nil)
	if err != nil {
		return err
	}
	rel, err := filepath.Rel(root, file)
	if err != nil {
		return err
	}
	for _, r := range f.Require {
		if !r.Indirect {
			add(r.Mod.Path, Use{filepath.ToSlash(rel), r.Mod.Version})
		}
	}
	return nil
}

// look fills in what the proxy knows. Only a canceled context is an error.
func (p *Peer) look(ctx context.Context, latest Latest) error {
	have, err := latest(ctx, p.Path, p.Have.Name)
	if err == nil {
		p.Have = have
	}
	p.Newest, p.Err = latest(ctx, p.Path, "latest")
	if p.Err == nil && semver.Compare(p.Newest.Name, p.Have.Name) < 0 {
		p.Newest = p.Have // a pre-release, or a commit behind the last release
	}
	for path := nextMajor(p.Path); path != ""; path = nextMajor(path) {
		v, err := latest(ctx, path, "latest")
		if err != nil {
			break // ErrNone, or the proxy does not say
		}
		p.Major, p.Path2 = v, path
	}
	return ctx.Err()
}

// nextMajor returns the path of a module's next major version, or "" for paths that end in no major
// version by the go command's rules, such as gopkg.in's.
func nextMajor(path string) string {
	prefix, major, ok := module.SplitPathVersion(path)
	switch {
	case !ok || strings.HasPrefix(path, "gopkg.in/"):
		return ""
	case major == "":
		return path + "/v2"
	}
	n, err := strconv.Atoi(strings.TrimPrefix(major, "/v"))
	if err != nil {
		return ""
	}
	return prefix + "/v" + strconv.Itoa(n+1)
}

// Proxy asks the go command, and with it the proxy that the user has set.
func Proxy(ctx context.Context, path, query string) (Version, error) {
	cmd := exec.CommandContext(ctx, "go", "list", "-m", "-json", path+"@"+query)
	cmd.Dir = os.TempDir()
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod")
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		if said := stderr.String(); strings.Contains(said, "404 Not Found") || strings.Contains(said, "no matching versions") {
			return Version{}, fmt.Errorf("%s: %w", path, ErrNone)
		}
		line, _, _ := strings.Cut(strings.TrimSpace(stderr.String()), "\n")
		return Version{}, fmt.Errorf("go list -m %s@%s: %w: %s", path, query, err, line)
	}
	var m struct{ Version, Time string }
	if err := json.Unmarshal(out, &m); err != nil {
		return Version{}, err
	}
	day, _, _ := strings.Cut(m.Time, "T")
	return Version{m.Version, day}, nil
}

// Line is the peer's line in the list.
func (p *Peer) Line() string {
	have := p.Have.Name
	for _, u := range p.Uses {
		if u.Version != have {
			have += " (" + u.Version + " in " + u.File + ")"
			break
		}
	}
	state := "is the newest, of " + p.Newest.Day
	switch {
	case p.Err != nil:
		state = "newest unknown: " + p.Err.Error()
	case p.Stale():
		state = "→ " + p.Newest.Name + " of " + p.Newest.Day
	}
	if p.Path2 != "" {
		state += "; by hand, since imports change: " + p.Path2 + " " + p.Major.Name + " of " + p.Major.Day
	}
	return p.Path + " " + have + " " + state
}
