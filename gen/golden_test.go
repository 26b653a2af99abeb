package gen_test

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/zmylab/zmy/gen/cli"
)

var update = flag.Bool("update", false, "make want/ and stderr of every case what the generators say now")

// tools are the generators; each has a folder of cases.
var tools = map[string]struct {
	run       func(args []string, stdout, stderr io.Writer) int
	roundTrip string // a test that joins the package of each good case
}{
	"json":  {cli.FXJSON, jsonRoundTrip},
	"proto": {cli.FXProto, protoRoundTrip},
	"zmy":   {cli.ZMY, zmyRoundTrip},
}

// A case is a folder of testdata/<tool>: in.go and more sources, args (the
// command line), want/ (the files it writes) and stderr (what it complains of).
// The output of good cases is compiled, and their samples make the round trip,
// in a test of the case's own if it has a roundtrip_test.go.
// Run go test -run Golden -update to accept what is new, and read the diff.
func TestGolden(t *testing.T) {
	work := t.TempDir()
	core, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	mod := "module example.org/golden\n\ngo 1.26\n\nrequire github.com/zmylab/zmy v0.0.0\n\nreplace github.com/zmylab/zmy => " + core + "\n"
	writeFile(t, filepath.Join(work, "go.mod"), []byte(mod))
	if err := os.CopyFS(work, os.DirFS("testdata")); err != nil {
		t.Fatal(err)
	}
	t.Setenv("GOWORK", "off")
	t.Setenv("GOFLAGS", "-mod=mod")
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	var good []string
	for name := range tools {
		cases, err := os.ReadDir(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range cases {
			id := name + "/" + c.Name()
			t.Run(id, func(t *testing.T) {
				if goldenCase(t, name, filepath.Join(work, id), filepath.Join(here, "testdata", id)) {
					good = append(good, id)
				}
			})
		}
	}
	if testing.Short() {
		t.Skip("compiles every output")
	}
	t.Chdir(work)
	for _, args := range [][]string{append([]string{"test", "-vet=off"}, joined(t, good)...), append([]string{"vet"}, folders(good)...)} {
		if out, err := exec.Command("go", args...).CombinedOutput(); err != nil {
			t.Errorf("the output of the good cases: go %s: %v\n%s", args[0], err, out)
		}
	}
}

var testFunc = regexp.MustCompile(`(?m)^func (Test\w+)\(t \*testing\.T\)`)

// joined writes one test program that runs the tests of all cases, since linking one for each takes
// seconds, and returns the packages to test: itself and the cases that nothing can import, which
// are of package main.
func joined(t *testing.T, cases []string) []string {
	t.Helper()
	pkgs := []string{"."}
	var imports, calls strings.Builder
	for i, id := range cases {
		src := readFile(t, id+"/roundtrip_test.go")
		if bytes.HasPrefix(src, []byte("package main\n")) {
			pkgs = append(pkgs, "./"+id)
			continue
		}
		if err := os.Rename(id+"/roundtrip_test.go", id+"/roundtrip.go"); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&imports, "\tc%d %q\n", i, "example.org/golden/"+id)
		found := testFunc.FindAllSubmatch(src, -1)
		if len(found) == 0 {
			t.Errorf("%s has no test", id)
		}
		for _, m := range found {
			fmt.Fprintf(&calls, "\tt.Run(%q, c%d.%s)\n", id+"/"+string(m[1]), i, m[1])
		}
	}
	writeFile(t, "all_test.go", []byte("package golden\n\nimport (\n\t\"testing\"\n\n"+imports.String()+
		")\n\nfunc Test(t *testing.T) {\n"+calls.String()+"}\n"))
	return pkgs
}

// folders are the patterns of cases.
func folders(cases []string) (out []string) {
	for _, id := range cases {
		out = append(out, "./"+id)
	}
	return out
}

// goldenCase runs one case in its copy and compares with the original folder.
// It reports whether there is output to compile.
func goldenCase(t *testing.T, tool, dir, want string) bool {
	t.Chdir(dir)
	if err := os.RemoveAll("want"); err != nil {
		t.Fatal(err)
	}
	args := strings.Fields(string(readFile(t, "args")))
	before := goFiles(t)
	var stdout, stderr bytes.Buffer
	code := tools[tool].run(args, &stdout, &stderr)
	bad := strings.HasPrefix(filepath.Base(dir), "bad-")
	if wantCode := map[bool]int{true: 1}[bad]; code != wantCode {
		t.Errorf("exit %d, want %d\n%s", code, wantCode, &stderr)
	}
	if stdout.Len() > 0 {
		t.Errorf("stdout: %s", &stdout)
	}
	same(t, filepath.Join(want, "stderr"), stderr.Bytes())
	wrote := 0
	for name, src := range goFiles(t) {
		if before[name] == nil {
			wrote++
			same(t, filepath.Join(want, "want", name), src)
		}
	}
	if bad {
		if wrote > 0 {
			t.Errorf("%d files written in spite of the problems", wrote)
		}
		return false
	}
	if code := tools[tool].run(append([]string{"-check"}, args...), &stdout, &stderr); code != 0 {
		t.Errorf("-check right after: exit %d\n%s", code, &stderr)
	}
	if before["roundtrip_test.go"] != nil {
		return wrote > 0
	}
	src := bytes.TrimPrefix(readFile(t, "in.go"), []byte("package "))
	pkg, _, _ := bytes.Cut(src, []byte("\n"))
	writeFile(t, "roundtrip_test.go", []byte("package "+string(pkg)+"\n"+tools[tool].roundTrip))
	return wrote > 0
}

// same compares with a file of the case, or updates it.
func same(t *testing.T, file string, got []byte) {
	t.Helper()
	if *update {
		if len(got) == 0 {
			if err := os.Remove(file); err != nil && !os.IsNotExist(err) {
				t.Fatal(err)
			}
			return
		}
		writeFile(t, file, got)
		return
	}
	want, err := os.ReadFile(file)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s: %s\naccept with -update if this is right", filepath.Base(file), firstDiff(string(got), string(want)))
	}
}

func firstDiff(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range max(len(g), len(w)) {
		var a, b string
		if i < len(g) {
			a = g[i]
		}
		if i < len(w) {
			b = w[i]
		}
		if a != b || i >= len(g) || i >= len(w) {
			return "first difference:\n got: " + a + "\nwant: " + b
		}
	}
	return "no difference"
}

// goFiles reads the Go files of the current folder.
func goFiles(t *testing.T) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	names, err := fs.Glob(os.DirFS("."), "*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		files[name] = readFile(t, name)
	}
	return files
}

func readFile(t *testing.T, name string) []byte {
	t.Helper()
	src, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return src
}

func writeFile(t *testing.T, name string, src []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, src, 0o666); err != nil {
		t.Fatal(err)
	}
}
