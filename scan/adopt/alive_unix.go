//go:build unix

package adopt

import (
	"errors"
	"syscall"
)

// alive reports whether a process exists.
func alive(id int) bool {
	err := syscall.Kill(id, 0)
	return err == nil || errors.Is(err, syscall.EPERM)
}
