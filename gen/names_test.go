package gen_test

import (
	"bytes"
	"os/exec"
	"testing"

	"github.com/zmylab/zmy/gen/cli"
)

// Names that the generated code itself would like to have, and names that are not
// ASCII, give code that compiles.
func TestNames(t *testing.T) {
	if testing.Short() {
		t.Skip("builds packages")
	}
	module(t, "wire", map[string]string{"wire.go": `package wire

import "time"

type Error struct {
	s      string            ` + "`zmy:\"0\"`" + `
	Err    string            ` + "`zmy:\"1\"`" + `
	L      []Ünï             ` + "`zmy:\"2\"`" + `
	LLen   int               ` + "`zmy:\"3\"`" + `
	M      map[string]zmy    ` + "`zmy:\"4\"`" + `
	MKey   string            ` + "`zmy:\"5\"`" + `
	Append func()            ` + "`zmy:\"-\"`" + `
	Time   time.Time         ` + "`zmy:\"6\"`" + `
	World  map[int8]世界       ` + "`zmy:\"7\"`" + `
}

type Ünï struct {
	Ä string ` + "`zmy:\"0\"`" + `
	b []Ünï  ` + "`zmy:\"1\"`" + `
}

type 世界 struct {
	type_ string ` + "`zmy:\"0\"`" + `
}

type zmy struct {
	v, x int ` + "`zmy:\"-\"`" + `
	d    int ` + "`zmy:\"0\"`" + `
}

type ErrorView struct {
	View string ` + "`zmy:\"0\"`" + `
}

var b, v, d, h, e, err, left, head, scratch, buf string
`})
	var out bytes.Buffer
	if code := cli.ZMY([]string{"-type=Error,ErrorView"}, &out, &out); code != 0 {
		t.Fatalf("exit %d\n%s", code, &out)
	}
	if got, err := exec.Command("go", "vet", "./...").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, got)
	}
}
