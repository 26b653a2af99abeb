package gen_test

import (
	"bytes"
	"os/exec"
	"strings"
	"testing"

	"github.com/zmylab/zmy/gen/cli"
)

// TestStaleZMY answers which changes of types the compiler notices in generated code of the
// native format, and which it does not: there is no fingerprint at run time as JSON has one.
// A struct that can be written down is compared as a whole, other packages' too. One with a
// field that cannot be written down (a func here) is compared field by field, so that a new
// field and another number pass; and no method is asked for.
func TestStaleZMY(t *testing.T) {
	if testing.Short() {
		t.Skip("builds packages")
	}
	const model = `package model

import "example.org/stale/dep"

type Order struct {
	ID   string      ` + "`zmy:\"0\"`" + `
	Addr dep.Address ` + "`zmy:\"1\"`" + `
	Lock Locked      ` + "`zmy:\"2\"`" + `
}

type Locked struct {
	A  int32  ` + "`zmy:\"0\"`" + `
	B  int32  ` + "`zmy:\"1\"`" + `
	cb func() ` + "`zmy:\"-\"`" + `
}
`
	const dep = `package dep

type Address struct {
	Street string ` + "`zmy:\"0\"`" + `
	City   string ` + "`zmy:\"1\"`" + `
}
`
	module(t, "stale", map[string]string{"model.go": model})
	writeDep := func(src string) {
		t.Helper()
		writeFile(t, "dep/dep.go", []byte(src))
	}
	writeDep(dep)
	var out bytes.Buffer
	if code := cli.ZMY([]string{"-type=Order"}, &out, &out); code != 0 {
		t.Fatalf("exit %d\n%s", code, &out)
	}
	for _, c := range []struct {
		name          string
		old, new      string
		caught, inDep bool
	}{
		{"nothing", "", "", false, false},
		{"a field more in another package", "\tCity ", "\tZip string `zmy:\"2\"`\n\tCity ", true, true},
		{"another number in another package", `City   string ` + "`zmy:\"1\"", `City   string ` + "`zmy:\"3\"", true, true},
		{"another type beside a func", "B  int32", "B  uint32", true, false},
		{"a field less beside a func", "\tB  int32  `zmy:\"1\"`\n", "", true, false},
		{"a field more beside a func", "\tcb func()", "\tC int32 `zmy:\"2\"`\n\tcb func()", false, false},
		{"numbers exchanged beside a func", "A  int32  `zmy:\"0\"`\n\tB  int32  `zmy:\"1\"`", "A  int32  `zmy:\"1\"`\n\tB  int32  `zmy:\"0\"`", false, false},
		{"methods of its own", "type Locked struct", "func (Locked) AppendZMY(b []byte) ([]byte, error) { return b, nil }\n\nfunc (*Locked) UnmarshalZMY([]byte) error { return nil }\n\ntype Locked struct", false, false},
	} {
		src := model
		if c.inDep {
			src = dep
		}
		changed := strings.Replace(src, c.old, c.new, 1)
		if c.old != "" && changed == src {
			t.Fatalf("%s: nothing to change", c.name)
		}
		writeFile(t, "model.go", []byte(model))
		writeDep(dep)
		if c.inDep {
			writeDep(changed)
		} else {
			writeFile(t, "model.go", []byte(changed))
		}
		text, err := exec.Command("go", "build", "./...").CombinedOutput()
		if caught := err != nil; caught != c.caught {
			t.Errorf("%s: noticed %v, want %v\n%s", c.name, caught, c.caught, text)
		}
		if err != nil && !bytes.Contains(text, []byte("changedRunGoGenerate")) {
			t.Errorf("%s: the compiler does not say what to do\n%s", c.name, text)
		}
	}
}
