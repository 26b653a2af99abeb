package escape

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/zmylab/zmy/lab/contender"
	"github.com/zmylab/zmy/lab/contender/codecs/msgp"
	stdjson "github.com/zmylab/zmy/lab/contender/codecs/std-json"
	"github.com/zmylab/zmy/lab/experiment"
	"github.com/zmylab/zmy/lab/experiment/experimenttest"
)

// The whole of it: a method of the user's that boxes a value, and a codec with generated
// code, beside a library without any.
func TestRun(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs")
	}
	o := experimenttest.Options(t, time.Second)
	source := experimenttest.Subject + `
type Kind int

func (k Kind) MarshalText() ([]byte, error) { return []byte(fmt.Sprintf("k%d", k)), nil }

func (k *Kind) UnmarshalText(b []byte) error {
	_, err := fmt.Sscanf(string(b), "k%d", (*int)(k))
	return err
}
`
	source = strings.Replace(source, "package subject\n", "package subject\n\nimport \"fmt\"\n", 1)
	source = strings.Replace(source, "type Item struct {", "type Item struct {\n\tKind Kind", 1)
	if err := os.WriteFile(filepath.Join(o.Dir, "msg.go"), []byte(source), 0o644); err != nil {
		t.Fatal(err)
	}
	o.Table, o.Codecs = []contender.Info{stdjson.Info, msgp.Info}, []string{"msgp"}
	_, e, err := experiment.Run(t.Context(), Experiment{}, o, experimenttest.UI())
	if err != nil {
		t.Fatal(err)
	}
	experimenttest.Check(t, e)
	all := strings.Join(append(append(e.Findings, e.Warnings...), e.Absent...), "\n")
	for _, want := range []string{"msg.go:", "your Kind.MarshalText puts k on the heap → a value in an interface", "msgp, encode: ",
		"msgp, decode: ", "the code of std-json is the same for all types"} {
		if !strings.Contains(all, want) {
			t.Errorf("%q is missing in\n%s", want, all)
		}
	}
	if strings.Contains(all, "zz_zmylab") {
		t.Errorf("a name of the lab's own in\n%s", all)
	}
}
