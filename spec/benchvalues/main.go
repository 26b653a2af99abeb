// Benchvalues writes the input of the Java benchmarks: a stream of values for each subject, drawn as
// by the examples.
package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"

	"github.com/zmylab/zmy"
	"github.com/zmylab/zmy/examples/flat"
	orderlite "github.com/zmylab/zmy/examples/order-lite"
	"github.com/zmylab/zmy/examples/result"
	"github.com/zmylab/zmy/examples/sse"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: benchvalues FOLDER")
		os.Exit(2)
	}
	if err := run(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "benchvalues:", err)
		os.Exit(1)
	}
}

func run(dir string) error {
	r := rand.New(rand.NewPCG(1, 0))
	for _, s := range []struct {
		file string
		n    int // a power of two
		draw func() any
	}{
		{"orders.zmys", 64, func() any { v := orderlite.SampleOrder(r); return &v }},
		{"results.zmys", 8, func() any { v := result.SampleResult(r); return &v }},
		{"events.zmys", 64, func() any { v := sse.SampleSSEEvent(r); return &v }},
		{"people.zmys", 64, func() any { v := flat.SamplePerson(r); return &v }},
	} {
		var values []any
		for range s.n {
			values = append(values, s.draw())
		}
		if err := write(filepath.Join(dir, s.file), values); err != nil {
			return err
		}
	}
	return nil
}

func write(name string, values []any) error {
	var b bytes.Buffer
	w := zmy.NewWriter(&b)
	for _, v := range values {
		if err := w.Marshal(v); err != nil {
			return err
		}
	}
	if err := w.Close(); err != nil {
		return err
	}
	return os.WriteFile(name, b.Bytes(), 0o666)
}
