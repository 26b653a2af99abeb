package instructions

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/zmylab/zmy/internal/longtest"
	"github.com/zmylab/zmy/lab/contender"
	"github.com/zmylab/zmy/lab/contender/codecs/zmy"
)

func TestTable(t *testing.T) {
	var b strings.Builder
	Table(&b, []Count{{"zmy", "encode", 200}, {"zmy", "decode", 400}, {"only", "encode", 1}},
		[]Count{{"zmy", "decode", 300}, {"zmy", "encode", 220}})
	want := "| codec | op | amd64 | arm64 | arm64 ÷ amd64 |\n|---|---|---|---|---|\n" +
		"| zmy | encode | 200 | 220 | 1.10 |\n| zmy | decode | 400 | 300 | 0.75 |\n"
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
}

// TestRun counts one codec as arm64 code, twice: counts do not depend on the machine's load.
func TestRun(t *testing.T) {
	longtest.Only(t, "builds and emulates programs")
	if _, err := exec.LookPath("qemu-aarch64"); err != nil {
		t.Skip(err)
	}
	p := &Plan{Root: "../..", Subject: "sse", Type: "SSEEvent", Codecs: []contender.Info{zmy.Info}, Arch: "arm64", Doing: func(string) {}}
	var sides [2][]Count
	for i := range sides {
		var err error
		if sides[i], err = p.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	for i, x := range sides[0] {
		if y := sides[1][i]; x.Ir < 100 || x.Ir > 1.05*y.Ir || y.Ir > 1.05*x.Ir {
			t.Errorf("%s: %.0f and %.0f instructions", x.Op, x.Ir, y.Ir)
		}
	}
	if len(sides[0]) != len(Ops) {
		t.Errorf("%+v", sides[0])
	}
}
