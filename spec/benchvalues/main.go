// Benchvalues writes the input of the Java benchmarks: a stream of orders and a stream of results,
// with random values of the examples.
package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"

	"github.com/zmylab/zmy"
	orderlite "github.com/zmylab/zmy/examples/order-lite"
	"github.com/zmylab/zmy/examples/result"
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
	var orders, results []any
	for range 64 {
		v := orderlite.SampleOrder(r)
		orders = append(orders, &v)
	}
	for range 8 {
		v := result.SampleResult(r)
		results = append(results, &v)
	}
	if err := write(filepath.Join(dir, "orders.zmys"), orders); err != nil {
		return err
	}
	return write(filepath.Join(dir, "results.zmys"), results)
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
