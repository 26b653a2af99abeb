package escape

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// What the compiler prints of one function, shortened; and lines of no meaning.
const printed = `# example.com/shop
./order.go:30:6: cannot inline (*Order).MarshalJSON: function too complex: cost 512 exceeds budget 80
./order.go:31:25: n escapes to heap in (*Order).MarshalJSON:
./order.go:31:25:   flow: {storage for ... argument} ← &{storage for n}:
./order.go:31:25:     from n (spill) at ./order.go:31:25
./order.go:31:25:     from ... argument (slice-literal-element) at ./order.go:31:18
./order.go:31:25:     from fmt.Sprintf("%d", ... argument...) (call parameter) at ./order.go:31:18
./order.go:40:11: make([]byte, 0, 100) escapes to heap in (*Order).MarshalJSON:
./order.go:40:11:     from return append(append(b, x...), c...), nil (return) at ./order.go:37:2
./order.go:23:7: leaking param content: o
./order.go:27:11: make([]byte, n) does not escape
./order.go:31:25: n escapes to heap
./order.go:40:11: make([]byte, 0, 100) escapes to heap
C:\src\order.go:53:6: moved to heap: local
some text: without a place
`

func TestParse(t *testing.T) {
	got := Parse(printed)
	want := []string{"C:\\src\\order.go:53 local variable", "./order.go:31 n interface", "./order.go:40 make([]byte, 0, 100) make"}
	slices.Sort(want)
	if s := spell(got); !slices.Equal(s, want) {
		t.Errorf("got %q\nwant %q", s, want)
	}
	for _, s := range got {
		if s.Line == 31 && (s.Func != "(*Order).MarshalJSON" || !slices.Contains(s.Steps, "call parameter")) {
			t.Errorf("its function and the flow: %+v", s)
		}
	}
	if Parse("") != nil && len(Parse("")) != 0 {
		t.Error("sites of nothing")
	}
}

func spell(sites []Site) []string {
	var out []string
	for _, s := range sites {
		out = append(out, fmt.Sprintf("%s:%d %s %s", s.File, s.Line, s.What, s.Cause))
	}
	slices.Sort(out)
	return out
}

// source has one line for each cause, named in its comment.
const source = `package x

import (
	"errors"
	"fmt"
)

type T struct{ A, B int; S string; L []byte; M map[string]int; N *T }

type Err struct{ At int }

func (e *Err) Error() string { return "x" }

var hold any
var holdFunc func() int

func (t *T) Decode(b []byte) error {
	if len(b) == 0 {
		return &Err{At: 3} // error
	}
	if len(b) == 1 {
		return errors.New("x" + t.S) // error
	}
	if len(b) == 2 {
		return fmt.Errorf("%s: %d", t.S, len(b)) // error
	}
	t.S = string(b) // string
	t.L = make([]byte, len(b)) // make
	t.M = map[string]int{"a": 1} // object
	t.N = &T{A: 1} // object
	hold = t.A // interface
	var local T // variable
	t.N.N = &local
	holdFunc = func() int { return t.A } // closure
	t.L = append(t.L, b...) // append
	t.L = []byte(t.S) // bytes
	var buf [11 << 20]byte // too large
	copy(buf[:], b)
	return nil
}
`

// The compiler at hand is asked, so that a new wording of its is noticed.
func TestCompiler(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module x\n\ngo 1.24\n", "x.go": source} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("go", "build", "-gcflags=-m=2", ".")
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOWORK=off", "GOFLAGS=")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	sites := Parse(string(out))
	for i, line := range strings.Split(source, "\n") {
		_, want, ok := strings.Cut(line, "// ")
		found := slices.ContainsFunc(sites, func(s Site) bool { return s.Line == i+1 && string(s.Cause) == want })
		if ok && !found {
			t.Errorf("%s\n not found as %q among %+v", line, want,
				slices.DeleteFunc(slices.Clone(sites), func(s Site) bool { return s.Line != i+1 }))
		}
		if !ok && slices.ContainsFunc(sites, func(s Site) bool { return s.Line == i+1 }) {
			t.Errorf("%s: a site where there is none", line)
		}
	}
}
