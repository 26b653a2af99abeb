// Plot draws how degrade.Machine behaves in the scripts of package sim:
//
//	go run ./degrade/plot -o ../../docs/perf/grpc-degrade.svg
package main

import (
	"flag"
	"fmt"
	"os"

	"github.com/zmylab/zmy/adapters/grpcx/degrade/sim"
)

func main() {
	out := flag.String("o", "", "the `file` to write (default: the standard output)")
	flag.Parse()
	if err := draw(*out); err != nil {
		fmt.Fprintln(os.Stderr, "plot:", err)
		os.Exit(1)
	}
}

func draw(file string) error {
	runs, err := sim.PlayAll()
	if err != nil {
		return err
	}
	if file == "" {
		_, err = fmt.Print(sim.SVG(runs))
		return err
	}
	return os.WriteFile(file, []byte(sim.SVG(runs)), 0o644)
}
