package lab

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/zmylab/zmy/lab/report"
	"github.com/zmylab/zmy/lab/run"
)

// TestReplaced: a report that takes the place of one about another type says which; its own
// earlier report is none of those.
func TestReplaced(t *testing.T) {
	now := time.Now()
	for _, c := range []struct {
		old     run.Subject
		started time.Time
		want    string
	}{
		{run.Subject{Package: "example.org/m", Type: "Pod", Name: "m.Pod"}, now, "m.Pod, " + now.Format("15:04")},
		{run.Subject{Package: "example.org/m", Type: "Pod", Name: "m.Pod"}, now.AddDate(0, -1, 0),
			"m.Pod, " + now.AddDate(0, -1, 0).Format("2006-01-02 15:04")},
		{run.Subject{Package: "example.org/m", Type: "Order", Name: "m.Order"}, now, ""},
	} {
		l := &Opened{o: Options{Out: t.TempDir()}, run: &run.Run{Subject: run.Subject{Package: "example.org/m", Type: "Order"}}}
		if err := report.WriteDir(l.o.Out, &run.Run{Schema: run.Schema, Started: c.started.UTC(), Subject: c.old}); err != nil {
			t.Fatal(err)
		}
		l.keepExperiments()
		if l.run.Replaced != c.want {
			t.Errorf("%s: %q, want %q", c.old.Type, l.run.Replaced, c.want)
		}
		var b strings.Builder
		if err := report.Table(&b, l.run, report.TableOptions{Width: 200, Dir: "zmylab"}); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(b.String(), "(benchstat) · replaces the report of "+c.want) != (c.want != "") {
			t.Errorf("%s", &b)
		}
	}
}

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
