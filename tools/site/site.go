// Package site builds the documentation as a static site: for each version the Markdown files of its
// tree and the reports of its docs/results. Hugo, with the layouts of docs/site, turns the files into
// pages. A version has a folder of its own. Links between its pages are relative, so the folder works
// below any path, and from a disk.
//
// NOTE: the map of the package.
//
//	site.go      Build: the versions, the commands that it runs, the files beside the versions
//	gallery.go   the reports and what the gallery says about them
//	nav.go       docs/site/data/site.yaml
//	sources.go   Sources checks navigation and links of the Markdown files, without building
//	check.go     Check checks the pages that were built
//	pictures.go  the pictures of README and of the front page
package site

import (
	"archive/tar"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/mod/semver"
)

// Hugo is the program that renders pages, as a module for go run. It needs no C compiler.
const Hugo = "github.com/gohugoio/hugo@v0.160.0"

// Main is the name of the version that is made of the working tree.
const Main = "main"

// folder is where a tree has what the site adds to its Markdown.
const folder = "docs/site"

// Options say what Build makes.
type Options struct {
	Root     string    // the clone
	Out      string    // the folder of the site; what it had before is removed
	Versions []string  // tags of releases, or Main
	Log      io.Writer // one line for each step
}

// Versions returns the tags of releases whose tree has a site, newest first, and Main. Pre-releases
// are left out.
func Versions(ctx context.Context, root string) ([]string, error) {
	out, err := output(ctx, root, "git", "tag", "--list", "v*")
	if err != nil {
		return nil, err
	}
	var tags []string
	for _, tag := range strings.Fields(out) {
		if !semver.IsValid(tag) || semver.Prerelease(tag) != "" {
			continue
		}
		if _, err := output(ctx, root, "git", "cat-file", "-e", tag+":"+folder+"/hugo.yaml"); err == nil {
			tags = append(tags, tag)
		}
	}
	slices.SortFunc(tags, func(a, b string) int { return semver.Compare(b, a) })
	return append(tags, Main), nil
}

// version is an entry of versions.js, which site.js reads.
type version struct {
	Name  string   `json:"name"`
	Pages []string `json:"pages"` // its pages, so that a reader stays on the page when the version changes
}

// Build makes the site and checks it. It needs npm and node.
func Build(ctx context.Context, o Options) error {
	if err := clear(o.Out); err != nil {
		return err
	}
	all := make([]version, 0, len(o.Versions))
	for _, name := range o.Versions {
		fmt.Fprintf(o.Log, "site: %s\n", name)
		if err := o.build(ctx, name); err != nil {
			return fmt.Errorf("site: version %s: %w", name, err)
		}
		pages, err := pagesOf(filepath.Join(o.Out, name))
		if err != nil {
			return err
		}
		all = append(all, version{name, pages})
	}
	return o.around(all)
}

// build makes the folder of one version.
func (o Options) build(ctx context.Context, name string) error {
	tree := o.Root
	if name != Main {
		temp, err := os.MkdirTemp("", "zmy-site-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(temp)
		if err := extract(ctx, o.Root, name, temp); err != nil {
			return err
		}
		tree = temp
	}
	source := filepath.Join(tree, filepath.FromSlash(folder))
	work := filepath.Join(source, "work")
	if err := os.RemoveAll(work); err != nil {
		return err
	}
	if err := Gallery(tree, work); err != nil {
		return err
	}
	if err := execute(ctx, source, nil, "npm", "ci", "--silent", "--no-audit", "--no-fund", "--ignore-scripts"); err != nil {
		return err
	}
	library, err := os.ReadFile(filepath.Join(source, "node_modules/minisearch/dist/umd/index.js"))
	if err != nil {
		return err
	}
	if err := write(filepath.Join(work, "static/minisearch.js"), library); err != nil {
		return err
	}
	out := filepath.Join(o.Out, name)
	env := []string{"CGO_ENABLED=0", "GOWORK=off", "HUGO_PARAMS_VERSION=" + name, "HUGO_PARAMS_ROOT=" + filepath.ToSlash(tree)}
	err = execute(ctx, source, env, "go", "run", Hugo, "--quiet", "--panicOnWarning", "--destination", out)
	if err != nil {
		return err
	}
	nav, err := ReadNav(tree)
	if err != nil {
		return err
	}
	if faults := Check(Pages{Dir: out, Tree: tree, Repository: nav.Repository, Version: name}); len(faults) > 0 {
		return fmt.Errorf("%d faults in the pages:\n%s", len(faults), strings.Join(faults, "\n"))
	}
	return execute(ctx, source, nil, "node", "search.test.mjs", out)
}

// around writes the files beside the versions.
func (o Options) around(all []version) error {
	list, err := json.Marshal(all)
	if err != nil {
		return err
	}
	if err := write(filepath.Join(o.Out, "versions.js"), fmt.Appendf(nil, "window.zmyVersions = %s;\n", list)); err != nil {
		return err
	}
	// Readers of the address without a version get the first one: the newest release.
	to := html.EscapeString(all[0].Name) + "/index.html"
	page := `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>ZMY</title>
<meta http-equiv="refresh" content="0; url=` + to + `">
<h1><a href="` + to + `">ZMY</a></h1>
</html>
`
	if err := write(filepath.Join(o.Out, "index.html"), []byte(page)); err != nil {
		return err
	}
	return write(filepath.Join(o.Out, ".nojekyll"), nil) // GitHub Pages serves the files as they are
}

// pagesOf lists the pages in dir by slash path.
func pagesOf(dir string) (pages []string, err error) {
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && filepath.Ext(path) == ".html" {
			var rel string
			rel, err = filepath.Rel(dir, path)
			pages = append(pages, filepath.ToSlash(rel))
		}
		return err
	})
	return pages, err
}

// clear makes dir a folder with an empty versions.js. It removes only what Build made, which has
// that file from the beginning.
func clear(dir string) error {
	old, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	_, built := os.Stat(filepath.Join(dir, "versions.js"))
	if len(old) > 0 && built != nil {
		return fmt.Errorf("site: %s has other files than a site: name an empty folder", dir)
	}
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	return write(filepath.Join(dir, "versions.js"), nil)
}

// extract writes the tree of a tag into dir.
func extract(ctx context.Context, root, tag, dir string) error {
	cmd := exec.CommandContext(ctx, "git", "archive", tag)
	cmd.Dir = root
	data, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("git archive %s: %w", tag, err)
	}
	files, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer files.Close()
	for r := tar.NewReader(bytes.NewReader(data)); ; {
		h, err := r.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if h.Typeflag != tar.TypeReg {
			continue
		}
		text, err := io.ReadAll(r)
		if err != nil {
			return err
		}
		if err := files.MkdirAll(filepath.Dir(filepath.FromSlash(h.Name)), 0o755); err != nil {
			return err
		}
		if err := files.WriteFile(filepath.FromSlash(h.Name), text, 0o644); err != nil {
			return err
		}
	}
}

func write(name string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return os.WriteFile(name, data, 0o644)
}

// notices are lines that npm and go print although nothing is wrong.
var notices = regexp.MustCompile(`(?m)^(npm (warn|notice) |go: downloading ).*\n`)

func execute(ctx context.Context, dir string, env []string, name string, args ...string) error {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, notices.ReplaceAll(out, nil))
	}
	return nil
}

func output(ctx context.Context, dir, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s %s: %w", name, strings.Join(args, " "), err)
	}
	return string(out), nil
}
