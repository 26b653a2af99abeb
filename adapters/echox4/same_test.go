package echox4_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestSameAsEchox: this package is package echox for another version of Echo. What differs between the versions stands in
// echo.go, json.go and doc.go; every other file is that of echox but for names, so that a change of the one is made in both.
func TestSameAsEchox(t *testing.T) {
	names := strings.NewReplacer("package echox", "package echox4", "adapters/echox", "adapters/echox4", "echox.", "echox4.", "echox: ", "echox4: ",
		"*echo.Context", "echo.Context", "echo/v5", "echo/v4")
	if _, err := os.Stat(filepath.Join("..", "echox")); os.IsNotExist(err) {
		t.Skip("without the repository there is nothing to compare with")
	}
	for _, file := range []string{"exchange.go", "handle.go", "events_test.go", "powers_test.go", "echox_test.go"} {
		theirs, err := os.ReadFile(filepath.Join("..", "echox", file))
		if err != nil {
			t.Fatal(err)
		}
		ours, err := os.ReadFile(strings.Replace(file, "echox", "echox4", 1))
		if err != nil {
			t.Fatal(err)
		}
		want, got := strings.Split(names.Replace(string(theirs)), "\n"), strings.Split(string(ours), "\n")
		for i := range min(len(want), len(got)) {
			if want[i] != got[i] {
				t.Fatalf("%s:%d differs from echox\n%s\nwant\n%s", file, i+1, got[i], want[i])
			}
		}
		if len(want) != len(got) {
			t.Errorf("%s has %d lines, want the %d of echox", file, len(got), len(want))
		}
	}
}
