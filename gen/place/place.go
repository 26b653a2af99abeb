// Package place decides where generators and reports may write. Every command that
// writes beside Go sources asks it first.
package place

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/zmylab/zmy/gen/gocmd"
)

// An Error says why nothing is written into a folder.
type Error struct {
	Dir  string // the folder, as it was given
	Tree string // the root of the tree at fault; "" if the folder itself is
	Why  string // "is in the module cache", "is read-only"
	Hint string // the way out
}

func (e *Error) Error() string {
	tree := ""
	if e.Tree != "" {
		tree = " " + e.Tree
	}
	return fmt.Sprintf("%s %s%s: nothing is written there; %s", e.Dir, e.Why, tree, e.Hint)
}

// ownType is the way out of a package that belongs to somebody else.
const ownType = "declare a type of your own in your package, as in type Order other.Order, and name that"

// Check returns an [*Error] if files must not be written into dir: the folder is part of
// the module cache, of a Go installation or of a vendor folder, whose content the go
// command checks, or it is read-only. It judges by what lies on disk, not by environment
// variables, so another user's cache is found too. A folder that does not exist yet is
// judged by the nearest one above it that does.
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
	if info.Mode().Perm()&0o222 == 0 { // the superuser would succeed all the same
		return &Error{dir, "", "is read-only", "make it writable with chmod u+w, or " + ownType}
	}
	return nil
}

// kinds are the trees that nobody but the go command writes to. rel is the way from the
// tree's root to the folder in question, with slashes.
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

// existing follows links from dir, or from the nearest folder above it that exists.
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
