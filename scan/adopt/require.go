package adopt

import (
	"bytes"
	"errors"
	"fmt"
	"go/token"
	"io/fs"
	"path/filepath"

	"github.com/zmylab/zmy/gen/gocmd"
)

// wasTidy finds out, once, whether go mod tidy would change the original's go.mod or go.sum.
func (j *job) wasTidy() error {
	if j.asked {
		return nil
	}
	_, err := gocmd.Output(j.ctx, j.pl.dir, modEnv(j.o.env(&tree{dir: j.pl.dir})), "mod", "tidy", "-diff")
	j.asked, j.tidy = true, err == nil
	if j.ctx.Err() != nil {
		return j.ctx.Err()
	}
	return j.vendoredByHand()
}

// vendoredByHand refuses a vendor folder that is not what go mod vendor makes: the change runs that,
// which would drop changes by hand.
func (j *job) vendoredByHand() error {
	old := filepath.Join(j.pl.dir, "vendor")
	if list, err := readFile(filepath.Join(old, "modules.txt")); err != nil || list == nil {
		return err
	}
	made := filepath.Join(j.t.top, "vendor")
	env := append(j.o.env(&tree{dir: j.pl.dir}), "GOWORK=off", "GOFLAGS=-mod=readonly")
	if _, err := gocmd.Output(j.ctx, j.pl.dir, env, "mod", "vendor", "-o", made); err != nil {
		return fmt.Errorf("the module has a vendor folder, and whether that was changed by hand is not known: %w", err)
	}
	for _, pair := range [][2]string{{old, made}, {made, old}} {
		name, err := differs(pair[0], pair[1])
		if err != nil {
			return err
		}
		if name != "" {
			return fmt.Errorf("vendor/%s is not as go mod vendor makes it, which the change would run: take the change by hand out, "+
				"or put it into a module that go.mod replaces", name)
		}
	}
	return nil
}

// differs returns the first file of folder a that folder b has not, or has otherwise; "" if there is none.
func differs(a, b string) (first string, err error) {
	err = filepath.WalkDir(a, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(a, name)
		if err != nil {
			return err
		}
		x, errX := readFile(name)
		y, errY := readFile(filepath.Join(b, rel))
		if err := errors.Join(errX, errY); err != nil {
			return err
		}
		if y == nil || !bytes.Equal(x, y) {
			first = filepath.ToSlash(rel)
			return fs.SkipAll
		}
		return nil
	})
	return first, err
}

// require changes go.mod and go.sum.
func (j *job) require(tool bool) error {
	return j.from.require(j.ctx, j.t, j.o.env(j.t), j.pl.file, j.o.target().path, tool)
}

// required tidies go.mod if it was tidy, vendors the new requirements, and notes what else they have
// changed.
func (j *job) required() error {
	if j.tidy {
		if _, err := gocmd.Output(j.ctx, j.t.dir, modEnv(j.o.env(j.t)), "mod", "tidy"); err != nil {
			return fmt.Errorf("go.mod was tidy before the change: %w", err)
		}
	}
	if err := vendor(j.ctx, j.t, j.o.env(j.t)); err != nil {
		return err
	}
	old, err := readFile(filepath.Join(j.pl.dir, "go.mod"))
	if err != nil {
		return err
	}
	now, err := j.t.read("go.mod")
	if err != nil {
		return err
	}
	text, err := raised(old, now)
	if err != nil {
		return err
	}
	if text != "" {
		j.prog.note(token.Position{Filename: "go.mod"}, text)
	}
	if j.from.version == "" && !bytes.Equal(old, now) {
		j.prog.note(token.Position{Filename: "go.mod"}, "the replace lines lead to the clone "+j.from.beside(j.pl.dir)+
			": before the change is merged, require a release in their place")
	}
	return nil
}
