package contender

import (
	"io/fs"
	"path"
	"strings"
	"testing"
)

// most is how many lines in a row two adapters may have in common: what is longer
// belongs into a folder of shared.
const most = 10

// TestRepeats finds what was copied from one adapter to another.
func TestRepeats(t *testing.T) {
	names, err := fs.Glob(adapters, "codecs/*/adapter/*.go")
	if err != nil || len(names) < 20 {
		t.Fatal(names, err)
	}
	seen := map[string]string{} // so many lines to the file that has them
	for _, name := range names {
		src, err := adapters.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		_, body, _ := strings.Cut(string(src), ")\n\n") // behind the imports
		var lines []string
		for line := range strings.Lines(body) {
			if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "//") {
				lines = append(lines, line)
			}
		}
		for i := 0; i+most <= len(lines); i++ {
			run := strings.Join(lines[i:i+most], "\n")
			if other, ok := seen[run]; ok && path.Dir(other) != path.Dir(name) {
				t.Errorf("%s and %s have more than %d lines in common, from\n%s", other, name, most, lines[i])
				break
			}
			seen[run] = name
		}
	}
}
