package adopt

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/zmylab/zmy/internal/longtest"
)

// public are modules of others: tools, libraries, services, with generated code and build tags.
var public = []struct {
	module, version string
	patterns        []string
	// least is how many sites change at least. It holds the found sites against silent losses.
	least int
}{
	{module: "github.com/golang-jwt/jwt/v5", version: "v5.3.1", least: 5},
	{module: "github.com/slack-go/slack", version: "v0.35.0", least: 50},
	{module: "github.com/mikefarah/yq/v4", version: "v4.54.2", least: 1},
	{module: "github.com/prometheus/client_golang", version: "v1.25.0", least: 1},
	{module: "github.com/rs/zerolog", version: "v1.35.1", least: 1},
	{module: "github.com/gin-gonic/gin", version: "v1.12.0", least: 1},
	{module: "github.com/grpc-ecosystem/grpc-gateway/v2", version: "v2.33.0", least: 1},
	{module: "github.com/nats-io/jwt/v2", version: "v2.8.2", least: 1},
	{module: "github.com/getkin/kin-openapi", version: "v0.153.0", least: 1},
	{module: "github.com/hashicorp/go-hclog", version: "v1.6.3", least: 1},
	{module: "github.com/bitnami-labs/sealed-secrets", version: "v0.40.0", least: 1},
	{module: "github.com/songquanpeng/one-api", version: "v0.6.10", least: 20},
}

// TestModules adopts fxjson in public modules. For each one it demands: packages that passed before
// pass after, the patch applies with git, and undo leaves the tree byte for byte.
func TestModules(t *testing.T) {
	longtest.Only(t, "fetches ten modules, and builds and tests them twice")
	clone, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range public {
		t.Run(m.module, func(t *testing.T) {
			dir := fetch(t, m.module, m.version)
			before := hashes(t, dir)
			start := time.Now()
			r, err := Run(t.Context(), Options{Dir: dir, Patterns: m.patterns, Runtime: clone, Timeout: 5 * time.Minute,
				Doing: func(s string) { t.Logf("%4.0f s: %s", time.Since(start).Seconds(), s) }})
			if err != nil {
				t.Fatal(err)
			}
			var text strings.Builder
			r.Text(&text, 140)
			t.Log(text.String())
			read, others := r.Read()
			fine, broken := 0, 0
			for _, c := range r.Checks {
				switch {
				case c.After == "":
					fine++
				case c.Before == "":
					t.Errorf("%s passed before and does not after: %s", c.Package, c.After)
				default:
					broken++
				}
			}
			types := 0
			for _, ts := range r.Types {
				types += len(ts.Names)
			}
			t.Logf("ROW | %s %s | %d | %d | %d | %d, %d | %d | %d | %.0f s |", m.module, m.version, len(r.Sites), len(r.Stay), types,
				len(read), len(others), fine, broken, time.Since(start).Seconds())
			if len(r.Sites) < m.least {
				t.Errorf("%d sites change; want at least %d", len(r.Sites), m.least)
			}
			if after := hashes(t, dir); !maps.Equal(before, after) {
				t.Error("the run has changed the tree")
			}
			applyAndUndo(t, r, before)
		})
	}
}

// applyAndUndo applies the patch with git and with Apply, which must agree, and takes it back.
func applyAndUndo(t *testing.T, r *Result, before map[string]string) {
	t.Helper()
	if err := Apply(r, func() error { return nil }); err != nil {
		t.Fatal(err)
	}
	applied := hashes(t, r.Dir)
	if err := Undo(r.Dir, r.Codec); err != nil {
		t.Fatal(err)
	}
	if after := hashes(t, r.Dir); !maps.Equal(before, after) {
		t.Errorf("undo has left other files: %s", differing(before, after))
	}
	patch := filepath.Join(t.TempDir(), "p.patch")
	if err := os.WriteFile(patch, Patch(r.Changes), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := exec.LookPath("git"); err != nil {
		t.Log("no git")
		return
	}
	cmd := exec.Command("git", "apply", patch)
	cmd.Dir = r.Dir
	cmd.Env = append(os.Environ(), "GIT_CEILING_DIRECTORIES="+filepath.Dir(r.Dir))
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git apply: %v\n%s", err, out)
	}
	delete(applied, RecordName(r.Codec))
	if after := contents(hashes(t, r.Dir)); !maps.Equal(contents(applied), after) {
		t.Errorf("git apply makes other files: %s", differing(applied, after))
	}
}

// contents takes the permission bits out of hashes: git knows two kinds of them only.
func contents(all map[string]string) map[string]string {
	out := map[string]string{}
	for name, h := range all {
		out[name], _, _ = strings.Cut(h, " ")
	}
	return out
}

func differing(a, b map[string]string) string {
	var out []string
	for name, h := range a {
		if b[name] != h {
			out = append(out, name)
		}
	}
	for name := range b {
		if a[name] == "" {
			out = append(out, name)
		}
	}
	return strings.Join(out, ", ")
}

// hashes returns the hash of each file of a folder, with its permission bits.
func hashes(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.Name() == ".git" {
			if d != nil && d.IsDir() && err == nil {
				return filepath.SkipDir
			}
			return err
		}
		rel, err := filepath.Rel(dir, name)
		if err != nil {
			return err
		}
		if d.IsDir() {
			out[rel+"/"] = "folder"
			return nil
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		out[rel] = fmt.Sprintf("%x %v", sha256.Sum256(data), info.Mode())
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// fetch copies a module from the module cache into a folder that can be written.
func fetch(t *testing.T, module, version string) string {
	t.Helper()
	cmd := exec.Command("go", "mod", "download", "-json", module+"@"+version)
	cmd.Dir = t.TempDir()
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod")
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s@%s: %v\n%s", module, version, err, out)
	}
	var got struct{ Dir string }
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), filepath.Base(strings.TrimSuffix(module, "/v2")))
	if err := os.CopyFS(dir, os.DirFS(got.Dir)); err != nil {
		t.Fatal(err)
	}
	err = filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		mode := fs.FileMode(0o644)
		if d.IsDir() {
			mode = 0o755
		}
		return os.Chmod(name, mode)
	})
	if err != nil {
		t.Fatal(err)
	}
	return dir
}
