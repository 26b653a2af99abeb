package scan_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/scan"
	"github.com/zmylab/zmy/scan/site"
)

type quiet struct{}

func (quiet) Say(string)                                  {}
func (quiet) Doing(string)                                {}
func (quiet) Note(string)                                 {}
func (quiet) First(*run.Contender, []*run.Cell)           {}
func (quiet) Rounds(string, time.Duration, time.Duration) {}

// TestShop: real profiles of the program in examples/shop, which is built here with and without trimmed paths, are
// divided among its sites.
func TestShop(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and profiles a program")
	}
	dir := filepath.Join("..", "examples", "shop")
	code, err := scan.Load(t.Context(), site.Config{Dir: dir, Env: append(os.Environ(), "GOWORK=off", "GOFLAGS=-buildvcs=false")})
	if err != nil {
		t.Fatal(err)
	}
	for _, flag := range []string{"-trimpath", "-trimpath=false"} {
		t.Run(flag, func(t *testing.T) {
			out := t.TempDir()
			cpu, heap := filepath.Join(out, "cpu.pprof"), filepath.Join(out, "heap.pprof")
			build := exec.Command("go", "build", flag, "-o", filepath.Join(out, "shop"), ".")
			build.Dir, build.Env = dir, append(os.Environ(), "GOWORK=off", "GOFLAGS=-buildvcs=false")
			if text, err := build.CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, text)
			}
			serve := exec.Command(filepath.Join(out, "shop"), "-cpuprofile", cpu, "-memprofile", heap, "-config",
				`{"orders": 200, "requests": 80000}`)
			if text, err := serve.CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, text)
			}
			r, err := scan.Run(t.Context(), code, scan.Options{CPU: cpu, Heap: heap}, quiet{})
			if err != nil {
				t.Fatal(err)
			}
			at := map[string]*scan.Site{}
			for _, x := range r.Sites {
				at[strings.TrimPrefix(x.Type, "*")+" "+x.Direction] = x
				if x.Moved > 0 {
					t.Errorf("%s:%d: %.3f of the samples agree by function only", x.File, x.Line, x.Moved)
				}
			}
			load, get, list := at["example.org/shop/order.Order unmarshal"], at["example.org/shop/order.Order marshal"],
				at["example.org/shop/api.Page marshal"]
			if load == nil || get == nil || list == nil {
				t.Fatalf("not all sites have samples: %v", at)
			}
			if load.CPU.Point < 0.1 || load.CPU.Point < get.CPU.Point || load.GC.Point > r.Collector || load.Own == 0 {
				t.Errorf("store.Load has %+v of CPU and %+v of the collector's %.3f, of it %.4f in methods of types", load.CPU, load.GC, r.Collector,
					load.Own)
			}
			// A page has ten orders, and one request in ten is for a page: both sites marshal about as many.
			if q := list.CPU.Point / get.CPU.Point; q < 0.4 || q > 2.5 {
				t.Errorf("pages take %.3f, single orders %.3f", list.CPU.Point, get.CPU.Point)
			}
			if len(get.Via) != 1 || !strings.HasPrefix(get.Via[0], "api/api.go:") || get.File != "api/api.go" {
				t.Errorf("the wrapper of %+v", get)
			}
			if other := r.All.Point - r.Here.Point; other > 0.01 {
				t.Errorf("%.3f of CPU is serialization without a site: %+v", other, r.Elsewhere)
			}
		})
	}
}
