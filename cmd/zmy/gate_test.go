package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
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

// workflowStep is one of a workflow.
type workflowStep struct {
	Name string
	Uses string
	Run  string
	Env  map[string]string
}

// TestGateWorkflow follows the example's shell steps on a pull request that makes a type
// slower, as a runner does: in new shells of the same environment, on the merge commit.
func TestGateWorkflow(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and measures programs")
	}
	r := newRepository(t)
	r.git("checkout", "-q", "-b", "change")
	r.write("model/marshal.go", gateSlow)
	r.commit("a marshaler")
	r.git("checkout", "-q", "main")
	r.write("README.md", "meanwhile\n")
	r.commit("a word")
	r.git("merge", "-q", "--no-ff", "-m", "merge", "change")
	before, state := treeHash(t, filepath.Join(r.dir, "model")), r.git("status", "--porcelain=v2", "--branch")

	data, err := os.ReadFile("../../examples/ci/gate.yml")
	if err != nil {
		t.Fatal(err)
	}
	var flow struct {
		Env  map[string]string
		Jobs struct {
			Gate struct{ Steps []workflowStep }
		}
	}
	if err := yaml.Unmarshal(data, &flow); err != nil {
		t.Fatal(err)
	}
	run := newRunner(t, r.dir, flow.Env)
	codes := map[string]int{}
	for _, s := range flow.Jobs.Gate.Steps {
		if s.Run != "" {
			codes[s.Name] = run.step(s)
		}
	}
	if want := map[string]int{"Install": 0, "Measure": 0, "Comment": 0, "Decide": exitRegression}; len(codes) != len(want) ||
		codes["Install"]+codes["Measure"]+codes["Comment"] != 0 || codes["Decide"] != want["Decide"] {
		t.Errorf("steps ended with %v, want %v\n%s", codes, want, run.log.String())
	}
	comment := run.read("comment")
	for _, want := range []string{"# Gate: model.Order against HEAD^1 (", "REGRESSION", "std-json encode", "allocs 1 →",
		"| std-json | decode | fresh |"} {
		if !strings.Contains(comment, want) {
			t.Errorf("the comment lacks %q:\n%s", want, comment)
		}
	}
	if summary := run.read("summary"); summary != comment {
		t.Errorf("the summary is\n%s", summary)
	}
	if after := treeHash(t, filepath.Join(r.dir, "model")); after != before {
		t.Error("the user's files changed")
	}
	if now := r.git("status", "--porcelain=v2", "--branch"); now != state || r.git("worktree", "list", "--porcelain") == "" ||
		strings.Count(r.git("worktree", "list"), "\n") != 0 {
		t.Errorf("git's state was\n%s\nand is\n%s", state, now)
	}
	decide := flow.Jobs.Gate.Steps[len(flow.Jobs.Gate.Steps)-1]
	for code, want := range map[string]int{"0": 0, "2": 2, "3": 3, "4": 4, "5": 0, "1": 1} {
		run.code = code
		if got := run.step(decide); got != want {
			t.Errorf("Decide on exit code %s ends with %d, want %d", code, got, want)
		}
	}
}

// runner is a machine that runs the steps of a job.
type runner struct {
	t         *testing.T
	dir, temp string
	env       []string
	code      string // steps.measure.outputs.code, read from the file of outputs when ""
	log       bytes.Buffer
}

// newRunner puts a git beside the real one that clones by a link to this tree, and a gh that
// keeps the comment.
func newRunner(t *testing.T, dir string, env map[string]string) *runner {
	t.Helper()
	run := &runner{t: t, dir: dir, temp: t.TempDir()}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	real, err := exec.LookPath("git")
	if err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	for name, text := range map[string]string{
		"git": "#!/bin/sh\n[ \"$1 $2\" = 'clone https://github.com/zmylab/zmy' ] && exec ln -s '" + root + "' \"$3\"\nexec '" + real +
			"' \"$@\"\n",
		"gh": "#!/bin/sh\n[ \"$1 $2 $3 $4\" = 'pr comment 7 --body-file' ] && exec cp \"$5\" '" + filepath.Join(run.temp, "comment") +
			"'\nexit 9\n",
	} {
		if err := os.WriteFile(filepath.Join(bin, name), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for k, v := range env {
		if k == "BUDGET" {
			v = "2s"
		}
		run.env = append(run.env, k+"="+v)
	}
	run.env = append(append(os.Environ(), run.env...), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"), "GOBIN="+bin,
		"GOFLAGS=-buildvcs=false", "RUNNER_TEMP="+run.temp,
		"GITHUB_OUTPUT="+filepath.Join(run.temp, "outputs"), "GITHUB_STEP_SUMMARY="+filepath.Join(run.temp, "summary"), "GITHUB_PATH="+
			filepath.Join(run.temp, "path"))
	return run
}

func (run *runner) read(name string) string {
	data, err := os.ReadFile(filepath.Join(run.temp, name))
	if err != nil {
		run.t.Error(err)
	}
	return string(data)
}

// step runs one as `bash -e` and returns its exit code.
func (run *runner) step(s workflowStep) int {
	cmd := exec.Command("bash", "-e", "-c", s.Run)
	cmd.Dir, cmd.Env = run.dir, run.env
	for k, v := range s.Env {
		switch v {
		case "${{ github.token }}":
			v = "token"
		case "${{ github.event.pull_request.number }}":
			v = "7"
		case "${{ steps.measure.outputs.code }}":
			if v = run.code; v == "" {
				v = strings.TrimPrefix(strings.TrimSpace(run.read("outputs")), "code=")
			}
		default:
			run.t.Errorf("step %s: this test knows no %s", s.Name, v)
		}
		cmd.Env = append(cmd.Env, k+"="+v)
	}
	cmd.Stdout, cmd.Stderr = &run.log, &run.log
	if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
		run.t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode()
}
