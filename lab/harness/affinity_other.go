//go:build !linux

package harness

import (
	"errors"
	"os/exec"
)

// CPUs returns an error: only on Linux can the lab choose processors.
func CPUs() ([]int, error) { return nil, errors.New("choosing processors needs Linux") }

// StartOn starts a command and ignores the processors.
func StartOn(cmd *exec.Cmd, _ []int) error { return cmd.Start() }
