//go:build !unix

package load

import (
	"os"
)

// openFiles is 0: there is no limit that is known.
func openFiles() int { return 0 }

// interrupt ends a process: there is no way to ask it here.
func interrupt(p *os.Process) error { return p.Kill() }
