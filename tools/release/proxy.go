package release

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"golang.org/x/mod/module"
	"golang.org/x/mod/sumdb/dirhash"
	"golang.org/x/mod/zip"
)

// AddToProxy adds the released modules to a file-system module proxy in folder dir, as the public
// proxy would make them from the tags: GOPROXY=file://dir. The format is that of
// https://go.dev/ref/mod#goproxy-protocol.
func (r *Result) AddToProxy(ctx context.Context, dir string) error {
	for _, m := range r.Modules {
		if err := r.addModule(ctx, dir, m); err != nil {
			return fmt.Errorf("%s: %w", m.Path, err)
		}
	}
	return nil
}

func (r *Result) addModule(ctx context.Context, dir string, m *Module) error {
	escaped, err := module.EscapePath(m.Path)
	if err != nil {
		return err
	}
	to := filepath.Join(dir, filepath.FromSlash(escaped), "@v")
	if err := os.MkdirAll(to, 0o755); err != nil {
		return err
	}
	if err := zipTo(filepath.Join(to, r.Version+".zip"), r.Root, r.Commit, r.Version, m); err != nil {
		return err
	}
	mod, err := modAt(ctx, r.Root, r.Commit, m)
	if err != nil {
		return err
	}
	info, err := json.Marshal(map[string]any{"Version": r.Version, "Time": r.Date})
	if err != nil {
		return err
	}
	list, err := os.ReadFile(filepath.Join(to, "list"))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	files := map[string][]byte{
		r.Version + ".mod":  mod,
		r.Version + ".info": info,
		"list":              append(list, r.Version+"\n"...),
	}
	for name, data := range files {
		if err := os.WriteFile(filepath.Join(to, name), data, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// zipTo writes the module's zip file from the commit.
func zipTo(name, repo, commit, version string, m *Module) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	sub := m.Dir
	if sub == "." {
		sub = ""
	}
	err = zip.CreateFromVCS(f, module.Version{Path: m.Path, Version: version}, repo, commit, sub)
	return errors.Join(err, f.Close())
}

// modAt returns the module's go.mod in the commit.
func modAt(ctx context.Context, repo, commit string, m *Module) ([]byte, error) {
	name := m.Dir + "/go.mod"
	if m.Dir == "." {
		name = "go.mod"
	}
	text, err := git{ctx, repo}.output("show", commit+":"+name)
	return append([]byte(text), '\n'), err
}

// sumLines returns the lines of a go.sum for the module in the commit.
func sumLines(ctx context.Context, repo, commit string, m *Module, version string) ([]string, error) {
	dir, err := os.MkdirTemp("", "zmy-release-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	name := filepath.Join(dir, "m.zip")
	if err := zipTo(name, repo, commit, version, m); err != nil {
		return nil, err
	}
	all, err := dirhash.HashZip(name, dirhash.Hash1)
	if err != nil {
		return nil, err
	}
	mod, err := modAt(ctx, repo, commit, m)
	if err != nil {
		return nil, err
	}
	one, err := dirhash.Hash1([]string{"go.mod"}, func(string) (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(mod)), nil })
	if err != nil {
		return nil, err
	}
	return []string{
		fmt.Sprintf("%s %s %s\n", m.Path, version, all),
		fmt.Sprintf("%s %s/go.mod %s\n", m.Path, version, one),
	}, nil
}
