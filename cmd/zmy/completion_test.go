package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/zmylab/zmy/internal/cmdline"
)

// ask returns the completions of a command line, without what they are.
func ask(t *testing.T, line string) (all []string) {
	t.Helper()
	var out, errs bytes.Buffer
	args := append([]string{cmdline.Asking}, strings.Split(line, " ")...)
	if code := dispatch(t.Context(), &console{&out, &errs}, args); code != exitOK || errs.Len() > 0 {
		t.Fatalf("%s: exit %d, %s", line, code, &errs)
	}
	for line := range strings.Lines(out.String()) {
		word, _, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		all = append(all, word)
	}
	return all
}

func TestCompletions(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{"br", "breaking"},
		{"lab g", "gate gc :folders"},
		{"help lab g", "gate gc"},
		{"lab . -dep", "-depth"},
		{"lab . -depth ", "quick standard paper"},
		{"lab gc . -depth s", "standard"},
		{"lab . -codecs fxjson,zm", "fxjson,zmy"},
		{"lab . -codecs al", "all"},
		{"lab . -input ", "indented shuffled"},
		{"lab . -o ", ":folders"},
		{"lab . -sample ", ":files"},
		{"lab compare a", ":files"},
		{"lab latency . -op ", "encode decode trip"},
		{"lab stores . -stores redis,", "redis,postgres redis,mysql"},
		{"lab . -format=", "-format=table -format=json -format=bench -format=md -format=csv"},
		{"inspect ", ":files"},
		{"convert a.json -to ", "json ndjson zmy envelope stream"},
		{"convert a.json -lock ", ":files"},
		{"gen -lang ", "go java rust proto jsonschema ts-types"},
		{"gen -all ", ":folders"},
		{"lint -rules no-l", "no-lock"},
		{"breaking -", "-against -format -json -tags -v"},
		{"scan -cpu ", ":files"},
		{"scan -o ", ":folders"},
		{"scan -thr", "-threshold"},
		{"serve -flush ", "drain each batch 4k"},
		{"load grpc -kind unary,", "unary,server unary,client unary,bidi"},
		{"load sse -codecs f", "fxjson"},
		{"version ", ""},
		{"lab gc . -fit", "-fit"},
		{"lab cpu . -callg", "-callgrind"},
		{"lab gate . -fit", ""}, // gate has the flag in order to refuse it
	} {
		if got := strings.Join(ask(t, c.line), " "); got != c.want {
			t.Errorf("zmy %s:\ngot  %s\nwant %s", c.line, got, c.want)
		}
	}
	for _, cmd := range commands() {
		words := strings.Fields(cmd.name)
		if got := ask(t, strings.Join(words[:len(words)-1], " ")+strings.Repeat(" ", len(words)-1)); !slices.Contains(got, words[len(words)-1]) {
			t.Errorf("%s is not completed: %q", cmd.name, got)
		}
	}
}

// TestShells: each shell that is there completes a command line by the script of zmy completion.
func TestShells(t *testing.T) {
	zmy := zmyCommand(t)
	dir := t.TempDir()
	for _, name := range []string{"orders.json", "other/x"} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	lines := []struct{ line, want string }{
		{"zmy compl", "completion"},
		{"zmy lab ga", "gate"},
		{"zmy lab . -depth pa", "paper"},
		{"zmy lab . -codecs fxjson,zm", "fxjson,zmy"},
		{"zmy inspect ord", "orders.json"},
		{"zmy lab . -o o", "other"},
	}
	for shell, ask := range map[string]func(line string) []string{
		"bash": func(line string) []string {
			words := strings.Split(line, " ")
			return []string{"-c", fmt.Sprintf(`source <(zmy completion bash); complete -p zmy >&2
COMP_WORDS=(%s) COMP_CWORD=%d; _zmy_complete; printf '%%s\n' "${COMPREPLY[@]}"`, line, len(words)-1)}
		},
		"fish": func(line string) []string {
			return []string{"--no-config", "-c", fmt.Sprintf(`zmy completion fish | source; complete -C '%s'`, line)}
		},
		// The functions of zsh's completion system work only while a line is edited: here they print what they are given.
		"zsh": func(line string) []string {
			words := strings.Split(line, " ")
			return []string{"-f", "-c", fmt.Sprintf(`compdef() { :; }; compset() { return 1; }
_describe() { print -l -- ${(P)2}; }
_files() { for f in ${words[CURRENT]}*(N); do [[ $1 != -/ || -d $f ]] && print $f; done; true; }
source <(zmy completion zsh); words=(%s) CURRENT=%d; _zmy`, line, len(words))}
		},
	} {
		t.Run(shell, func(t *testing.T) {
			if _, err := exec.LookPath(shell); err != nil {
				t.Skipf("%s is missing: its completions are not run", shell)
			}
			for _, c := range lines {
				cmd := exec.Command(shell, ask(c.line)...)
				cmd.Dir = dir
				cmd.Env = append(os.Environ(), "PATH="+filepath.Dir(zmy)+string(filepath.ListSeparator)+os.Getenv("PATH"), "HOME="+dir)
				var errs bytes.Buffer
				cmd.Stderr = &errs
				out, err := cmd.Output()
				var got []string
				for line := range strings.Lines(string(out)) {
					word, _, _ := strings.Cut(strings.TrimSpace(line), "\t")
					word, _, _ = strings.Cut(word, ":")
					got = append(got, strings.TrimSuffix(word, "/"))
				}
				if err != nil || !slices.Equal(got, []string{c.want}) {
					t.Errorf("%s: got %q, want %q; %v\n%s", c.line, got, c.want, err, &errs)
				}
				if want := "complete -F _zmy_complete zmy"; shell == "bash" && !strings.Contains(errs.String(), want) {
					t.Errorf("bash has not %q: %s", want, &errs)
				}
			}
		})
	}
}

// TestManualPage: the page has all commands and their flags, and programs that check pages accept it.
func TestManualPage(t *testing.T) {
	var page, errs bytes.Buffer
	if code := dispatch(t.Context(), &console{&page, &errs}, []string{"man"}); code != exitOK {
		t.Fatal(code, &errs)
	}
	for _, cmd := range commands() {
		if !strings.Contains(page.String(), "\n.SS \"zmy "+cmd.name+"\"\n") {
			t.Errorf("%s is not on the page", cmd.name)
		}
	}
	for _, want := range []string{"\n\\fB\\-codecs\\fR \\fIa,b\\fR\n", "\n\\fB\\-on\\-error\\fR \\fIWHAT\\fR\n", "\n\\fB\\-derive\\fR\n"} {
		if !strings.Contains(page.String(), want) {
			t.Errorf("the page has no %q", want)
		}
	}
	for _, checker := range [][]string{{"mandoc", "-Tlint", "-Wwarning"}, {"man", "--warnings", "-l", "-"}} {
		t.Run(checker[0], func(t *testing.T) {
			if _, err := exec.LookPath(checker[0]); err != nil {
				t.Skipf("%s is missing", checker[0])
			}
			dated := strings.Replace(page.String(), `.TH ZMY 1 ""`, `.TH ZMY 1 "2026-11-24"`, 1) // a build without a commit has no date
			cmd := exec.Command(checker[0], checker[1:]...)
			cmd.Env = append(os.Environ(), "LC_ALL=C.UTF-8", "MANROFFSEQ=", "MANWIDTH=100")
			cmd.Stdin = strings.NewReader(dated)
			var said bytes.Buffer
			cmd.Stderr = &said
			if checker[0] == "mandoc" {
				cmd.Stdout = &said // it reports there
			} else {
				cmd.Stdout = io.Discard
			}
			if err := cmd.Run(); err != nil || said.Len() > 0 {
				t.Errorf("%v\n%s", err, &said)
			}
		})
	}
}
