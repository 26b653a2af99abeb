//go:build !unix

package adopt

import "os"

// alive reports whether a process exists.
func alive(id int) bool {
	p, err := os.FindProcess(id) // opens the process, and fails if there is none
	if err != nil {
		return false
	}
	_ = p.Release()
	return true
}
