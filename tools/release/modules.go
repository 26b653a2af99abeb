package release

import (
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
)

// Module is a Go module of the repository that is released.
type Module struct {
	Path  string   // module path
	Dir   string   // folder below the repository's root, with slashes; "." for the root
	Needs []string // paths of the repository's modules that its go.mod requires
}

// Tag returns the tag of the module's version.
func (m *Module) Tag(version string) string {
	if m.Dir == "." {
		return version
	}
	return m.Dir + "/" + version
}

// notReleased is a comment above the module line of a go.mod. What follows it says why.
const notReleased = "// Not released:"

// Modules returns the modules in go.work that are released, each after those that it requires.
func Modules(root string) ([]*Module, error) {
	name := filepath.Join(root, "go.work")
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	work, err := modfile.ParseWork(name, data, nil)
	if err != nil {
		return nil, err
	}
	known, kept := map[string]*Module{}, map[string]bool{}
	var all []*Module
	for _, u := range work.Use {
		m, released, err := readModule(root, path.Clean(u.Path))
		if err != nil {
			return nil, err
		}
		if !released {
			kept[m.Path] = true
			continue
		}
		known[m.Path] = m
		all = append(all, m)
	}
	for _, m := range all {
		for _, need := range m.Needs {
			if kept[need] {
				return nil, fmt.Errorf("%s requires %s, which is not released; release it, or move what %[1]s uses", m.Path, need)
			}
			if known[need] == nil {
				return nil, fmt.Errorf("%s requires %s, which go.work does not use", m.Path, need)
			}
		}
	}
	return inOrder(all, known)
}

func readModule(root, dir string) (m *Module, released bool, err error) {
	f, err := parseMod(filepath.Join(root, filepath.FromSlash(dir)))
	if err != nil {
		return nil, false, err
	}
	m = &Module{Path: f.Module.Mod.Path, Dir: dir}
	for _, r := range f.Require {
		if ours(r.Mod.Path) {
			m.Needs = append(m.Needs, r.Mod.Path)
		}
	}
	for _, c := range f.Module.Syntax.Before {
		if strings.HasPrefix(c.Token, notReleased) {
			return m, false, nil
		}
	}
	return m, true, nil
}

func parseMod(dir string) (*modfile.File, error) {
	name := filepath.Join(dir, "go.mod")
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return modfile.Parse(name, data, nil)
}

// root is the path of the repository's first module, which begins those of all others.
const root = "github.com/zmylab/zmy"

func ours(p string) bool { return p == root || strings.HasPrefix(p, root+"/") }

// inOrder sorts modules so that each comes after those that it requires.
func inOrder(all []*Module, known map[string]*Module) ([]*Module, error) {
	var out []*Module
	state := map[*Module]int{} // 1: being visited, 2: done
	var visit func(m *Module) error
	visit = func(m *Module) error {
		switch state[m] {
		case 1:
			return errors.New("modules that require each other: " + m.Path)
		case 2:
			return nil
		}
		state[m] = 1
		for _, need := range m.Needs {
			if err := visit(known[need]); err != nil {
				return err
			}
		}
		state[m] = 2
		out = append(out, m)
		return nil
	}
	all = slices.Clone(all)
	slices.SortFunc(all, func(a, b *Module) int { return strings.Compare(a.Path, b.Path) })
	for _, m := range all {
		if err := visit(m); err != nil {
			return nil, err
		}
	}
	return out, nil
}
