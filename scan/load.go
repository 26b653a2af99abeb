package scan

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/zmylab/zmy/scan/site"
)

// Load finds the sites of a code base. Packages that do not build are left out; code.Errors says why.
func Load(ctx context.Context, cfg site.Config) (*Code, error) {
	found, err := site.Find(ctx, cfg)
	if err != nil {
		return nil, err
	}
	if len(found.Packages) == 0 || !slices.ContainsFunc(found.Packages, func(p site.Package) bool { return p.Analysed }) {
		text := "no package could be analysed"
		if len(found.Errors) > 0 {
			text += ": " + found.Errors[0].Error()
		}
		return nil, errors.New(text)
	}
	c := &Code{Dir: found.Dir, Sites: found.Sites, Packages: len(found.Packages), Lines: found.Lines, Errors: found.Errors}
	c.Program.Functions = found.Functions
	if err := c.commands(ctx, cfg, found); err != nil {
		return nil, err
	}
	return c, nil
}

// listed is a package as the go command lists it.
type listed struct {
	ImportPath, Name, Dir string
	Module                *struct {
		Path, Dir, GoMod string
		Main             bool
	}
}

// commands fills in the modules of the code base, the modules that these require, and the folders of the
// commands.
func (c *Code) commands(ctx context.Context, cfg site.Config, found *site.Result) error {
	args := []string{"list", "-e", "-json=ImportPath,Name,Dir,Module"}
	if cfg.Tags != "" {
		args = append(args, "-tags="+cfg.Tags)
	}
	patterns := cfg.Patterns
	if len(patterns) == 0 {
		patterns = []string{"./..."}
	}
	cmd := exec.CommandContext(ctx, "go", append(args, patterns...)...)
	cmd.Dir = cfg.Dir
	if cmd.Env = cfg.Env; cmd.Env == nil {
		cmd.Env = os.Environ()
	}
	out, err := cmd.Output()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		return fmt.Errorf("list the packages of %s: %w", cfg.Dir, err)
	}
	analysed := map[string]bool{}
	for _, p := range found.Packages {
		analysed[p.Path] = p.Analysed
	}
	seen := map[string]bool{}
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p listed
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return fmt.Errorf("read the output of go list: %w", err)
		}
		if m := p.Module; m != nil && m.Main && !seen[m.Path] {
			seen[m.Path] = true
			c.Program.Modules = append(c.Program.Modules, m.Path)
			c.Program.Depends = append(c.Program.Depends, required(m.GoMod)...)
		}
		if p.Name == "main" && p.Dir != "" {
			c.Mains = append(c.Mains, p.Dir)
			if !analysed[p.ImportPath] { // its functions are not known
				c.Program.Functions = nil
			}
			if rel, err := filepath.Rel(found.Dir, p.Dir); err == nil {
				c.Program.Mains = append(c.Program.Mains, filepath.ToSlash(rel))
			}
		}
	}
	if found.Module != "" && !seen[found.Module] {
		c.Program.Modules = append(c.Program.Modules, found.Module)
	}
	return nil
}

// required returns the paths of the modules that a go.mod requires. A file that cannot be read has none: paths
// of packages then stand for their modules.
func required(file string) (paths []string) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil
	}
	f, err := modfile.ParseLax(file, data, nil)
	if err != nil {
		return nil
	}
	for _, r := range f.Require {
		paths = append(paths, r.Mod.Path)
	}
	return paths
}

// Doubts returns what Load left out, for the warnings of a scan.
func (c *Code) Doubts() (out []string) {
	more := map[string]bool{} // packages with errors that are not told
	for i, e := range c.Errors {
		if i < 3 || len(c.Errors) == 4 {
			out = append(out, "left out: "+e.Error())
		} else {
			more[e.Package] = true
		}
	}
	for _, e := range c.Errors[:min(3, len(c.Errors))] {
		delete(more, e.Package)
	}
	switch {
	case len(more) == 1:
		out = append(out, "1 more package was left out")
	case len(more) > 1 && len(c.Errors) > 4:
		out = append(out, fmt.Sprintf("%d more packages were left out", len(more)))
	}
	return out
}
