package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"github.com/zmylab/zmy/lab/callgrind"
)

// actionStep is a step of a composite action or of a job.
type actionStep struct {
	ID, Name, If, Uses, Run, Shell string
	Dir                            string `yaml:"working-directory"`
	Continue                       bool   `yaml:"continue-on-error"`
	Env, With                      map[string]string
}

// actionFile is the part of action.yml that a runner reads.
type actionFile struct {
	Inputs map[string]struct {
		Description, Default string
		Required             bool
	}
	Outputs map[string]struct{ Description, Value string }
	Runs    struct {
		Using string
		Steps []actionStep
	}
}

func readYAML(t *testing.T, name string, into any) {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	d := yaml.NewDecoder(bytes.NewReader(data))
	if err := d.Decode(into); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

func readAction(t *testing.T) (a actionFile) {
	t.Helper()
	readYAML(t, "../../action.yml", &a)
	return a
}

// pinned matches an action at a commit.
var pinned = regexp.MustCompile(`^[\w.-]+/[\w.-]+@[0-9a-f]{40}$`)

// TestActionFile checks what a runner would only say on GitHub: actions of others are named by their
// commits, scripts get inputs by their environment alone, and the workflow of the guide gives inputs
// that there are.
func TestActionFile(t *testing.T) {
	a := readAction(t)
	if a.Runs.Using != "composite" || len(a.Runs.Steps) == 0 {
		t.Fatalf("%+v", a.Runs)
	}
	var flow struct {
		Jobs map[string]struct{ Steps []actionStep }
	}
	readYAML(t, "../../examples/ci/gate.yml", &flow)
	steps := slices.Clone(a.Runs.Steps)
	for _, j := range flow.Jobs {
		steps = append(steps, j.Steps...)
	}
	ours := 0
	for _, s := range steps {
		switch {
		case strings.HasPrefix(s.Uses, "zmylab/zmy@"):
			ours++
			for name := range s.With {
				if _, ok := a.Inputs[name]; !ok {
					t.Errorf("the workflow gives the input %s, which action.yml does not have", name)
				}
			}
			for name, in := range a.Inputs {
				if in.Required && s.With[name] == "" {
					t.Errorf("the workflow does not give the input %s", name)
				}
			}
		case s.Uses != "" && !pinned.MatchString(s.Uses):
			t.Errorf("step %q uses %s: name the commit", s.Name, s.Uses)
		case s.Uses == "" && s.Shell != "bash":
			t.Errorf("step %q has no shell", s.Name)
		}
		if strings.Contains(s.Run, "${{") {
			t.Errorf("step %q puts an expression into its script: give it by env, where it is no code", s.Name)
		}
	}
	if ours != 1 {
		t.Errorf("the workflow uses the action %d times", ours)
	}
}

// TestWorkflows: this project's workflows name actions of others by their commits, like the action, and run
// targets that there are.
func TestWorkflows(t *testing.T) {
	names, err := filepath.Glob("../../.github/workflows/*.yml")
	if err != nil || len(names) < 2 {
		t.Fatal(names, err)
	}
	makefile, err := os.ReadFile("../../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		var flow struct {
			Jobs map[string]struct{ Steps []actionStep }
		}
		readYAML(t, name, &flow)
		steps := 0
		for _, j := range flow.Jobs {
			for _, s := range j.Steps {
				steps++
				if s.Uses != "" && !pinned.MatchString(s.Uses) {
					t.Errorf("%s uses %s: name the commit", name, s.Uses)
				}
				if target, ok := strings.CutPrefix(s.Run, "make "); ok && !strings.Contains(string(makefile), "\n"+target+":") {
					t.Errorf("%s runs make %s, which is not in the Makefile", name, target)
				} else if _, err := os.Stat("../../" + s.Run); s.Run != "" && !ok && err != nil {
					t.Errorf("%s runs %s: %v", name, s.Run, err)
				}
			}
		}
		if steps < 3 {
			t.Errorf("%s: %d steps", name, steps)
		}
	}
}

// TestAction runs the action's steps on two pushes to a pull request. The first makes a type slower:
// the action fails, and comments. The second takes that back: the action passes, and updates the
// comment. Then it runs on a pull request from a fork, which may not be commented on, and on two pushes
// to a branch, whose figures it keeps.
func TestAction(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and counts programs")
	}
	if _, err := callgrind.Find(); err != nil {
		t.Skip(err)
	}
	for _, tool := range []string{"jq", "curl"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("NO %s IN PATH: the action was not tried (Debian: apt install %s)", strings.ToUpper(tool), tool)
		}
	}
	r := newRepository(t)
	r.git("checkout", "-q", "-b", "change")
	r.write("model/marshal.go", gateSlow)
	r.commit("a marshaler")
	r.git("checkout", "-q", "main")
	r.write("README.md", "meanwhile\n")
	r.commit("a word")
	merge := func() {
		r.git("checkout", "-q", "main")
		r.git("merge", "-q", "--no-ff", "-m", "merge", "change")
	}
	merge()
	before, state := treeHash(t, filepath.Join(r.dir, "model")), r.git("status", "--porcelain=v2", "--branch")

	hub := newHub(t)
	run := newActionRun(t, r.dir, hub, map[string]string{"package": "./model", "type": "Order", "budget": "60s", "arguments": "-n 16 -seed 1"})
	if code := run.all("zmy/app"); code != exitRegression {
		t.Fatalf("a pull request that makes a type slower ends with %d\n%s", code, run.log.String())
	}
	comment := hub.only(t)
	for _, want := range []string{"<!-- zmy lab gate: ./model Order count -->", "# Gate: model.Order against HEAD^1 (", "REGRESSION",
		"std-json encode takes", "more instructions", "allocs 1 →", "| std-json | decode | fresh |"} {
		if !strings.Contains(comment, want) {
			t.Errorf("the comment lacks %q:\n%s", want, comment)
		}
	}
	if summary := run.read("summary"); !strings.HasSuffix(comment, summary) {
		t.Errorf("the summary is\n%s", summary)
	}
	for _, name := range []string{"gate.md", "gate.html", "gate.json", "log.txt"} {
		if st, err := os.Stat(filepath.Join(run.outputs["measure"]["report"], name)); err != nil || st.Size() == 0 {
			t.Errorf("the report's %s: %v", name, err)
		}
	}
	if want := []string{"actions/upload-artifact zmy-gate-Order-count"}; !slices.Equal(run.used, want) {
		t.Errorf("actions of others: %q, want %q", run.used, want)
	}
	if after := treeHash(t, filepath.Join(r.dir, "model")); after != before {
		t.Error("the user's files changed")
	}
	if now := r.git("status", "--porcelain=v2", "--branch"); now != state || strings.Count(r.git("worktree", "list"), "\n") != 0 {
		t.Errorf("git's state was\n%s\nand is\n%s", state, now)
	}

	r.git("reset", "-q", "--hard", "HEAD^1")
	r.git("checkout", "-q", "change")
	r.git("rm", "-q", "model/marshal.go")
	r.write("model/doc.go", "// Package model has types.\npackage model\n")
	r.commit("without it")
	merge()
	if code := run.all("zmy/app"); code != exitOK {
		t.Errorf("a pull request that changes no work ends with %d\n%s", code, run.log.String())
	}
	if comment := hub.only(t); !strings.Contains(comment, "OK: 3 of 3 cells unchanged") || strings.Contains(comment, "REGRESSION") {
		t.Errorf("the comment after the second push:\n%s", comment)
	}
	if want := []string{"GET", "POST", "GET", "PATCH"}; !slices.Equal(hub.did, want) {
		t.Errorf("requests %q, want %q", hub.did, want)
	}

	run.event("fork/app")
	if code := run.step(run.named("Comment")); code != 0 || len(hub.did) != 4 {
		t.Errorf("a pull request from a fork: exit %d, requests %q\n%s", code, hub.did, run.log.String())
	}
	remote := t.TempDir()
	r.git("init", "-q", "--bare", remote)
	r.git("remote", "add", "origin", remote)
	run.values["github.event_name"], run.values["inputs.history-branch"] = "push", "figures"
	for n := 1; n <= 2; n++ {
		if code := run.step(run.named("History")); code != 0 {
			t.Fatalf("push %d: the history ends with %d\n%s", n, code, run.log.String())
		}
		kept, page := r.git("--git-dir", remote, "show", "figures:history.ndjson"), r.git("--git-dir", remote, "show", "figures:index.html")
		commit := fmt.Sprintf(`"commit":%q`, r.git("rev-parse", "--short=10", "HEAD"))
		if lines := strings.Split(kept, "\n"); len(lines) != n || !strings.Contains(lines[0], commit) ||
			!strings.Contains(lines[0], `"instructions":`) || !strings.Contains(page, "History of example.com/app/model.Order") {
			t.Errorf("after push %d the branch has the history\n%s\nand a page of %d bytes", n, kept, len(page))
		}
	}
	if n := r.git("--git-dir", remote, "rev-list", "--count", "figures"); n != "2" {
		t.Errorf("the branch has %s commits, want 2", n)
	}
	if now := r.git("status", "--porcelain"); now != "" {
		t.Errorf("git's state is %s", now)
	}
	for code, want := range map[string]int{"0": 0, "2": 2, "3": 3, "4": 4, "5": 0, "1": 1} {
		run.outputs["measure"]["code"] = code
		if got := run.step(run.named("Decide")); got != want {
			t.Errorf("Decide on exit code %s ends with %d, want %d", code, got, want)
		}
	}
}

// hub is GitHub's API as far as the action uses it: the comments of pull request 7.
type hub struct {
	*httptest.Server
	comments []map[string]any
	did      []string // methods of the requests
}

func newHub(t *testing.T) *hub {
	h := &hub{comments: []map[string]any{{"id": 100, "body": "a word about <!-- zmy lab gate: ./model Order count -->"}}}
	mux := http.NewServeMux()
	body := func(r *http.Request) string {
		var c struct{ Body string }
		if err := json.NewDecoder(r.Body).Decode(&c); err != nil || r.Header.Get("Authorization") != "Bearer token" {
			t.Errorf("%s %s: %v, %q", r.Method, r.URL, err, r.Header.Get("Authorization"))
		}
		return c.Body
	}
	mux.HandleFunc("GET /repos/zmy/app/issues/7/comments", func(w http.ResponseWriter, r *http.Request) {
		_ = json.NewEncoder(w).Encode(h.comments)
	})
	mux.HandleFunc("POST /repos/zmy/app/issues/7/comments", func(w http.ResponseWriter, r *http.Request) {
		h.comments = append(h.comments, map[string]any{"id": 101, "body": body(r)})
		w.WriteHeader(http.StatusCreated)
	})
	mux.HandleFunc("PATCH /repos/zmy/app/issues/comments/101", func(w http.ResponseWriter, r *http.Request) {
		h.comments[1]["body"] = body(r)
	})
	h.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h.did = append(h.did, r.Method)
		mux.ServeHTTP(w, r)
	}))
	t.Cleanup(h.Close)
	return h
}

// only returns the action's comment. There must be one, after the one that is somebody else's.
func (h *hub) only(t *testing.T) string {
	t.Helper()
	if len(h.comments) != 2 {
		t.Fatalf("%d comments, want 2: %v", len(h.comments), h.comments)
	}
	return h.comments[1]["body"].(string)
}

// actionRun is a machine that runs the action's steps, as GitHub's runner does: each script in a new
// shell, with the environment that GitHub documents. It records the actions of others and does not
// run them.
type actionRun struct {
	t         *testing.T
	action    actionFile
	dir, temp string
	hub       *hub
	values    map[string]string // of expressions: inputs.type, github.token
	outputs   map[string]map[string]string
	path      []string
	used      []string
	log       bytes.Buffer
}

func newActionRun(t *testing.T, dir string, h *hub, with map[string]string) *actionRun {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	r := &actionRun{t: t, action: readAction(t), dir: dir, temp: t.TempDir(), hub: h, outputs: map[string]map[string]string{},
		values: map[string]string{"github.token": "token", "github.action_path": root, "github.event_name": "pull_request"}}
	r.values["runner.temp"] = r.temp
	for name, in := range r.action.Inputs {
		r.values["inputs."+name] = r.expand(in.Default)
	}
	for name, value := range with {
		r.values["inputs."+name] = value
	}
	return r
}

func (r *actionRun) read(name string) string {
	data, err := os.ReadFile(filepath.Join(r.temp, name))
	if err != nil {
		r.t.Error(err)
	}
	return string(data)
}

// event writes the event of a push to pull request 7, whose head is a branch of a repository.
func (r *actionRun) event(head string) {
	text := fmt.Sprintf(`{"pull_request": {"number": 7, "head": {"repo": {"full_name": %q}}}}`, head)
	if err := os.WriteFile(filepath.Join(r.temp, "event.json"), []byte(text), 0o644); err != nil {
		r.t.Fatal(err)
	}
}

func (r *actionRun) named(name string) actionStep {
	i := slices.IndexFunc(r.action.Runs.Steps, func(s actionStep) bool { return s.Name == name })
	if i < 0 {
		r.t.Fatalf("action.yml has no step %q", name)
	}
	return r.action.Runs.Steps[i]
}

// all runs all steps and returns the first exit code that fails the action.
func (r *actionRun) all(head string) int {
	r.event(head)
	clear(r.outputs)
	r.used = nil
	_ = os.Remove(filepath.Join(r.temp, "summary"))
	for _, s := range r.action.Runs.Steps {
		if code := r.step(s); code != 0 {
			if !s.Continue {
				return code
			}
			r.t.Errorf("step %s ends with %d\n%s", s.Name, code, r.log.String())
		}
	}
	return 0
}

// step runs one step and returns its exit code.
func (r *actionRun) step(s actionStep) int {
	if !r.holds(s.If) {
		return 0
	}
	if s.Uses != "" {
		action, _, _ := strings.Cut(s.Uses, "@")
		r.used = append(r.used, action+" "+r.expand(s.With["name"]))
		return 0
	}
	file := func(name string) string { return filepath.Join(r.temp, name) }
	for _, name := range []string{"output", "path"} {
		if err := os.WriteFile(file(name), nil, 0o644); err != nil {
			r.t.Fatal(err)
		}
	}
	cmd := exec.Command("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", s.Run)
	cmd.Dir = filepath.Join(r.dir, r.expand(s.Dir))
	cmd.Env = append(os.Environ(), "GITHUB_ACTIONS=true", "GITHUB_REPOSITORY=zmy/app", "GITHUB_EVENT_NAME="+r.values["github.event_name"],
		"GITHUB_API_URL="+r.hub.URL, "GITHUB_EVENT_PATH="+file("event.json"), "GITHUB_OUTPUT="+file("output"), "GITHUB_PATH="+file("path"),
		"GITHUB_STEP_SUMMARY="+file("summary"), "GITHUB_WORKSPACE="+r.dir, "RUNNER_TEMP="+r.temp, "PATH="+
			strings.Join(append(slices.Clone(r.path), os.Getenv("PATH")), string(os.PathListSeparator)))
	for k, v := range s.Env {
		cmd.Env = append(cmd.Env, k+"="+r.expand(v))
	}
	cmd.Stdout, cmd.Stderr = &r.log, &r.log
	if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
		r.t.Fatal(err)
	}
	if s.ID != "" {
		r.outputs[s.ID] = map[string]string{}
		for line := range strings.Lines(r.read("output")) {
			key, value, _ := strings.Cut(strings.TrimSpace(line), "=")
			r.outputs[s.ID][key] = value
		}
	}
	for line := range strings.Lines(r.read("path")) {
		r.path = append([]string{strings.TrimSpace(line)}, r.path...)
	}
	return cmd.ProcessState.ExitCode()
}

// expression matches an expression in a text.
var expression = regexp.MustCompile(`\$\{\{ *([^}]*?) *\}\}`)

// expand replaces the expressions of a text by their values.
func (r *actionRun) expand(text string) string {
	return expression.ReplaceAllStringFunc(text, func(e string) string { return r.value(expression.FindStringSubmatch(e)[1]) })
}

// value returns the value of inputs.NAME, github.NAME or steps.ID.outputs.NAME.
func (r *actionRun) value(name string) string {
	if part := strings.Split(name, "."); len(part) == 4 && part[0] == "steps" && part[2] == "outputs" {
		return r.outputs[part[1]][part[3]]
	}
	v, ok := r.values[name]
	if !ok {
		r.t.Errorf("action.yml names %s, which is no input, and which this test does not know", name)
	}
	return v
}

// holds reports whether a condition holds: comparisons of a value with a text, joined by &&.
func (r *actionRun) holds(condition string) bool {
	if condition == "" {
		return true
	}
	for part := range strings.SplitSeq(condition, "&&") {
		f := strings.Fields(part)
		if len(f) != 3 || f[1] != "==" && f[1] != "!=" {
			r.t.Fatalf("this test cannot judge the condition %q", condition)
		}
		if (r.value(f[0]) == strings.Trim(f[2], "'")) != (f[1] == "==") {
			return false
		}
	}
	return true
}
