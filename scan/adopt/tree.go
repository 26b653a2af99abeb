package adopt

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/mod/modfile"
)

// copies begins the names of the temporary folders that hold copies; the id of the process follows.
const copies = "zmy-adopt-"

// tree is a copy of a module. The copy lies in a temporary folder, in a layout in which the relative
// paths of go.mod and go.work lead to the same folders as in the original.
type tree struct {
	top  string // the temporary folder
	from string // the module's folder
	dir  string // the copy
	// module is the module's path.
	module string
	sums   map[string]sum
}

// sum identifies the contents of a file of the copy.
type sum struct {
	hash [sha256.Size]byte
	mode fs.FileMode
}

// newTree copies the module in folder from. work is its go.work, "" for none. links are further
// folders that the copy must reach by the same relative path.
func newTree(from, work string, links ...string) (_ *tree, err error) {
	outside, err := replaced(from, work)
	if err != nil {
		return nil, err
	}
	for _, name := range []string{"go.mod", "go.sum", "vendor"} { // the go command writes through a link
		if isLink(filepath.Join(from, name)) {
			return nil, fmt.Errorf("%s is a symbolic link, and the file behind it may be that of others; put the file itself there first",
				filepath.Join(from, name))
		}
	}
	outside = append(outside, links...)
	top, err := os.MkdirTemp("", copies+strconv.Itoa(os.Getpid())+"-")
	if err != nil {
		return nil, err
	}
	if top, err = filepath.EvalSymlinks(top); err != nil {
		return nil, err
	}
	t := &tree{top: top, from: from, sums: map[string]sum{}}
	defer func() {
		if err != nil {
			t.Close()
		}
	}()
	root := common(append(outside, from)...)
	rel, err := filepath.Rel(root, from)
	if err != nil {
		return nil, err
	}
	t.dir = filepath.Join(top, "tree", rel)
	if err := t.copyAll(); err != nil {
		return nil, err
	}
	for _, o := range outside {
		rel, err := filepath.Rel(root, o)
		if err != nil {
			return nil, err
		}
		at := filepath.Join(top, "tree", rel)
		if _, err := os.Lstat(at); err == nil || within(from, o) {
			continue
		}
		if err := errors.Join(os.MkdirAll(filepath.Dir(at), 0o755), reach(o, at)); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// reach makes a folder outside of the module reachable by a link, and copies a file: the go command
// writes go.work.sum.
func reach(from, at string) error {
	if info, err := os.Stat(from); err != nil || info.IsDir() {
		return os.Symlink(from, at)
	}
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(at, data, 0o644)
}

// Close removes the copy. Folders of a module cache in it are read-only, so they are made writable.
func (t *tree) Close() {
	if os.RemoveAll(t.top) == nil {
		return
	}
	_ = filepath.WalkDir(t.top, func(name string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			_ = os.Chmod(name, 0o755)
		}
		return nil
	})
	_ = os.RemoveAll(t.top)
}

// Leftovers removes the copies of processes that have ended without removing them, and returns
// their paths.
func Leftovers() (removed []string) {
	all, _ := filepath.Glob(filepath.Join(os.TempDir(), copies+"*")) // the pattern is well-formed
	for _, name := range all {
		id, _, _ := strings.Cut(strings.TrimPrefix(filepath.Base(name), copies), "-")
		if n, err := strconv.Atoi(id); err == nil && !alive(n) {
			(&tree{top: name}).Close()
			removed = append(removed, name)
		}
	}
	return removed
}

// replaced returns the folders outside of from that go.mod and go.work name by relative paths, and
// go.work itself.
func replaced(from, work string) (out []string, err error) {
	add := func(base, path string) {
		if modfile.IsDirectoryPath(path) && !filepath.IsAbs(path) {
			if dir := filepath.Join(base, filepath.FromSlash(path)); !within(from, dir) && !slices.Contains(out, dir) {
				out = append(out, dir)
			}
		}
	}
	data, err := os.ReadFile(filepath.Join(from, "go.mod"))
	if err != nil {
		return nil, err
	}
	mod, err := modfile.Parse(filepath.Join(from, "go.mod"), data, nil)
	if err != nil {
		return nil, err
	}
	for _, r := range mod.Replace {
		add(from, r.New.Path)
	}
	if work == "" {
		return out, nil
	}
	if data, err = os.ReadFile(work); err != nil {
		return nil, err
	}
	w, err := modfile.ParseWork(work, data, nil)
	if err != nil {
		return nil, err
	}
	for _, u := range w.Use {
		path := u.Path
		if !modfile.IsDirectoryPath(path) {
			path = "./" + path
		}
		add(filepath.Dir(work), path)
	}
	for _, r := range w.Replace {
		add(filepath.Dir(work), r.New.Path)
	}
	for _, name := range []string{work, work + ".sum"} {
		if _, err := os.Stat(name); err == nil && !within(from, name) {
			out = append(out, name)
		}
	}
	return out, nil
}

// common returns the deepest folder that contains all paths.
func common(paths ...string) string {
	root := filepath.Dir(paths[0])
	for _, p := range paths {
		for !within(root, filepath.Dir(p)) {
			root = filepath.Dir(root)
		}
	}
	return root
}

// within reports whether path is dir or lies below it.
func within(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}

// copyAll copies the module. It leaves out .git, and links to node_modules, which the go command does
// not read.
func (t *tree) copyAll() error {
	return filepath.WalkDir(t.from, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(t.from, name)
		if err != nil {
			return err
		}
		to := filepath.Join(t.dir, rel)
		switch {
		case d.Name() == ".git" && rel != ".":
			if d.IsDir() {
				return filepath.SkipDir
			}
			return nil
		case d.IsDir() && d.Name() == "node_modules":
			if err := os.Symlink(name, to); err != nil {
				return err
			}
			return filepath.SkipDir
		case d.IsDir():
			return os.MkdirAll(to, 0o755)
		case d.Type()&fs.ModeSymlink != 0:
			return t.link(name, to)
		case !d.Type().IsRegular():
			return nil // a socket or a pipe of a running program
		}
		return t.copyFile(name, to, filepath.ToSlash(rel))
	})
}

// link makes a symbolic link again. A relative one that leads out of the module becomes absolute.
func (t *tree) link(name, to string) error {
	target, err := os.Readlink(name)
	if err != nil {
		return err
	}
	if !filepath.IsAbs(target) && !within(t.from, filepath.Join(filepath.Dir(name), target)) {
		target = filepath.Join(filepath.Dir(name), target)
	}
	return os.Symlink(target, to)
}

func (t *tree) copyFile(name, to, rel string) error {
	data, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	info, err := os.Stat(name)
	if err != nil {
		return err
	}
	mode := info.Mode().Perm()
	if err := os.WriteFile(to, data, mode|0o200); err != nil {
		return err
	}
	t.sums[rel] = sum{sha256.Sum256(data), mode}
	return os.Chtimes(to, info.ModTime(), info.ModTime())
}

// read returns the contents of a file of the copy, nil if there is none.
func (t *tree) read(rel string) ([]byte, error) {
	return readFile(filepath.Join(t.dir, filepath.FromSlash(rel)))
}

// readFile returns the contents of a file, nil if there is none.
func readFile(name string) ([]byte, error) {
	data, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if data == nil && err == nil {
		data = []byte{}
	}
	return data, err
}

// isLink reports whether a file is a symbolic link.
func isLink(name string) bool {
	info, err := os.Lstat(name)
	return err == nil && info.Mode()&fs.ModeSymlink != 0
}

// write writes a file of the copy, or removes it if data is nil. It refuses a symbolic link, which may
// lead to a file of the original, or outside of it.
func (t *tree) write(rel string, data []byte) error {
	name := filepath.Join(t.dir, filepath.FromSlash(rel))
	if isLink(name) {
		return fmt.Errorf("%s is a symbolic link, and the file behind it may be that of others; put the file itself there first", rel)
	}
	if data == nil {
		if err := os.Remove(name); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return os.WriteFile(name, data, 0o644)
}

// restore takes back what tests have done to the copy: it removes new files and rewrites changed
// ones. It returns their paths.
func (t *tree) restore() (touched []string, err error) {
	found := map[string]bool{}
	err = filepath.WalkDir(t.dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !d.Type().IsRegular() {
			return err
		}
		rel, err := filepath.Rel(t.dir, name)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		found[rel] = true
		same, err := t.same(name, rel)
		if err != nil || same {
			return err
		}
		touched = append(touched, rel)
		return t.bring(rel)
	})
	if err != nil {
		return nil, err
	}
	for rel := range t.sums {
		if !found[rel] {
			touched = append(touched, rel)
			if err := t.bring(rel); err != nil {
				return nil, err
			}
		}
	}
	slices.Sort(touched)
	return touched, nil
}

// same reports whether a file of the copy has the contents of the original.
func (t *tree) same(name, rel string) (bool, error) {
	want, ok := t.sums[rel]
	if !ok {
		return false, nil
	}
	f, err := os.Open(name)
	if err != nil {
		return false, err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return false, err
	}
	return bytes.Equal(h.Sum(nil), want.hash[:]), nil
}

// bring makes one file of the copy that of the original again.
func (t *tree) bring(rel string) error {
	to := filepath.Join(t.dir, filepath.FromSlash(rel))
	if _, ok := t.sums[rel]; !ok {
		return os.Remove(to)
	}
	name := filepath.Join(t.from, filepath.FromSlash(rel))
	data, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	if sha256.Sum256(data) != t.sums[rel].hash {
		return fmt.Errorf("%s has changed since the copy was made; run the command again", rel)
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	return t.copyFile(name, to, rel)
}

// changes returns the files of the copy that differ from the original, sorted by path.
func (t *tree) changes() ([]Change, error) {
	var out []Change
	found := map[string]bool{}
	err := filepath.WalkDir(t.dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !d.Type().IsRegular() {
			return err
		}
		rel, err := filepath.Rel(t.dir, name)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		found[rel] = true
		if same, err := t.same(name, rel); err != nil || same {
			return err
		}
		return t.change(&out, rel)
	})
	for rel := range t.sums {
		if !found[rel] && err == nil {
			err = t.change(&out, rel)
		}
	}
	slices.SortFunc(out, func(a, b Change) int { return strings.Compare(a.Path, b.Path) })
	return out, err
}

func (t *tree) change(out *[]Change, rel string) error {
	c := Change{Path: rel, Mode: 0o644}
	var err error
	if old, ok := t.sums[rel]; ok {
		c.Mode = uint32(old.mode)
		if c.Before, err = readFile(filepath.Join(t.from, filepath.FromSlash(rel))); err != nil {
			return err
		}
		if c.Before == nil || sha256.Sum256(c.Before) != old.hash {
			return fmt.Errorf("%s has changed since the copy was made; run the command again", rel)
		}
	}
	if c.After, err = t.read(rel); err != nil {
		return err
	}
	*out = append(*out, c)
	return nil
}
