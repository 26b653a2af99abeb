package harness

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/build/constraint"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/zmylab/zmy/lab/contender"
)

// overlay replaces files for the compiler: it maps their paths to files of the temporary folder, or
// to "" to hide them.
type overlay struct {
	dir     string // where replacements are written
	Replace map[string]string
}

// add adds a file to the overlay, in place of an existing one or as a new one.
func (o *overlay) add(name string, data []byte) error {
	to := filepath.Join(o.dir, strconv.Itoa(len(o.Replace))+"_"+filepath.Base(name))
	o.Replace[name] = to
	return writeFile(to, data)
}

// addTree makes the files below folder on appear below folder at.
func (o *overlay) addTree(at, on string) error {
	return filepath.WalkDir(on, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(on, name)
		o.Replace[path.Join(at, filepath.ToSlash(rel))] = name
		return err
	})
}

func (o *overlay) hide(name string) { o.Replace[name] = "" }

func (o *overlay) write(name string) error {
	data, err := json.MarshalIndent(struct{ Replace map[string]string }{o.Replace}, "", "\t")
	if err != nil {
		return err
	}
	return writeFile(name, data)
}

// lay builds the overlay of one worker. It hides the user's tests, adds the contender's files and
// the main file to the package, and masks committed generated code. It returns the files in which
// something was masked. Later entries replace earlier ones, so a file that the contender replaces is
// not the masked one.
func (w *Workspace) lay(o *overlay, how masking, family string, src *contender.Sources, main []byte) (masked []string, err error) {
	pkgDir := w.packageDir()
	files, err := os.ReadDir(pkgDir)
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		if strings.HasSuffix(f.Name(), "_test.go") {
			o.hide(filepath.Join(pkgDir, f.Name()))
		}
	}
	if masked, err = w.mask(o, how, family, src); err != nil {
		return nil, err
	}
	for name, data := range src.Replace {
		if data == nil {
			o.hide(w.seen(name))
		} else if err := o.add(w.seen(name), data); err != nil {
			return nil, err
		}
	}
	for name, data := range src.Package {
		if strings.ContainsAny(name, `/\`) {
			return nil, fmt.Errorf("file %q of the contender does not lie in the package's folder", name)
		}
		if err := o.add(filepath.Join(pkgDir, testName(name)), modern(data)); err != nil {
			return nil, err
		}
	}
	return masked, o.add(filepath.Join(pkgDir, "zz_zmylab_main_test.go"), modern(main))
}

// modern makes the compiler treat a file of generated code as Go 1.25, whatever the go line of the
// user's module says; the packages that it imports need Go 1.25 anyway. A build constraint of the
// file is kept.
func modern(source []byte) []byte {
	at := 0
	for text := range bytes.Lines(source) {
		trimmed := bytes.TrimSpace(text)
		if expr, err := constraint.Parse(string(trimmed)); err == nil && constraint.IsGoBuild(string(trimmed)) {
			both := constraint.AndExpr{X: expr, Y: &constraint.TagExpr{Tag: "go1.25"}}
			return slices.Concat(source[:at], []byte("//go:build "+both.String()+"\n"), source[at+len(text):])
		}
		if bytes.HasPrefix(trimmed, []byte("package ")) {
			break
		}
		at += len(text)
	}
	return slices.Concat([]byte("//go:build go1.25\n\n"), source)
}

// testName returns a file name ending in _test.go, so that the file is compiled only into the
// worker, and no build constraint follows from its name.
func testName(name string) string {
	name = strings.TrimSuffix(strings.TrimSuffix(name, ".go"), "_test")
	return "zz_zmylab_" + name + "_zz_test.go"
}
