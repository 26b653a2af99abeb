package peers

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/zmylab/zmy/lab/compare"
	"github.com/zmylab/zmy/lab/contender"
	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/lab/stats"
)

// repository writes a small one and returns its folder.
func repository(t *testing.T) string {
	t.Helper()
	root := t.TempDir()
	files := map[string]string{
		"go.mod": "module example.org/root\n\ngo 1.25\n",
		"lab/contender/codecs/fast/adapter/mod.txt": "module m\n\ngo 1.25\n\nrequire example.org/fast v1.0.0\n\n" +
			"require example.org/deep v0.1.0 // indirect\n",
		"lab/contender/codecs/fast/fast.go":         "package fast\n\nvar x = T{\n\tReleased:  \"2020-01-02\",\n}\n",
		"lab/contender/codecs/slow/adapter/mod.txt": "module m\n\ngo 1.25\n\nrequire example.org/slow/v2 v2.1.0\n",
		"lab/contender/codecs/slow/slow.go":         "package slow\n\nvar x = T{Released: \"2021-01-02; \" + v}\n",
		"lab/experiment/stores/client/mod.txt":      "module m\n\ngo 1.25\n\nrequire example.org/store v0.9.0\n",
		"adapters/fastx/go.mod":                     "module a\n\ngo 1.25\n\nrequire (\n\texample.org/fast v1.0.5\n\texample.org/web v1.0.0\n)\n",
		"cmd/go.mod":                                "module c\n\ngo 1.25\n\nrequire a v0.0.0\n\nrequire example.org/fast v1.0.5 // indirect\n",
		"adapters/fastx/testdata/go.mod":            "module b\n\ngo 1.25\n\nrequire example.org/fast v0.0.1\n",
	}
	if err := contender.Write(root, files); err != nil {
		t.Fatal(err)
	}
	return root
}

// proxy has the versions of a registry.
func proxy(_ context.Context, path, query string) (Version, error) {
	newest := map[string]Version{"example.org/fast": {"v1.2.0", "2026-05-06"}, "example.org/slow/v2": {"v2.1.0", "2021-01-02"},
		"example.org/slow/v3": {"v3.0.1", "2026-01-01"}, "example.org/slow/v4": {"v4.0.0", "2026-02-02"}}
	have := map[string]string{"v1.0.0": "2020-01-02", "v2.1.0": "2021-01-02"}
	switch v, ok := newest[path]; {
	case path == "example.org/store":
		return Version{}, errors.New("403 Forbidden")
	case !ok:
		return Version{}, fmt.Errorf("%s: %w", path, ErrNone)
	case query != "latest":
		return Version{query, have[query]}, nil
	default:
		return v, nil
	}
}

func TestList(t *testing.T) {
	peers, err := List(t.Context(), repository(t), proxy)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"example.org/fast v1.0.0 (v1.0.5 in adapters/fastx/go.mod) → v1.2.0 of 2026-05-06",
		"example.org/slow/v2 v2.1.0 is the newest, of 2021-01-02; by hand, since imports change: example.org/slow/v4 v4.0.0 of 2026-02-02",
		"example.org/store v0.9.0 newest unknown: 403 Forbidden",
	}
	var got []string
	for _, p := range peers {
		got = append(got, p.Line())
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	table := []contender.Info{{Name: "fast", Modules: []run.Module{{Path: "example.org/fast"}}},
		{Name: "slow", Modules: []run.Module{{Path: "example.org/slow/v2"}}}}
	if codecs := Codecs(peers, table); !slices.Equal(codecs, []string{"fast"}) {
		t.Errorf("codecs %q", codecs)
	}
	if _, err := List(t.Context(), t.TempDir(), proxy); err == nil {
		t.Error("a folder without contenders is listed")
	}
}

// TestLower: a version beyond the newest, such as a pre-release, is not lowered.
func TestLower(t *testing.T) {
	root := repository(t)
	file := filepath.Join(root, "lab/contender/codecs/slow/adapter/mod.txt")
	if err := os.WriteFile(file, []byte("module m\n\nrequire example.org/slow/v2 v2.2.0-alpha.1\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	peers, err := List(t.Context(), root, proxy)
	if err != nil {
		t.Fatal(err)
	}
	if p := peers[1]; p.Stale() || p.Newest.Name != "v2.2.0-alpha.1" {
		t.Errorf("%+v", p)
	}
}

func TestRaise(t *testing.T) {
	root := repository(t)
	peers, err := List(t.Context(), root, proxy)
	if err != nil {
		t.Fatal(err)
	}
	files, err := Raise(root, peers)
	if err != nil || !slices.Equal(files, []string{"adapters/fastx/go.mod", "lab/contender/codecs/fast/adapter/mod.txt"}) {
		t.Fatalf("%q, %v", files, err)
	}
	if more, err := dependents(root, files); err != nil || !slices.Equal(more, []string{"cmd/go.mod"}) {
		t.Errorf("dependents %q, %v", more, err)
	}
	for file, want := range map[string]string{
		"adapters/fastx/go.mod":                     "\texample.org/fast v1.2.0\n\texample.org/web v1.0.0\n",
		"adapters/fastx/testdata/go.mod":            "example.org/fast v0.0.1",
		"lab/contender/codecs/fast/adapter/mod.txt": "require example.org/fast v1.2.0\n\nrequire example.org/deep v0.1.0 // indirect",
		"lab/contender/codecs/fast/fast.go":         "Released:  \"2026-05-06\"",
		"lab/contender/codecs/slow/slow.go":         "Released: \"2021-01-02; \"",
		"lab/contender/codecs/slow/adapter/mod.txt": "v2.1.0",
	} {
		text, err := os.ReadFile(filepath.Join(root, file))
		if err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%s: %v, %q is missing from\n%s", file, err, want, text)
		}
	}
	again, err := List(t.Context(), root, proxy)
	if err != nil || again[0].Stale() {
		t.Errorf("raised, and still stale: %+v, %v", again[0], err)
	}
}

func TestNextMajor(t *testing.T) {
	for path, want := range map[string]string{"example.org/a": "example.org/a/v2", "example.org/a/v9": "example.org/a/v10",
		"gopkg.in/yaml.v3": "", "example.org/a/v1": ""} {
		if got := nextMajor(path); got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
}

// TestRequired: the repository's own peers are those that contenders pin.
func TestRequired(t *testing.T) {
	peers, err := Required("../..")
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(peers, func(p *Peer) bool { return p.Path == "github.com/goccy/go-json" })
	if i < 0 || len(peers) < 20 {
		t.Fatalf("%d peers", len(peers))
	}
	var files []string
	for _, u := range peers[i].Uses {
		files = append(files, u.File)
	}
	for _, want := range []string{"lab/contender/codecs/goccy/adapter/mod.txt", "adapters/goccyx/go.mod"} {
		if !slices.Contains(files, want) {
			t.Errorf("goccy is required by %q, without %s", files, want)
		}
	}
}

func TestChanged(t *testing.T) {
	cell := func(codec, mode string) *run.Cell { return &run.Cell{Codec: codec, Op: "encode", Mode: mode} }
	var b strings.Builder
	Changed(&b, "sse SSEEvent", &compare.Result{Floor: 0.05,
		Cells: []compare.Cell{{A: cell(run.Baseline, stats.Fresh)}, {A: cell("fast", "append"), Verdict: run.Faster,
			Rel: stats.Result{Point: 1.2, Lo: 1.1, Hi: 1.3, N: 9}}},
		Changes:  []compare.Change{{What: "fast values", A: "LOSSLESS", B: "LOSSY"}},
		Warnings: []string{"short"}})
	want := "\nsse SSEEvent: speed after ÷ before, both in relation to encoding/json; noise floor ±5%\n" +
		"  fast                   encode  append        1.20× [1.10, 1.30] faster\n  fast values: LOSSLESS → LOSSY\n  ⚠ short\n"
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
}
