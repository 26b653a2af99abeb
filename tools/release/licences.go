package release

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/google/licensecheck"
)

// allowed are the licences, by the names of SPDX, which package licensecheck has for them too, under which a
// program may link a module without conditions on its own source. MPL-2.0 has conditions on changes
// of the module only.
var allowed = []string{"Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "CC0-1.0", "ISC", "MIT", "MIT-0", "MPL-2.0", "Unicode-3.0",
	"Unlicense", "Zlib", googlePatents}

// googlePatents is what package licensecheck calls the file PATENTS of Google's modules: a grant beside
// the licence, and no licence of SPDX.
const googlePatents = "GooglePatentsFile"

// Licence is the licence of a module of others.
type Licence struct {
	Path, Version string
	Names         []string // of the licences that its texts hold
	Texts         []Text
	Why           string // why it is not allowed, or ""
}

// Text is a file of a module that users of the module must have.
type Text struct {
	Name string
	Data []byte
}

// Licences returns the licences of the modules whose packages the patterns import in dir, except the
// repository's own.
func Licences(ctx context.Context, dir string, patterns ...string) (all []Licence, err error) {
	var modules []linkedModule
	for _, system := range []string{"linux", "darwin", "windows"} {
		more, err := linked(ctx, dir, system, patterns)
		if err != nil {
			return nil, err
		}
		modules = append(modules, more...)
	}
	slices.SortFunc(modules, func(a, b linkedModule) int { return strings.Compare(a.Path, b.Path) })
	for _, m := range slices.Compact(modules) {
		l := Licence{Path: m.Path, Version: m.Version}
		if l.Texts, err = texts(m.Dir); err != nil {
			return nil, fmt.Errorf("%s: %w", m.Path, err)
		}
		l.judge()
		all = append(all, l)
	}
	return all, nil
}

// linkedModule is a module of go list.
type linkedModule struct{ Path, Version, Dir string }

// linked returns the modules of others whose packages the patterns import on an operating system.
func linked(ctx context.Context, dir, system string, patterns []string) (all []linkedModule, err error) {
	cmd := exec.CommandContext(ctx, "go", append([]string{"list", "-deps", "-json=Module"}, patterns...)...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOOS="+system, "CGO_ENABLED=0")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w: %s", err, bytes.TrimSpace(stderr.Bytes()))
	}
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p struct{ Module *linkedModule }
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		if p.Module != nil && !ours(p.Module.Path) && !slices.Contains(all, *p.Module) {
			all = append(all, *p.Module)
		}
	}
	return all, nil
}

// textName matches names of files with licences and notices.
var textName = regexp.MustCompile(`(?i)^(li[cs]en[cs]e|copying|copyright|notice|unlicense|patents)([-._].*)?$`)

func texts(dir string) (all []Text, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if !e.Type().IsRegular() || !textName.MatchString(e.Name()) || strings.HasSuffix(e.Name(), ".go") {
			continue
		}
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return nil, err
		}
		all = append(all, Text{e.Name(), data})
	}
	return all, nil
}

// judge sets the names of the licence, and why it is not allowed.
func (l *Licence) judge() {
	for _, t := range l.Texts {
		for _, m := range licensecheck.Scan(t.Data).Match {
			if !m.IsURL && !slices.Contains(l.Names, m.ID) {
				l.Names = append(l.Names, m.ID)
			}
		}
	}
	slices.Sort(l.Names)
	switch i := slices.IndexFunc(l.Names, func(n string) bool { return !slices.Contains(allowed, n) }); {
	case len(l.Texts) == 0:
		l.Why = "has no file with a licence"
	case len(l.Names) == 0:
		l.Why = "has a licence that is not known: read " + l.Texts[0].Name
	case i >= 0:
		l.Why = "has the licence " + l.Names[i] + ", which is not on the list (tools/release/licences.go)"
	}
}

// WriteNotices writes the texts of licences, for those who get a program that has the modules in it.
func WriteNotices(w io.Writer, all []Licence) error {
	var b bytes.Buffer
	b.WriteString("These programs contain the following modules of others, under the licences below.\n")
	for _, l := range all {
		for _, t := range l.Texts {
			fmt.Fprintf(&b, "\n%s\n%s %s, %s\n\n%s\n", strings.Repeat("=", 80), l.Path, l.Version, t.Name, bytes.TrimSpace(t.Data))
		}
	}
	_, err := b.WriteTo(w)
	return err
}
