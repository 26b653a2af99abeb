package house

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const (
	repository = "../.."
	supportMD  = "docs/support.md"
)

// facts are versions in docs/support.md. Each is found in a file by a pattern with a group, which
// replaces % in the text that the page must have.
var facts = []struct{ file, pattern, text string }{
	{"go.mod", `(?m)^go (\d+\.\d+)`, "module `github.com/zmylab/zmy` | Go % or later; standard library only |"},
	{"Makefile", `(?m)^OLDEST_GO +:= go(\S+)`, "`make oldest` (Go %, CI)"},
	{"Makefile", `(?m)^NEWEST_GO +:= go(\S+)`, "`make newest` (Go %, CI)"},
	{"go.work", `(?m)^toolchain go(\S+)`, "`make newest` (Go %, CI)"},
	{"go.work", `(?m)^go (\d+\.\d+)`, "modules `gen`, `lab`, `scan` and `adapters/…` | Go % or later |"},
	{"java/pom.xml", `<maven\.compiler\.release>(\d+)<`, "generated Java code | Java % or later |"},
	{"java/pom.xml", `<maven\.compiler\.release>(\d+)<`, "`make test-java` (Java %, CI)"},
	{"Makefile", `\.ci/java (\d+)`, "`make test-java-25` (Java %, CI)"},
	{"rust/Cargo.toml", `(?m)^rust-version = "([^"]+)"`, "generated Rust code | Rust % or later;"},
	{"Makefile", `(?m)^OLDEST_RUST +:= (\S+)`, "`make oldest-rust` (Rust %, by hand)"},
	{"web/web_test.go", `install node (\d+)`, "a browser with modules, or Node % |"},
	{"wire/doc.go", `\sVersion += (\d+)`, "| `zmy gen`, Go | % |"},
	{"wire/doc.go", `\sMinVersion = (\d+)`, "| `zmy gen`, Go | 4 | % to 4 |"},
	{"gen/emit/gobin/emit.go", `const wireVersion = (\d+)`, "| `zmy gen`, Go | % |"},
	{"fxjson/jsonrt/doc.go", `const Gen(\d+)ElseRunGoGenerate`,
		"| `fxjson` | % | % | does not compile: `undefined: jsonrt.Gen%ElseRunGoGenerate` |"},
	{"fxjson/jsontiny/doc.go", `const Gen(\d+)ElseRunGoGenerate`,
		"| `fxjson -tiny` | % | % | does not compile: `undefined: jsontiny.Gen%ElseRunGoGenerate` |"},
	{"gen/emit/java/table.go", `const version = (\d+)`, "| `zmy gen -lang java` | % |"},
	{"java/zmy/src/main/java/io/github/zmylab/zmy/wire/Generated.java", `OLDEST = (\d+);`, "| `zmy gen -lang java` | 1 | % to 1 |"},
	{"java/zmy/src/main/java/io/github/zmylab/zmy/wire/Generated.java", `NEWEST = (\d+);`, "| `zmy gen -lang java` | 1 | 1 to % |"},
	{"gen/lock/text.go", `version = "(zmylock \d+)"`, "| `zmy.lock` | `%`,"},
	{"gen/contract/text.go", `version = "(zmyjson \d+)"`, "| `zmy.json.lock` | `%`,"},
	{"gen/protolock/text.go", `version = "(zmyproto \d+)"`, "| `zmy.proto.lock` | `%`,"},
	{"lab/run/run.go", `const Schema = (\d+)`, "| `run.json` | `\"schema\": %` |"},
	{"cmd/zmy/main.go", `exitContender = (\d+)`, "% the baseline or a codec that you named could not be measured"},
	{"cmd/zmy/main.go", `exitRegression += (\d+)`, "% a confirmed regression"},
	{"cmd/zmy/main.go", `exitInconclusive = (\d+)`, "% inconclusive"},
	{"cmd/zmy/main.go", `exitStopped += (\d+)`, "% interrupted"},
}

// TestSupport: the versions in docs/support.md are those of the files that set them.
func TestSupport(t *testing.T) {
	page := file(t, supportMD)
	for _, f := range facts {
		found := regexp.MustCompile(f.pattern).FindStringSubmatch(file(t, f.file))
		if found == nil {
			t.Errorf("%s has nothing like %s", f.file, f.pattern)
			continue
		}
		if text := strings.ReplaceAll(f.text, "%", found[1]); !strings.Contains(page, text) {
			t.Errorf("%s says %s, but %s has no %q", f.file, found[1], supportMD, text)
		}
	}
}

// TestSupportTargets: the make targets that the page names exist, and those marked CI are run by
// .ci/run, by themselves or as a part of make test.
func TestSupportTargets(t *testing.T) {
	makefile, ci := file(t, "Makefile"), file(t, ".ci/run")
	needs := func(target string) []string {
		m := regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(target) + `:([^#\n]*)`).FindStringSubmatch(makefile)
		if m == nil {
			t.Fatalf("%s: the Makefile has no target %s", supportMD, target)
		}
		return strings.Fields(m[1])
	}
	run := []string{}
	for _, m := range regexp.MustCompile(`(?m)^step .* (?:make|with) (\S+)`).FindAllStringSubmatch(ci, -1) {
		run = append(run, m[1])
	}
	for i := 0; i < len(run); i++ {
		for _, need := range needs(run[i]) {
			if !slices.Contains(run, need) {
				run = append(run, need)
			}
		}
	}
	named := regexp.MustCompile("`make ([a-z0-9-]+)` \\(([^)]*)\\)").FindAllStringSubmatch(file(t, supportMD), -1)
	if len(named) < 10 {
		t.Fatalf("%s names %d targets", supportMD, len(named))
	}
	for _, m := range named {
		needs(m[1])
		if says, is := strings.HasSuffix(m[2], "CI"), slices.Contains(run, m[1]); says != is {
			t.Errorf("%s: make %s: the page says CI: %v; .ci/run runs it: %v", supportMD, m[1], says, is)
		}
	}
}

// TestSupportModules: released modules other than the core need the Go that the page says.
func TestSupportModules(t *testing.T) {
	need := regexp.MustCompile("modules `gen`.* \\| Go (\\S+) or later").FindStringSubmatch(file(t, supportMD))
	if need == nil {
		t.Fatalf("%s does not say what the other modules need", supportMD)
	}
	for _, pattern := range []string{"gen", "lab", "scan", "cmd/*", "adapters/*"} {
		names, err := filepath.Glob(filepath.Join(repository, pattern, "go.mod"))
		if err != nil || len(names) == 0 {
			t.Fatal(pattern, err)
		}
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			if !regexp.MustCompile(`(?m)^go ` + regexp.QuoteMeta(need[1]) + `(\.\d+)?$`).Match(text) {
				t.Errorf("%s needs another Go than %s, which %s says", name, need[1], supportMD)
			}
		}
	}
}

func file(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(repository, filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
