// Package place decides where generators and reports may write. Every command that writes files
// into folders of Go sources calls [Check] first.
package place

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/zmylab/zmy/gen/gocmd"
)

// An Error says why nothing may be written into a folder.
type Error struct {
	Dir  string // the folder, as the caller gave it
	Tree string // root of the tree that forbids it; "" if the folder itself does
	Why  string // "is in the module cache", "is read-only"
	Hint string // what the user can do
}

func (e *Error) Error() string {
	tree := ""
	if e.Tree != "" {
		tree = " " + e.Tree
	}
	return fmt.Sprintf("%s %s%s: nothing is written there; %s", e.Dir, e.Why, tree, e.Hint)
}

// ownType is the hint for a package that belongs to somebody else.
const ownType = "declare a type of your own in your package, as in type Order other.Order, and name that"

// Check returns an [*Error] if files must not be written into dir. That is so for read-only
// folders, and for folders whose content the go command manages: in the module cache, a Go
// installation or a vendor folder. Check looks at the files on disk, not at environment variables,
// so that it recognises another user's cache too. For a folder that does not exist yet, it judges
// the nearest existing folder above.
func Check(dir string) error {
	real, info, err := existing(dir)
	if err != nil {
		return err
	}
	for tree := real; ; tree = filepath.Dir(tree) {
		rel, err := filepath.Rel(tree, real)
		if err != nil {
			return err
		}
		for _, k := range kinds {
			if k.is(tree, filepath.ToSlash(rel)) {
				return &Error{dir, tree, k.why, ownType}
			}
		}
		if filepath.Dir(tree) == tree {
			break
		}
	}
	if info.Mode().Perm()&0o222 == 0 { // the superuser could write, but is refused too
		return &Error{dir, "", "is read-only", "make it writable with chmod u+w, or " + ownType}
	}
	return nil
}

// kinds are the trees into which only the go command writes. rel is the path from the tree's root
// to the folder, with slashes.
var kinds = []struct {
	why string
	is  func(tree, rel string) bool
}{
	{"is in the module cache", gocmd.IsCached},
	{"is in the Go installation", func(tree, rel string) bool {
		return within(rel, "src") && isDir(tree, "src", "cmd", "go") && isDir(tree, "src", "runtime")
	}},
	{"is in the vendor folder", func(tree, _ string) bool {
		return filepath.Base(tree) == "vendor" && isFile(tree, "modules.txt")
	}},
}

func within(rel, top string) bool { return rel == top || strings.HasPrefix(rel, top+"/") }

// existing resolves the links of dir, or of the nearest existing folder above it.
func existing(dir string) (real string, info fs.FileInfo, err error) {
	if dir, err = filepath.Abs(dir); err != nil {
		return "", nil, err
	}
	for {
		real, err = filepath.EvalSymlinks(dir)
		if err == nil {
			info, err = os.Stat(real)
			return real, info, err
		}
		if !os.IsNotExist(err) || filepath.Dir(dir) == dir {
			return "", nil, err
		}
		dir = filepath.Dir(dir)
	}
}

func isDir(elem ...string) bool {
	info, err := os.Stat(filepath.Join(elem...))
	return err == nil && info.IsDir()
}

func isFile(elem ...string) bool {
	info, err := os.Stat(filepath.Join(elem...))
	return err == nil && info.Mode().IsRegular()
}
