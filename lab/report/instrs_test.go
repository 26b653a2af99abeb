package report

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/lab/run/runtest"
)

// TestInstrs: instruction counts are a column where they were asked for, and nowhere else.
func TestInstrs(t *testing.T) {
	for _, counted := range []bool{false, true} {
		r := filled(runtest.Options{})
		for _, c := range r.Cells {
			if counted && c.Mode == "fresh" {
				c.Instrs = 12_345
			}
		}
		for name, write := range map[string]func(io.Writer, *run.Run) error{
			"terminal": func(w io.Writer, r *run.Run) error { return Table(w, r, TableOptions{Width: 160}) },
			"bench":    Bench, "HTML": HTML,
		} {
			var b bytes.Buffer
			if err := write(&b, r); err != nil {
				t.Fatal(err)
			}
			if got := strings.Contains(b.String(), "Ir/op"); got != counted {
				t.Errorf("%s: counted %t, shown %t", name, counted, got)
			}
		}
	}
}
