package compat

import (
	"cmp"
	"context"
	"fmt"
	"go/version"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"

	"github.com/zmylab/zmy/lab"
)

// Side is one of the two programs that are compared: a codec, built by a toolchain, with versions of
// modules.
type Side struct {
	Codec     string `json:"codec"`               // std-json, json-v2, fxjson …
	Toolchain string `json:"toolchain,omitempty"` // go1.27.1; "" is the one that the package is built with
	Module    string `json:"module,omitempty"`    // module whose version is set, with Version
	Version   string `json:"version,omitempty"`
	Env       []string

	asked bool // the codec was named
}

// Codecs are the codecs that a side may have.
var Codecs = []string{stdJSON, jsonV2, "fxjson", "goccy", "sonic", "jsoniter", "segmentio"}

const (
	stdJSON = "std-json"
	jsonV2  = "json-v2"
)

// NewestGo is the toolchain that builds json-v2 if none is named and the present one has no such
// package.
const NewestGo = "go1.27.1"

// titles name the codecs for people.
var titles = map[string]string{stdJSON: "encoding/json", jsonV2: "encoding/json/v2"}

// String names the side for people: "encoding/json by go1.27.1".
func (s *Side) String() string {
	out := cmp.Or(titles[s.Codec], s.Codec)
	if s.Module != "" {
		out += " with " + s.Module + "@" + s.Version
	}
	if s.Toolchain != "" {
		out += " by " + s.Toolchain
	}
	if len(s.Env) > 0 {
		out += " (" + strings.Join(s.Env, " ") + ")"
	}
	return out
}

var goVersion = regexp.MustCompile(`^go1\.[0-9]+(\.[0-9]+|rc[0-9]+|beta[0-9]+)?$`)

// parseSide reads -to or -from: a toolchain, a codec, a module's version, or several of these with
// commas between them.
func parseSide(flag, text string) (s Side, err error) {
	for word := range strings.SplitSeq(text, ",") {
		path, v, versioned := strings.Cut(word, "@")
		switch {
		case word == "encoding/json" || word == "json" || word == "std":
			s.Codec, s.asked = stdJSON, true
		case word == "encoding/json/v2" || word == "jsonv2" || word == "v2":
			s.Codec, s.asked = jsonV2, true
		case slices.Contains(Codecs, word):
			s.Codec, s.asked = word, true
		case goVersion.MatchString(word):
			s.Toolchain = word
		case strings.HasPrefix(word, "go1"):
			return s, lab.Usagef("-%s %s: a toolchain is named like %s", flag, word, NewestGo)
		case versioned && module.CheckPath(path) == nil && v != "":
			s.Module, s.Version = path, v
		default:
			return s, lab.Usagef("-%s %s: name a toolchain (%s), a codec (%s) or a version of a module (MODULE@v1.2.3)%s", flag, word,
				NewestGo, strings.Join(Codecs, ", "), suggestion(word))
		}
	}
	return s, nil
}

func suggestion(word string) string {
	if near := lab.Nearest(word, Codecs); near != "" {
		return "; did you mean " + near + "?"
	}
	return ""
}

// Sides reads -from and -to. The side that is left is the package as it is, with encoding/json, as
// far as from says nothing else. What only one of the two names, both have, if the sides could not
// be compared otherwise.
func Sides(from, to, present string) (a, b Side, err error) {
	if to == "" {
		return a, b, lab.Usagef("-to: name what the bytes are compared with: a toolchain (%s), a codec (%s) or MODULE@VERSION",
			NewestGo, strings.Join(Codecs, ", "))
	}
	if from != "" {
		if a, err = parseSide("from", from); err != nil {
			return a, b, err
		}
	}
	if b, err = parseSide("to", to); err != nil {
		return a, b, err
	}
	if codec := codecOf(b.Module); codec != "" && !b.asked {
		b.Codec = codec
		a.Codec = cmp.Or(a.Codec, codec)
	}
	a.Codec = cmp.Or(a.Codec, stdJSON)
	b.Codec = cmp.Or(b.Codec, a.Codec)
	if b.Toolchain == "" && (b.Codec != jsonV2 || since127(a.Toolchain)) {
		b.Toolchain = a.Toolchain
	}
	for _, s := range []*Side{&a, &b} {
		if s.Codec != jsonV2 {
			continue
		}
		switch have := cmp.Or(s.Toolchain, present); {
		case version.Compare(have, "go1.27") < 0 && s.Toolchain == "":
			s.Toolchain = NewestGo
		case version.Compare(have, "go1.27") < 0:
			return a, b, lab.Usagef("encoding/json/v2 is in Go 1.27 and later, and %s is older: name a later one, or none", have)
		}
	}
	// A change of the codec alone is compared with one toolchain on both sides.
	if a.Codec != b.Codec && a.Toolchain == "" {
		a.Toolchain = b.Toolchain
	}
	if a.Toolchain == "" && b.Toolchain != "" {
		a.Toolchain = present
	}
	if a.String() == b.String() {
		return a, b, lab.Usagef("-to %s: both sides would be %s, so nothing can differ; name another one, or set the old one with -from",
			to, &b)
	}
	return a, b, nil
}

// codecOf returns the codec of a module, or "".
func codecOf(path string) string {
	for name, info := range table {
		for _, m := range info.Modules {
			if m.Path == path && name != "fxjson" {
				return name
			}
		}
	}
	return ""
}

// present returns the Go version with which the package in dir is built.
func present(ctx context.Context, dir string) (string, error) {
	cmd := exec.CommandContext(ctx, "go", "env", "GOVERSION")
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("go env GOVERSION: %w", err)
	}
	v, _, _ := strings.Cut(strings.TrimSpace(string(out)), " ") // experiments follow
	return v, nil
}

// haveToolchain returns an error if the go command cannot have the toolchain. It may download it.
func haveToolchain(ctx context.Context, name string) error {
	if name == "" {
		return nil
	}
	cmd := exec.CommandContext(ctx, "go", "version")
	cmd.Dir = os.TempDir()
	cmd.Env = append(os.Environ(), "GOTOOLCHAIN="+name, "GOWORK=off")
	out, err := cmd.CombinedOutput()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err == nil {
		return nil
	}
	said := strings.TrimSpace(string(out))
	return lab.Usagef("%s cannot be had: %s\n→ GOTOOLCHAIN=%s go version, on a machine that reaches the module proxy", name,
		cmp.Or(said[strings.LastIndexByte(said, '\n')+1:], err.Error()), name)
}

// fetched is a module that was fetched at a version, with the hashes of it and of what it requires.
type fetched struct {
	dir     string // folder of a module that requires it and nothing else
	version string // as the go command resolved it: @latest becomes v1.2.3
	sum     []byte // go.sum
}

// fetch makes a module in dir that requires the given one at a version.
func fetch(ctx context.Context, dir, path, ver, toolchain string) (*fetched, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module zmylab.invalid/fetched\n\ngo 1.25\n"), 0o644); err != nil {
		return nil, err
	}
	run := func(args ...string) ([]byte, error) {
		cmd := exec.CommandContext(ctx, "go", args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod", "PWD="+dir)
		if toolchain != "" {
			cmd.Env = append(cmd.Env, "GOTOOLCHAIN="+toolchain)
		}
		return cmd.CombinedOutput()
	}
	out, err := run("get", path+"@"+ver)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		said := strings.TrimSpace(string(out))
		return nil, lab.Usagef("%s@%s cannot be had: %s\n→ go list -m -versions %s lists the versions", path, ver,
			said[strings.LastIndexByte(said, '\n')+1:], path)
	}
	if out, err = run("list", "-m", "-f", "{{.Version}}", path); err != nil {
		return nil, fmt.Errorf("go list -m %s: %w: %s", path, err, out)
	}
	f := &fetched{dir: dir, version: strings.TrimSpace(string(out))}
	if !semver.IsValid(f.version) {
		return nil, fmt.Errorf("go list -m %s: %q is no version", path, f.version)
	}
	f.sum, err = os.ReadFile(filepath.Join(dir, "go.sum"))
	return f, err
}

// since127 reports whether a toolchain builds encoding/json on version 2.
func since127(toolchain string) bool { return version.Compare(toolchain, "go1.27") >= 0 }
