package gate

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/mod/modfile"
)

// anchor corrects the folders that the check-out's go.mod and go.work files name, so that they are
// the ones that the commit means. Folders inside the repository become those of the check-out, even
// if the path is absolute. Folders outside become the user's, even if the path is relative. These
// are in no commit, so both sides are built with their present content; the warnings name them.
func (r *repository) anchor(tree string) (warnings []string, err error) {
	outside := map[string]bool{}
	err = filepath.WalkDir(tree, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "vendor" || d.Name() == "testdata") {
			return filepath.SkipDir
		}
		if !d.Type().IsRegular() || d.Name() != "go.mod" && d.Name() != "go.work" {
			return nil
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		home, err := filepath.Rel(tree, filepath.Dir(name))
		if err != nil {
			return err
		}
		place := func(path string) (string, bool) {
			to, inside, changed := r.place(path, filepath.Join(r.top, home), tree)
			if !inside && !outside[to] && around(home, r.sub) {
				outside[to] = true
				warnings = append(warnings, fmt.Sprintf("%s lies outside of the repository: both sides are built with it as it stands", to))
			}
			return to, changed
		}
		text := anchored(name, data, place)
		if text == nil {
			return nil
		}
		return os.WriteFile(name, text, 0o644)
	})
	return warnings, err
}

// around reports whether dir is sub or contains it.
func around(dir, sub string) bool {
	rel, err := filepath.Rel(dir, sub)
	return err == nil && filepath.IsLocal(rel)
}

// place returns the folder that a go.mod or go.work in home names by path, as the commit's side
// must name it. inside means that the folder is in the repository. changed means that the path must
// be rewritten.
func (r *repository) place(path, home, tree string) (to string, inside, changed bool) {
	path = filepath.FromSlash(path)
	abs := filepath.Clean(path)
	if !filepath.IsAbs(path) {
		abs = filepath.Join(home, path)
	}
	there := r.mapped(abs, tree)
	inside = there != abs
	return there, inside, inside == filepath.IsAbs(path)
}

// anchored returns the text of a go.mod or go.work with its folders replaced. It returns nil if
// nothing changed, or if the file does not parse: then the go command reports the error.
func anchored(name string, data []byte, place func(path string) (string, bool)) []byte {
	changed := false
	set := func(line *modfile.Line, path string) {
		if to, other := place(path); other {
			line.Token[len(line.Token)-1] = modfile.AutoQuote(filepath.ToSlash(to))
			changed = true
		}
	}
	var syntax *modfile.FileSyntax
	var replaces []*modfile.Replace
	if filepath.Base(name) == "go.mod" {
		f, err := modfile.Parse(name, data, nil)
		if err != nil {
			return nil
		}
		syntax, replaces = f.Syntax, f.Replace
	} else {
		f, err := modfile.ParseWork(name, data, nil)
		if err != nil {
			return nil
		}
		syntax, replaces = f.Syntax, f.Replace
		for _, u := range f.Use {
			set(u.Syntax, u.Path)
		}
	}
	for _, x := range replaces {
		if x.New.Version == "" && modfile.IsDirectoryPath(x.New.Path) {
			set(x.Syntax, x.New.Path)
		}
	}
	if !changed {
		return nil
	}
	return modfile.Format(syntax)
}
