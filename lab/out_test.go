package lab

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/zmylab/zmy/lab/report"
)

// TestForeignOut: a folder that holds somebody else's index.html is no place for a report;
// an earlier report, other files or nothing are no obstacle.
func TestForeignOut(t *testing.T) {
	for _, c := range []struct {
		have  []string
		wrong string
	}{
		{nil, ""},
		{[]string{"notes.txt"}, ""},
		{report.Files, ""},
		{[]string{report.FileHTML}, report.FileHTML},
		{[]string{"notes.txt", report.FileMarkdown}, report.FileMarkdown},
	} {
		dir := t.TempDir()
		for _, name := range c.have {
			if err := os.WriteFile(filepath.Join(dir, name), []byte("mine"), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		err := (&Opened{o: Options{Out: dir}}).prepareOut()
		var usage *UsageError
		if c.wrong == "" && err != nil || c.wrong != "" && (!errors.As(err, &usage) || !strings.Contains(err.Error(), c.wrong)) {
			t.Errorf("%v: %v", c.have, err)
		}
	}
}
