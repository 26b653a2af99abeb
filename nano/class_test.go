package nano_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/zmylab/zmy/codec"
	"github.com/zmylab/zmy/nano"
)

// failing is a codec of its own media type that fails as it is told.
type failing struct {
	codec.Codec
	err error
}

func (failing) Name() string                  { return "failing" }
func (failing) MediaTypes() []string          { return []string{"application/x-failing"} }
func (c failing) Marshal(any) ([]byte, error) { return nil, c.err }
func (c failing) Unmarshal([]byte, any) error { return c.err }

// TestClasses holds the table of docs/guide/codec.md: the class of a codec's error decides the
// status.
func TestClasses(t *testing.T) {
	for _, c := range []struct {
		err         error
		read, write int
	}{
		{codec.WithClass(codec.ClassLimit, errors.New("too deep")), 413, 500},
		{codec.WithClass(codec.ClassSyntax, io.ErrUnexpectedEOF), 400, 500},
		{codec.WithClass(codec.ClassType, errors.New("no number")), 400, 500},
		{codec.WithClass(codec.ClassSchema, errors.New("version 7")), 400, 500},
		{codec.WithClass(codec.ClassUnsupported, errors.New("no lists")), 415, 406},
		{&codec.PanicError{Value: "half-way"}, 500, 500},
		{errors.New("anything"), 400, 500},
	} {
		t.Run(codec.ClassOf(c.err).String(), func(t *testing.T) {
			reg := codec.NewRegistry(codec.FXJSON{}, failing{err: fmt.Errorf("codec: %w", c.err)})
			h := nano.Handle(reg, func(context.Context, map[string]int) (map[string]int, error) { return nil, nil }, quiet())
			w := do(t, h, "POST", "/", "x", "Content-Type", "application/x-failing", "Accept", "application/json")
			if w.Code != c.read {
				t.Errorf("reading: %d %s, want %d", w.Code, w.Body, c.read)
			}
			w = do(t, h, "POST", "/", "{}", "Content-Type", "application/json", "Accept", "application/x-failing")
			if w.Code != c.write {
				t.Errorf("writing: %d %s, want %d", w.Code, w.Body, c.write)
			}
		})
	}
}

// TestDepth: what is nested beyond the codec's limit is too large, not malformed.
func TestDepth(t *testing.T) {
	h := nano.Handle(registry(), func(context.Context, any) (nano.Empty, error) { return nano.Empty{}, nil }, quiet())
	if w := do(t, h, "POST", "/", strings.Repeat("[", 20_000)+strings.Repeat("]", 20_000), "Content-Type",
		"application/json"); w.Code != 413 {
		t.Errorf("20,000 brackets: %d %s", w.Code, w.Body)
	}
}
