package follow

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/zmylab/zmy/lab/run"
)

func TestReadCalls(t *testing.T) {
	code := "import \"a/b\"\nimport j \"a/json\"\n\nb, err := j.Marshal(v)\n_, err = v.Unmarshal(b)\n"
	c, ok := ReadCalls([]run.Step{{Kind: run.StepShell, Code: "true"}, {Kind: run.StepCalls, Code: code}})
	if !ok || !slices.Equal(c.Imports, []string{`"a/b"`, `j "a/json"`}) || c.Marshal != "j.Marshal(v)" ||
		c.Unmarshal != "_, err = v.Unmarshal(b)" {
		t.Errorf("%+v", c)
	}
	same, _ := ReadCalls([]run.Step{{Kind: run.StepCalls, Code: "import \"a/json\"\n"}})
	if same.Marshal != "json.Marshal(v)" || same.Unmarshal != "err = json.Unmarshal(b, &v)" {
		t.Errorf("%+v", same)
	}
	if _, ok := ReadCalls([]run.Step{{Kind: run.StepHand}}); ok {
		t.Error("calls in steps that have none")
	}
	if src := c.Source("shop", "roundTrip", "Order"); !strings.Contains(src,
		"func roundTrip(v Order) (Order, []byte, error) {\n\tb, err := j.Marshal(v)\n") ||
		!strings.Contains(src, "\t_, err = v.Unmarshal(b)\n\treturn v, b, err\n") {
		t.Error(src)
	}
}

func TestSteps(t *testing.T) {
	dir := t.TempDir()
	err := Steps(t.Context(), dir, nil, []run.Step{
		{Kind: run.StepFile, File: "x.txt", Code: "hello\n"}, {Kind: run.StepShell, Code: "cat x.txt > y.txt\ntest -s y.txt"},
		{Kind: run.StepHand, Do: "think"}})
	if b, _ := os.ReadFile(filepath.Join(dir, "y.txt")); err != nil || string(b) != "hello\n" {
		t.Errorf("%v, %q", err, b)
	}
	for _, bad := range []run.Step{{Kind: run.StepShell, Code: "echo no; exit 3\ntrue"},
		{Kind: run.StepFile, File: "../x", Code: ""}, {Kind: run.StepFile}} {
		var step *Error
		if err := Steps(t.Context(), dir, nil, []run.Step{bad}); !errors.As(err, &step) {
			t.Errorf("%+v: %v", bad, err)
		}
	}
}
