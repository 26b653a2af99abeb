//go:build !unix

package load

import "os"

// interrupt ends a process: there is no way to ask it here.
func interrupt(p *os.Process) error { return p.Kill() }
