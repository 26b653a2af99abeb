package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const gateType = `package model

type Order struct {
	ID   string
	N    int
	Tags []string
}
`

// gateSlow does the work three times, and allocates for it.
const gateSlow = `package model

import "encoding/json"

func (o Order) MarshalJSON() ([]byte, error) {
	type plain Order
	for range 2 {
		if _, err := json.Marshal(plain(o)); err != nil {
			return nil, err
		}
	}
	return json.Marshal(plain(o))
}
`

// repository is a git repository with a module.
type repository struct {
	t   *testing.T
	dir string
}

func newRepository(t *testing.T) *repository {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("NO GIT IN PATH: the gate was not tried; install git")
	}
	r := &repository{t, writeTree(t, map[string]string{"go.mod": "module example.com/app\n\ngo 1.24\n", "model/order.go": gateType})}
	r.git("init", "-q", "-b", "main")
	r.commit("a type")
	return r
}

func (r *repository) git(args ...string) string {
	r.t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=Test", "-c", "user.email=test@example.com", "-c",
		"commit.gpgsign=false"}, args...)...)
	cmd.Dir = r.dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		r.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

func (r *repository) commit(message string) {
	r.t.Helper()
	r.git("add", ".")
	r.git("commit", "-q", "-m", message)
}

func (r *repository) write(name, text string) {
	r.t.Helper()
	name = filepath.Join(r.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		r.t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		r.t.Fatal(err)
	}
}

// TestGateUsage: what is refused, and what the user is told to do.
func TestGateUsage(t *testing.T) {
	if testing.Short() {
		t.Skip("loads packages")
	}
	r := newRepository(t)
	r.write("model/order.go", gateType+"\ntype Late struct{ ID string }\n")
	r.write("late/late.go", "package late\n\ntype Msg struct{ ID string }\n")
	alone := writeTree(t, map[string]string{"go.mod": "module example.com/alone\n\ngo 1.24\n",
		"a.go": "package alone\n\ntype A struct{ ID string }\n"})
	for _, c := range []struct {
		dir   string
		args  []string
		holds []string
	}{
		{r.dir, []string{"./model", "-type", "Order", "-baseline", "mian"}, []string{"no such commit", "git log"}},
		{r.dir, []string{"./model", "-type", "Late"}, []string{"Late", "at HEAD (", "new", "later -baseline"}},
		{r.dir, []string{"./late", "-type", "Msg"}, []string{"no folder late", "it is new"}},
		{r.dir, []string{"./model", "-type", "Ordr"}, []string{"did you mean Order?"}},
		{r.dir, []string{"./model", "-type", "Order", "-tolerance", "some"}, []string{"such as 5%"}},
		{r.dir, []string{"./model", "-type", "Order", "-tolerance", "NaN"}, []string{"such as 5%"}},
		{r.dir, []string{"./model", "-type", "Order", "-growth", "-1%"}, []string{"-growth -1%", "such as 5%"}},
		{r.dir, []string{"./model", "-type", "Order", "-count", "-time"}, []string{"choose one"}},
		{r.dir, []string{"./model", "-type", "Order", "-format", "bench"}, []string{"choose table, md"}},
		{r.dir, []string{"./model", "-type", "Order", "-codecs", "gocci"}, []string{"did you mean goccy?"}},
		{r.dir, nil, []string{"name a package"}},
		{alone, []string{".", "-type", "A"}, []string{"git finds no repository"}},
	} {
		cmd := exec.Command(zmyCommand(t), append([]string{"lab", "gate"}, c.args...)...)
		cmd.Dir, cmd.Env = c.dir, append(os.Environ(), "GIT_CEILING_DIRECTORIES="+filepath.Dir(c.dir))
		out, _ := cmd.CombinedOutput()
		if cmd.ProcessState.ExitCode() != exitUsage {
			t.Errorf("%q: exit %d\n%s", c.args, cmd.ProcessState.ExitCode(), out)
		}
		for _, h := range c.holds {
			if !strings.Contains(string(out), h) {
				t.Errorf("%q lacks %q:\n%s", c.args, h, out)
			}
		}
	}
}

// TestGateWithoutValgrind: a gate that cannot count says what to install, and what works without.
func TestGateWithoutValgrind(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the command")
	}
	r := newRepository(t)
	cmd := exec.Command(zmyCommand(t), "lab", "gate", "./model", "-type", "Order", "-count")
	cmd.Dir, cmd.Env = r.dir, append(os.Environ(), "PATH="+t.TempDir())
	out, _ := cmd.CombinedOutput()
	for _, want := range []string{"valgrind is not installed", "apt install valgrind", "-time"} {
		if code := cmd.ProcessState.ExitCode(); code != exitUsage || !strings.Contains(string(out), want) {
			t.Errorf("exit %d, want %d and %q:\n%s", code, exitUsage, want, out)
		}
	}
}

// TestGateTime: a gate that times finds a change that does the work three times, and leaves the
// user's files and git's state alone.
func TestGateTime(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and measures programs")
	}
	r := newRepository(t)
	r.write("model/marshal.go", gateSlow)
	before, state := treeHash(t, filepath.Join(r.dir, "model")), r.git("status", "--porcelain=v2", "--branch")
	cmd := exec.Command(zmyCommand(t), "lab", "gate", "./model", "-type", "Order", "-codecs", "std-json", "-budget", "2s", "-n", "16")
	cmd.Dir = r.dir
	out, _ := cmd.CombinedOutput()
	if code := cmd.ProcessState.ExitCode(); code != exitRegression {
		t.Errorf("exit %d, want %d", code, exitRegression)
	}
	for _, want := range []string{"REGRESSION", "std-json encode", "allocs 1 →", "tolerance 5%"} {
		if !strings.Contains(string(out), want) {
			t.Errorf("the output lacks %q:\n%s", want, out)
		}
	}
	if after := treeHash(t, filepath.Join(r.dir, "model")); after != before {
		t.Error("the user's files changed")
	}
	if now := r.git("status", "--porcelain=v2", "--branch"); now != state {
		t.Errorf("git's state was\n%s\nand is\n%s", state, now)
	}
}
