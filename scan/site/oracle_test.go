package site

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// oracleKinds are the functions of testdata/oracle/rec, which print at run time what Find says before.
var oracleKinds = []Kind{
	{Codec: "rec", Func: "example.org/oracle/rec.Marshal", Direction: Marshal, Format: "rec"},
	{Codec: "rec", Func: "(*example.org/oracle/rec.Encoder).Encode", Direction: Marshal, Format: "rec"},
}

// TestOracle runs a program that prints the type of each value that reaches a site, with position and
// function. All of them must be among the types that Find has for the site.
func TestOracle(t *testing.T) {
	oracle(t, filepath.Join("testdata", "oracle"))
}

func oracle(t *testing.T, dir string) {
	t.Helper()
	res, err := Find(t.Context(), Config{Dir: dir, Env: noWorkspace(), Kinds: oracleKinds})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range res.Errors {
		t.Error(e)
	}
	sites := map[string][]*Site{}
	for _, s := range res.Sites {
		at := fmt.Sprintf("%s:%d", filepath.Base(s.Pos.Filename), s.Pos.Line)
		sites[at] = append(sites[at], s)
	}
	// With inlining, the compiler names literals of inlined functions after the caller.
	for _, flags := range []string{"-gcflags=-l", "-gcflags="} {
		events := runOracle(t, dir, flags)
		for _, e := range events {
			known, named, all := false, false, ""
			at := sites[e[0]]
			for _, s := range res.Sites {
				if s.Deferred && s.Func == e[1] { // the line is that of the return
					at = append(at, s)
				}
			}
			for _, s := range at {
				named = named || s.Func == e[1]
				all += s.Why + " "
				for _, v := range s.Values {
					name := strings.ReplaceAll(v.Name, "example.org/oracle.", "main.")
					if name == "byte" {
						name = "uint8"
					}
					known = known || name == e[2]
					all += name + " "
				}
			}
			if !known && e[2] != "nil" && !outside(at) {
				t.Errorf("%s: %s at run time, not among %q", e[0], e[2], all)
			}
			if !named && strings.HasSuffix(flags, "-l") {
				t.Errorf("%s: function %s, none of its sites has that name", e[0], e[1])
			}
			if _, ok := res.Functions[e[1]]; !ok && strings.HasSuffix(flags, "-l") {
				t.Errorf("%s: function %s is not in Functions", e[0], e[1])
			}
		}
		if len(events) < 20 {
			t.Errorf("%d events, too few for a test", len(events))
		}
	}
}

// runOracle runs the program in dir, and returns position, function and type of each event.
func runOracle(t *testing.T, dir, flags string) (events [][]string) {
	t.Helper()
	exe := filepath.Join(t.TempDir(), "oracle.exe")
	build := exec.CommandContext(t.Context(), "go", "build", flags, "-o", exe, ".")
	build.Dir, build.Env = dir, append(os.Environ(), "GOWORK=off")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build: %v\n%s", err, out)
	}
	run := exec.CommandContext(t.Context(), exe)
	var stdout, stderr bytes.Buffer
	run.Stdout, run.Stderr = &stdout, &stderr
	if err := run.Run(); err != nil {
		t.Fatalf("run: %v\n%s", err, stderr.String())
	}
	for line := range strings.Lines(stdout.String()) {
		if e := strings.Split(strings.TrimSpace(line), "\t"); len(e) == 3 {
			events = append(events, e)
		}
	}
	return events
}

// outside reports whether sites say that code outside of the code base makes their values, or a panic.
func outside(sites []*Site) bool {
	for _, s := range sites {
		for _, source := range []string{"fmt.Errorf", "errors.New", "recover", "sync.Pool", "sync.Map"} {
			if strings.Contains(s.Why, source) {
				return true
			}
		}
	}
	return false
}
