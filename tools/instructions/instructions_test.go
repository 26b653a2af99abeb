package instructions

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/zmylab/zmy/internal/longtest"
	"github.com/zmylab/zmy/lab/callgrind"
	"github.com/zmylab/zmy/lab/contender"
	"github.com/zmylab/zmy/lab/contender/codecs/zmy"
	"github.com/zmylab/zmy/lab/worker"
)

func count(codec, op string, ir float64) Count {
	return Count{Codec: codec, Task: Task{Op: op}, Ir: ir}
}

func TestList(t *testing.T) {
	var b strings.Builder
	c := count("zmy", "encode", 200)
	c.L1, c.Bm = 2, 3
	c.Parts = []callgrind.Part{{Name: "github.com/zmylab/zmy/wire.Put[go.shape.[]string,int].func1", Ir: 120, L1: 1, Bm: 2},
		{Name: "wire.small", Ir: 50}, {Name: "x", Ir: 30}}
	List(&b, []Count{c}, 2)
	List(&b, []Count{count("msgp", "decode", 7)}, 0)
	want := "      200  zmy encode, 2.0 misses of the simulated first-level caches, 3.0 mispredicted branches\n" +
		"      120    wire.Put[…].func1, 1.0, 2.0\n       50    wire.small\n       30    other functions\n        7  msgp decode\n"
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
}

func TestTasks(t *testing.T) {
	got, err := Tasks("encode/append-sorted,decode")
	if err != nil || len(got) != 2 || got[0].String() != "encode/append-sorted" || got[1].String() != "decode" ||
		got[0].request() != (worker.Task{Op: "encode", Encode: "append-sorted"}) {
		t.Errorf("%v, %v", got, err)
	}
	for _, bad := range []string{"", "encode,", "access/view"} {
		if _, err := Tasks(bad); err == nil {
			t.Errorf("%q was read", bad)
		}
	}
}

func TestTable(t *testing.T) {
	var b strings.Builder
	Table(&b, []Count{count("zmy", "encode", 200), count("zmy", "decode", 400), count("only", "encode", 1)},
		[]Count{count("zmy", "decode", 300), count("zmy", "encode", 220)})
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
	p := &Plan{Root: "../..", Subject: "sse", Type: "SSEEvent", Codecs: []contender.Info{zmy.Info}, Arch: "arm64",
		Tasks: []Task{{Op: "encode"}, {Op: "decode"}}, Doing: func(string) {}}
	var sides [2][]Count
	for i := range sides {
		var err error
		if sides[i], err = p.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	for i, x := range sides[0] {
		if y := sides[1][i]; x.Ir < 100 || x.Ir > 1.05*y.Ir || y.Ir > 1.05*x.Ir {
			t.Errorf("%s: %.0f and %.0f instructions", x.Task, x.Ir, y.Ir)
		}
	}
	if len(sides[0]) != len(p.Tasks) {
		t.Errorf("%+v", sides[0])
	}
}
