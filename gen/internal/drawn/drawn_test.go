package drawn

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/zmylab/zmy/gen/cli"
)

var (
	seed   = flag.Uint64("seed", 11, "of the first module drawn")
	types  = flag.Int("types", 60, "structs to draw, at most 100 a module")
	checks = flag.Int("checks", 60_000, "comparisons with encoding/json, all modules together")
	keep   = flag.String("keep", "", "folder for the modules; by default they are removed")
)

// TestJSON generates JSON code for drawn types and lets a program compare it with
// encoding/json: bytes, values and the texts of errors, of random values and damaged
// documents. The modules draw from seed, seed+1 and so on.
func TestJSON(t *testing.T) {
	eachModule(t, func(t *testing.T, seed uint64, n, checks int) { run(t, seed, n, checks, mode{}) })
}

// TestStale changes the types after their code was generated: the program must notice, and
// marshal and unmarshal them as they are.
func TestStale(t *testing.T) {
	eachModule(t, func(t *testing.T, seed uint64, n, checks int) {
		run(t, seed, max(n/2, 10), checks/4, mode{change: true})
	})
}

// version2 reports an encoding/json that is built on its version 2.
func version2() bool {
	return strings.Contains(os.Getenv("GOEXPERIMENT"), "jsonv2") || strings.Contains(runtime.Version(), "go1.27")
}

// TestTags draws struct tags fxjson, and holds generated code against reflection.
func TestTags(t *testing.T) {
	if version2() {
		t.Skip("types with what only version 2 knows are left to it, which does not heed the tag")
	}
	eachModule(t, func(t *testing.T, seed uint64, n, checks int) {
		run(t, seed, max(n/3, 10), checks/4, mode{Options: Options{Tags: true}})
	})
}

// TestOneWay generates code with -only, and TestTiny with -tiny, alone and with -only.
func TestOneWay(t *testing.T) {
	if version2() {
		t.Skip("types with what only version 2 knows are left to it, both ways")
	}
	for _, only := range []string{"encode", "decode"} {
		t.Run(only, func(t *testing.T) {
			eachModule(t, func(t *testing.T, seed uint64, n, checks int) {
				run(t, seed, max(n/6, 10), checks/8, mode{args: []string{"-only=" + only}})
			})
		})
	}
}

func TestTiny(t *testing.T) {
	if version2() {
		t.Skip("jsontiny has the semantics of version 1")
	}
	for _, args := range [][]string{{"-tiny"}, {"-tiny", "-only=encode"}, {"-tiny", "-only=decode"}} {
		t.Run(strings.Join(args, ""), func(t *testing.T) {
			eachModule(t, func(t *testing.T, seed uint64, n, checks int) {
				run(t, seed, max(n/6, 10), checks/8, mode{Options: Options{Tiny: true}, args: args})
			})
		})
	}
}

// mode is how a module is drawn and generated.
type mode struct {
	Options
	args   []string // flags of fxjson, and of the program
	change bool     // types change after their code was generated
}

// eachModule calls f with a share of what the flags ask for.
func eachModule(t *testing.T, f func(t *testing.T, seed uint64, n, checks int)) {
	if testing.Short() {
		t.Skip("builds programs")
	}
	const most = 100
	modules := (*types + most - 1) / most
	for i := range modules {
		n := *types/modules + min(1, max(0, *types%modules-i))
		seed := *seed + uint64(i)
		t.Run(fmt.Sprint("seed", seed), func(t *testing.T) { f(t, seed, n, *checks/modules) })
	}
}

// run draws, generates, builds and runs one module.
func run(t *testing.T, seed uint64, n, checks int, mode mode) {
	m := Draw(seed, n, mode.Options)
	dir := folder(t, seed)
	write(t, dir, m.Files())
	t.Chdir(dir)
	t.Setenv("GOWORK", "off")
	t.Setenv("GOFLAGS", strings.TrimSpace("-mod=mod "+os.Getenv("GOFLAGS"))) // which may have tags
	var out bytes.Buffer
	args := append([]string{"-type=" + strings.Join(m.Roots(), ","), "-output=gen_json.go"}, mode.args...)
	if code := cli.FXJSON(args, &out, &out); code != 0 {
		t.Errorf("seed %d: fxjson ends with %d\n%s", seed, code, &out)
		return
	}
	if mode.change {
		if m.Change() == 0 {
			t.Fatalf("seed %d: nothing to change", seed)
		}
		write(t, dir, m.Files())
		if code := cli.FXJSON(append(args, "-check"), &out, &out); code == 0 {
			t.Errorf("seed %d: fxjson -check does not see that types have changed", seed)
		}
	}
	stale := execute(t, seed, checks, mode.args)
	if fresh := strings.HasSuffix(stale, " stale 0"); stale != "" && fresh == mode.change {
		t.Errorf("seed %d: types changed: %v, and the program says %s", seed, mode.change, stale)
	}
}

// execute builds the program and runs it, and returns what it says at the end.
func execute(t *testing.T, seed uint64, checks int, args []string) string {
	out, err := exec.Command("go", "build", "-o", "program", ".").CombinedOutput()
	if err != nil {
		t.Errorf("seed %d: %v\n%s", seed, err, out)
		return ""
	}
	out, err = exec.Command("./program", append([]string{fmt.Sprint("-seed=", seed), fmt.Sprint("-checks=", checks)},
		args...)...).CombinedOutput()
	if err != nil {
		t.Errorf("seed %d: %v\n%s", seed, err, out)
		return ""
	}
	end := string(bytes.TrimSpace(out))
	t.Logf("seed %d: %s", seed, end)
	return end
}

// folder makes the folder of a module, with what does not depend on the types.
func folder(t *testing.T, seed uint64) string {
	dir := t.TempDir()
	if *keep != "" {
		dir = filepath.Join(*keep, filepath.FromSlash(t.Name()))
	}
	core, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(dir, os.DirFS("testdata/program")); err != nil {
		t.Fatal(err)
	}
	write(t, dir, map[string]string{"go.mod": "module example.org/drawn\n\ngo 1.26\n\nrequire github.com/zmylab/zmy " +
		"v0.0.0\n\nreplace github.com/zmylab/zmy => " + core + "\n"})
	return dir
}

func write(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, src := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(src), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}
