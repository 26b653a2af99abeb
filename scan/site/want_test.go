package site

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func init() { panics = true }

// TestWants compares the sites of the modules in testdata with the comments there: after "// want "
// the sites of the line, separated by "|". A site is its direction, its codec and its types,
// separated by ";", each with the names of the functions through which it came; or "?" and the reason
// why no type is known. Types and functions have no package path if they belong to the module, and
// functions have no package.
func TestWants(t *testing.T) {
	for _, name := range []string{"wrappers", "tests", "tags"} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join("testdata", name)
			cfg := Config{Dir: dir, Env: noWorkspace(), Tests: name == "tests"}
			if name == "tags" {
				cfg.Tags = "extra"
			}
			res, err := Find(t.Context(), cfg)
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range res.Errors {
				t.Error(e)
			}
			compareWants(t, res, dir)
		})
	}
}

func noWorkspace() []string {
	return append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod", "GOPROXY=off")
}

func compareWants(t *testing.T, res *Result, dir string) {
	t.Helper()
	got := map[string][]string{}
	for _, s := range res.Sites {
		at := fmt.Sprintf("%s:%d", s.Pos.Filename, s.Pos.Line)
		got[at] = append(got[at], spell(res, s))
	}
	want := wants(t, dir)
	for at, w := range want {
		g := slices.Sorted(slices.Values(got[at]))
		slices.Sort(w)
		if !slices.Equal(g, w) {
			t.Errorf("%s:\n got %s\nwant %s", at, strings.Join(g, " | "), strings.Join(w, " | "))
		}
		delete(got, at)
	}
	for at, g := range got {
		t.Errorf("%s: not expected: %s", at, strings.Join(g, " | "))
	}
	if len(want) == 0 {
		t.Error("no comments with expectations")
	}
}

func wants(t *testing.T, dir string) map[string][]string {
	t.Helper()
	all := map[string][]string{}
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".go" {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(dir, path)
		for i, line := range strings.Split(string(text), "\n") {
			if _, w, ok := strings.Cut(line, "// want "); ok {
				at := fmt.Sprintf("%s:%d", filepath.ToSlash(rel), i+1)
				for _, one := range strings.Split(w, " | ") {
					all[at] = append(all[at], strings.TrimSpace(one))
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// spell writes s as the comments do.
func spell(res *Result, s *Site) string {
	text := fmt.Sprintf("%s %s ", s.Kind.Direction, s.Kind.Codec)
	if s.Why != "" {
		return text + "? " + s.Why
	}
	var values []string
	for _, v := range s.Values {
		one := strings.ReplaceAll(v.Name, res.Module+".", "")
		for i, c := range v.Via {
			if i == 0 {
				one += " via"
			}
			one += " " + c.Func[strings.LastIndexByte(c.Func, '/')+1:][strings.IndexByte(c.Func[strings.LastIndexByte(c.Func, '/')+1:], '.')+1:]
		}
		values = append(values, one)
	}
	if s.Open != "" {
		values = append(values, "open")
	}
	return text + strings.Join(values, "; ")
}

// TestCancel holds that Find returns ctx's error, whenever ctx ends.
func TestCancel(t *testing.T) {
	for _, step := range []string{"load packages", "build SSA", "call graph", "trace types"} {
		ctx, cancel := context.WithCancel(t.Context())
		res, err := Find(ctx, Config{Dir: "testdata/wrappers", Env: noWorkspace(), Progress: func(s string) {
			if s == step {
				cancel()
			}
		}})
		if err != context.Canceled || res != nil {
			t.Errorf("%s: %v, %v", step, res != nil, err)
		}
		cancel()
	}
}
