package release

import (
	"bytes"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// upgrade: code that the release before has generated works with the next one, or does not compile
// with the sentence that says what to run.
func (r *rehearsal) upgrade(t *testing.T) {
	dir := r.module(t, map[string]string{"order.go": order, "order_test.go": use,
		"generate.go": "package shop\n\n//go:generate fxjson -type=Order\n//go:generate zmy gen -type=Order\n"})
	write(t, filepath.Join(dir, "tiny/order.go"), order)
	write(t, filepath.Join(dir, "tiny/generate.go"), "package shop\n\n//go:generate fxjson -tiny -type=Order\n")
	install := func(version string) {
		for _, command := range []string{"gen/cmd/fxjson", "cmd/zmy"} {
			r.in(t, dir, "go", "install", "github.com/zmylab/zmy/"+command+"@"+version)
		}
	}
	library := func(version string) { r.in(t, dir, "go", "get", "github.com/zmylab/zmy@"+version) }
	library("v0.1.0")
	install("v0.1.0")
	r.in(t, dir, "go", "generate", "./...")
	r.in(t, dir, "go", "test", "./...")

	r.change(t, nil)
	r.release("v0.2.0")
	library("v0.2.0")
	r.in(t, dir, "go", "test", "./...")

	r.change(t, newContracts)
	r.release("v0.3.0")
	library("v0.3.0")
	r.refused(t, dir)
	install("v0.3.0")
	r.in(t, dir, "go", "generate", "./...")
	r.in(t, dir, "go", "test", "./...")
	library("v0.2.0")
	if out := r.fails(t, dir, "go", "build", "."); !strings.Contains(out, "undefined: jsonrt.Gen4ElseRunGoGenerate") {
		t.Errorf("new code with the old library: %s", out)
	}
	list := strings.Fields(r.in(t, dir, "go", "list", "-m", "-versions", "github.com/zmylab/zmy"))
	for _, version := range []string{"v0.1.0", "v0.2.0", "v0.3.0"} {
		if !slices.Contains(list, version) {
			t.Errorf("versions: %v, without %s", list, version)
		}
	}
}

// refused: code that v0.1.0 has generated does not compile with a library that no longer serves its
// contract, and the compiler's line says what to run, or leads to a line that says it.
func (r *rehearsal) refused(t *testing.T, dir string) {
	t.Helper()
	out := r.fails(t, dir, "go", "build", ".")
	if !strings.Contains(out, "undefined: jsonrt.Gen3ElseRunGoGenerate") {
		t.Errorf("fxjson: %s", out)
	}
	if out := r.fails(t, dir, "go", "build", "./tiny"); !strings.Contains(out, "undefined: jsontiny.Gen3ElseRunGoGenerate") {
		t.Errorf("fxjson -tiny: %s", out)
	}
	at := regexp.MustCompile(`order_zmy\.go:(\d+):\d+: .*overflows`).FindStringSubmatch(out)
	if at == nil {
		t.Fatalf("zmy gen: %s", out)
	}
	line := r.in(t, dir, "sed", "-n", at[1]+"p", "order_zmy.go")
	if !strings.Contains(line, "// this file is older than package wire serves") {
		t.Errorf("zmy gen: line %s, which the compiler names, is %s", at[1], line)
	}
	t.Logf("%s%s", out, line)
}

// newContracts raises the contracts between generated code and libraries, so that no code of before is
// served: pattern, and what replaces it.
var newContracts = map[string]string{
	`\bGen3ElseRunGoGenerate\b`:              `Gen4ElseRunGoGenerate`,
	`(?m)^(\tVersion +=) 4$`:                 `${1} 5`,
	`(?m)^(\tMinVersion =) 3$`:               `${1} 5`,
	`(?m)^const wireVersion = 4$`:            `const wireVersion = 5`,
	`\b(uint\((?:wire\.)?Version) - \d\)`:    `${1} - 5)`,
	`\buint\(\d( - (?:wire\.)?MinVersion)\)`: `uint(5${1})`,
}

// change commits a line of the changelog in the clone, and replaces in all its Go code what matches the
// patterns, of which each must match.
func (r *rehearsal) change(t *testing.T, patterns map[string]string) {
	t.Helper()
	name := filepath.Join(r.clone, "CHANGELOG.md")
	data := bytes.Replace([]byte(text(t, name)), []byte("## [Unreleased]\n"), []byte("## [Unreleased]\n\n- something\n"), 1)
	write(t, name, string(data))
	for pattern, with := range patterns {
		find, changed := regexp.MustCompile(pattern), 0
		for name := range strings.FieldsSeq(output(t, r.clone, nil, "git", "ls-files", "wire/*.go", "gen/*.go", "*_json.go", "*_zmy.go",
			"fxjson/*.go", "examples/*.go", "cmd/*.go", "lab/*.go")) {
			name = filepath.Join(r.clone, name)
			if old := text(t, name); find.MatchString(old) {
				write(t, name, find.ReplaceAllString(old, with))
				changed++
			}
		}
		if changed == 0 {
			t.Errorf("nothing in the clone matches %s: the contract has another form or version now", pattern)
		}
	}
	output(t, r.clone, nil, "git", "commit", "--quiet", "--all", "--message", "Something")
}

// fails runs a command that must fail, and returns what it prints.
func (r *rehearsal) fails(t *testing.T, dir string, command ...string) string {
	t.Helper()
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Dir, cmd.Env = dir, r.env
	out, err := cmd.CombinedOutput()
	if err == nil {
		t.Errorf("%s passes: %s", strings.Join(command, " "), out)
	}
	return string(out)
}
