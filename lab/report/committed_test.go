package report

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"
)

var update = flag.Bool("update", false, "write docs/results/*/report.md anew from the run.json beside each")

// TestCommitted: the reports that the project shows are what their data say, drawn as they are
// drawn today.
func TestCommitted(t *testing.T) {
	all, err := filepath.Glob("../../docs/results/*/" + FileJSON)
	if err != nil || len(all) == 0 {
		t.Fatal(err, "no results found")
	}
	for _, name := range all {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		r, err := ReadJSON(bytes.NewReader(data))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		var b bytes.Buffer
		if err := Markdown(&b, r); err != nil {
			t.Fatal(err)
		}
		page := filepath.Join(filepath.Dir(name), FileMarkdown)
		if old, err := os.ReadFile(page); err == nil && bytes.Equal(old, b.Bytes()) {
			continue
		}
		if !*update {
			t.Errorf("%s is not what its run.json says: run go test ./lab/report -run Committed -update", page)
			continue
		}
		if err := os.WriteFile(page, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
