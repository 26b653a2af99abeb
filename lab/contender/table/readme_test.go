package table

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/zmylab/zmy/lab/contender"
)

var update = flag.Bool("update", false, "write the table in lab/contender/codecs/README.md anew")

const codecs = "../codecs"

// folder is where a contender lies: two rows of one codec share a folder.
func folder(t *testing.T, name string) string {
	t.Helper()
	for dir := name; dir != ""; dir = dir[:max(0, strings.LastIndexByte(dir, '-'))] {
		if _, err := os.Stat(filepath.Join(codecs, dir)); err == nil {
			return dir
		}
	}
	t.Fatalf("%s has no folder in lab/contender/codecs", name)
	return ""
}

// TestReadme holds the table in the folder's README against the contenders, and the one in the
// guide against those that are measured when none are named.
func TestReadme(t *testing.T) {
	seen := map[string]bool{"own": true} // whose contenders users bring
	var b strings.Builder
	b.WriteString("\n| contender | what is measured | family | module | released | licence | measured |\n|---|---|---|---|---|---|---|\n")
	for _, i := range All() {
		dir, row := folder(t, i.Name), i.Capabilities()
		seen[dir] = true
		module := "–"
		if len(i.Modules) > 0 {
			module = "`" + i.Modules[0].Path + "`"
		}
		released := row[len(row)-1].Value
		if note := row[len(row)-1].Note; note != "" {
			released += ", " + note
		}
		fmt.Fprintf(&b, "| [`%s`](%s) | %s | %s | %s | %s | %s | %s |\n", i.Name, dir, i.Text, i.Family, module,
			released, row[len(row)-2].Value, measured(&i))
	}
	entries, err := os.ReadDir(codecs)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.IsDir() && !seen[e.Name()] {
			t.Errorf("lab/contender/codecs/%s is not in the table (lab/contender/table/table.go)", e.Name())
		}
	}
	file := filepath.Join(codecs, "README.md")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	const begin, end = "<!-- contenders -->\n", "<!-- /contenders -->"
	head, rest, _ := strings.Cut(string(text), begin)
	_, tail, ok := strings.Cut(rest, end)
	want := head + begin + b.String()[1:] + end + tail
	switch {
	case !ok:
		t.Errorf("%s lacks the lines %s%s", file, begin, end)
	case *update:
		if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	case want != string(text):
		t.Errorf("%s is not of these contenders: go test ./contender/table -run TestReadme -update", file)
	}
	checkNames(t, "docs/guide/lab.md", "\n| name | codec |\n")
}

func measured(i *contender.Info) string {
	when := "always"
	if i.Extra {
		when = "with `-codecs all`"
	}
	if i.Generate == nil {
		return "it could not be had"
	}
	if i.Rankless() != "" {
		when += ", not ranked"
	}
	return when
}

// checkNames holds the first column of the table with this title against the contenders: but for
// the row of -codecs all, which names some of them, it has those that are measured when none are
// named.
func checkNames(t *testing.T, file, title string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("../../..", file))
	if err != nil {
		t.Fatal(err)
	}
	_, table, ok := strings.Cut(string(text), title)
	if !ok {
		t.Fatalf("%s has no table %q", file, title)
	}
	table, _, _ = strings.Cut(table, "\n\n")
	listed := map[string]bool{} // to whether the row is that of -codecs all
	for line := range strings.Lines(table) {
		column := strings.Split(line, "|")[1]
		for _, m := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(column, -1) {
			listed[m[1]] = strings.Contains(line, "-codecs all")
		}
	}
	for _, i := range All() {
		extra, ok := listed[i.Name]
		delete(listed, i.Name)
		if ok && extra != i.Extra || !ok && !i.Extra && !i.Native {
			t.Errorf("%s: %s is measured %s; the table of codecs says otherwise", file, i.Name, measured(&i))
		}
	}
	for name := range listed {
		t.Errorf("%s names a contender %s, which is not there", file, name)
	}
}
