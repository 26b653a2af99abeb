//go:build !unix

package load

import (
	"os"
)

// openFiles returns 0: no limit is known.
func openFiles() int { return 0 }

// interrupt kills the process, since this system cannot ask it to end.
func interrupt(p *os.Process) error { return p.Kill() }
