// Testee reads messages for the conformance runner, by the protocol of spec/CONFORMANCE.md: it
// reads requests from standard input and writes responses to standard output.
package main

import (
	"fmt"
	"os"

	"github.com/zmylab/zmy/internal/zmyvector"
)

func main() {
	var modes []zmyvector.NamedMode
	for _, m := range zmyvector.Modes {
		modes = append(modes, zmyvector.NamedMode{Name: m.Name, Run: zmyvector.Generated(m, zmyvector.Stored)})
	}
	modes = append(modes, zmyvector.NamedMode{Name: "verify", Run: zmyvector.Verifier},
		zmyvector.NamedMode{Name: "model", Run: zmyvector.Model})
	if err := zmyvector.Serve(os.Stdin, os.Stdout, modes); err != nil {
		fmt.Fprintln(os.Stderr, "testee:", err)
		os.Exit(1)
	}
}
