package zmyvector

import (
	"errors"
	"io"
	"iter"
	"testing"

	"github.com/zmylab/zmy/internal/zmymodel"
)

// A testee at the other end of a pipe says what the implementation does.
func TestPipe(t *testing.T) {
	inRead, inWrite := io.Pipe()
	outRead, outWrite := io.Pipe()
	done := make(chan error, 1)
	go func() {
		done <- Serve(inRead, outWrite, []NamedMode{{"model", Model}, {"safe", Generated(Modes[0], Stored)}})
	}()
	c := NewTestee(outRead, inWrite)
	if modes, err := c.Modes(); err != nil || len(modes) != 2 || modes[1] != "safe" {
		t.Fatal(modes, err)
	}
	for _, name := range []string{"limits/keep1.jsonl", "union/cast.jsonl", "compress/envelope.jsonl"} {
		list, err := Load(name)
		if err != nil {
			t.Fatal(err)
		}
		for i := range list {
			if err := list[i].Check(c.Mode(1).Each); err != nil {
				t.Errorf("%s: %v", list[i].ID, err)
			}
			if err := list[i].Check(func(list []Request) iter.Seq2[Outcome, error] { return c.Batch(1, list) }); err != nil {
				t.Errorf("%s, asked at once: %v", list[i].ID, err)
			}
		}
	}
	if _, err := c.Mode(0)("Nobody", nil, zmymodel.Limits{}); !errors.Is(err, ErrUnsupported) {
		t.Error("a reader that there is not:", err)
	}
	if _, err := c.Mode(7)("Order", nil, zmymodel.Limits{}); !errors.Is(err, ErrUnsupported) {
		t.Error("a mode that there is not:", err)
	}
	if err := inWrite.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
}
