package main

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/zmylab/zmy/internal/zmymodel"
	"github.com/zmylab/zmy/internal/zmyvector"
)

// TestMain is a testee when it is started as one. It has two modes if it is to be wrong
// about a reader, of which the first is right about that one, too.
func TestMain(m *testing.M) {
	if len(os.Args) != 2 || os.Args[1] != "testee" {
		os.Exit(m.Run())
	}
	modes := []zmyvector.NamedMode{{Name: "right", Run: zmyvector.Generated(zmyvector.Modes[0], zmyvector.Stored)}}
	if about := os.Getenv("WRONG_ABOUT"); about != "" {
		modes = append(modes, zmyvector.NamedMode{Name: "wrong", Run: wrong(about)})
	}
	if err := zmyvector.Serve(os.Stdin, os.Stdout, modes); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// wrong says what the model does, but of one reader.
func wrong(about string) zmyvector.Implementation {
	return func(reader string, b []byte, l zmymodel.Limits) (zmyvector.Outcome, error) {
		out, err := zmyvector.Model(reader, b, l)
		switch {
		case err != nil || reader != about:
		case about == "Maps":
			return out, fmt.Errorf("no maps today")
		case about == "Tree" && out.Code != "ok":
			out.At++
		case about == "Scalars" && out.Code == "ok":
			out.Fields = func() string { return `{"Bool":7}` }
		case about == "Lists" && out.Code == "ok":
			out.Reencode = append(bytes.Clone(out.Reencode), 7)
		}
		return out, err
	}
}

func TestMutate(t *testing.T) {
	var vectors []zmyvector.Vector
	for _, name := range []string{"random/scalars.jsonl", "random/lists.jsonl", "random/tree.jsonl", "random/maps.jsonl",
		"envelope/envelope.jsonl"} {
		list, err := zmyvector.Load(name)
		if err != nil {
			t.Fatal(err)
		}
		vectors = append(vectors, list...)
	}
	const n = 2*batch + 100
	args := []string{"x=" + os.Args[0] + " testee", "y=" + os.Args[0] + " testee"}
	for about, want := range map[string]string{
		"": "0 disagree", "Maps": "says unsupported", "Tree": "model ", "Scalars": `reads {"Bool":7}`, "Lists": "07\n  model ok",
	} {
		t.Setenv("WRONG_ABOUT", about)
		var out strings.Builder
		good, err := mutate(&out, args, n, 7, vectors)
		if text := out.String(); err != nil || good != (about == "") || !strings.Contains(text, want) ||
			!strings.Contains(text, fmt.Sprint(n, " mutants of ")) || strings.Contains(text, " right: ") {
			t.Errorf("testees that are wrong about %q: %t, %v\n%s", about, good, err, text)
		}
	}
}
