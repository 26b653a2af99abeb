package compat

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/zmylab/zmy/internal/longtest"
	"github.com/zmylab/zmy/lab/realtypes"
)

// truth is a difference that maintainers found or pinned by hand in public, on a type that can be
// fetched or that needs no fetching. docs/perf/compat.md is the table of the results.
type truth struct {
	where   string   // the thread
	get     []string // modules to fetch
	imports []string
	decl    string // declaration of type T
	from    string
	to      string
	want    finding
}

// truths are those of toolchains first.
var truths = []truth{
	{"tailscale/tailscale#20533", []string{"tailscale.com@v1.94.1", "github.com/go-json-experiment/json@v1.27.2"},
		[]string{"tailscale.com/tailcfg"}, "type T tailcfg.SSHAction", "go1.26.8", NewestGo,
		finding{OpMarshal, "unsupported `format` tag option", ".", "GOEXPERIMENT=nojsonv2"}},
	{"tidwall/gjson#397", nil, nil, "type T string", "go1.26.8", NewestGo,
		finding{OpMarshal, `\ufffd → the character itself`, ".", "GOEXPERIMENT=nojsonv2"}},
	{"hashicorp/go-hclog#212", nil, nil, "type T map[string]any", "go1.26.8", NewestGo,
		finding{OpMarshal, `\ufffd → the character itself`, "*", "GOEXPERIMENT=nojsonv2"}},
	{"osbuild/image-builder#2502", nil, []string{"os"}, "type T struct { Path string; Mode os.FileMode }", "go1.26.8", NewestGo,
		finding{OpUnmarshal, "text of an error", ".", "GOEXPERIMENT=nojsonv2"}},
	{"tailscale/tailscale#17307", []string{"tailscale.com@v1.88.1", "github.com/go-json-experiment/json@v1.27.2"},
		[]string{"tailscale.com/tailcfg"}, "type T tailcfg.SSHAction", "", jsonV2,
		finding{OpUnmarshal, "as it is written: read → error", "sessionDuration", "json.FormatDurationAsNano"}},
	{"tailscale/tailscale#17780", []string{"tailscale.com@v1.88.1", "github.com/go-json-experiment/json@v1.27.2"},
		[]string{"tailscale.com/tailcfg"}, "type T tailcfg.SSHAction", "", jsonV2,
		finding{OpMarshal, "left out → written: false", "accept", "json.OmitEmptyWithLegacySemantics"}},
	{"kubernetes/kubernetes#129304", []string{"k8s.io/api@v0.37.2"}, []string{"corev1 k8s.io/api/core/v1"},
		"type T corev1.PodSpec", "", jsonV2, finding{OpMarshal, "left out → written: false", "hostNetwork", "json.OmitEmptyWithLegacySemantics"}},
	{"fission/fission#3695, the pod template that is hashed", []string{"k8s.io/api@v0.37.2"}, []string{"corev1 k8s.io/api/core/v1"},
		"type T corev1.PodTemplateSpec", "", jsonV2, finding{OpMarshal, "null → []", "spec.containers", "jsonv2.FormatNilSliceAsNull"}},
}

// TestPublic: what maintainers found by hand is found.
func TestPublic(t *testing.T) {
	longtest.Only(t, "fetches modules and builds two workers for each type")
	newest(t)
	for _, x := range truths {
		t.Run(x.where+" "+x.to, func(t *testing.T) {
			dir := t.TempDir()
			src := "// Package truth declares a type of another module.\npackage truth\n\n"
			for _, spec := range x.imports {
				if name, path, ok := strings.Cut(spec, " "); ok {
					src += "import " + name + " \"" + path + "\"\n"
				} else {
					src += "import \"" + spec + "\"\n"
				}
			}
			write(t, filepath.Join(dir, "truth.go"), src+"\n"+x.decl+"\n")
			write(t, filepath.Join(dir, "go.mod"), "module truth.invalid/t\n\ngo 1.25\n")
			if len(x.get) > 0 {
				cmd := exec.Command("go", append([]string{"get"}, x.get...)...)
				cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod")
				if out, err := cmd.CombinedOutput(); err != nil {
					t.Skipf("%v: %s", err, out)
				}
				tidy := exec.Command("go", "mod", "tidy")
				tidy.Dir, tidy.Env = dir, cmd.Env
				if out, err := tidy.CombinedOutput(); err != nil {
					t.Skipf("%v: %s", err, out)
				}
			}
			r, err := tried(t, Options{Dir: dir, From: x.from, To: x.to}, "T")
			if err != nil {
				t.Fatal(err)
			}
			if f := r.Types[0].Failure; f != nil {
				t.Fatal(f, f.Output)
			}
			found(t, r.Types[0], []finding{x.want})
		})
	}
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestFalseAlarms: fxjson promises what encoding/json does, so types of public modules are the same.
// A difference is a false alarm, or a fault of fxjson: the goal is at most 2% of the types.
func TestFalseAlarms(t *testing.T) {
	longtest.Only(t, "fetches modules and builds two workers for each type")
	all, err := realtypes.Types()
	if err != nil {
		t.Fatal(err)
	}
	only := strings.Fields(os.Getenv("TYPES"))
	compared, alarms := 0, 0
	for _, x := range all {
		if x.Never != "" || len(only) > 0 && !slices.Contains(only, x.Name) {
			continue
		}
		t.Run(x.Name, func(t *testing.T) {
			dir := t.TempDir()
			docs := filepath.Join(t.TempDir(), "documents.ndjson")
			if err := x.Write(dir, docs); err != nil {
				t.Fatal(err)
			}
			r, err := tried(t, Options{Dir: dir, To: "fxjson", Sample: docs}, x.Subject())
			if err != nil {
				t.Fatal(err)
			}
			typ := r.Types[0]
			t.Logf("%s: %s on %d values and %d calls, in %.0f s", x.Name, typ.Status, typ.Values, typ.Tried, typ.Seconds)
			compared++
			if typ.Status != Same {
				alarms++
				for _, d := range typ.Differences {
					t.Logf("%s %s at %v: %+v", d.Op, d.Class, d.Paths, d.Example)
				}
				t.Log(typ.Failure)
			}
		})
	}
	if compared == 0 || alarms*50 > compared {
		t.Errorf("%d of %d types differ", alarms, compared)
	}
}
