//go:build !linux

package harness

import (
	"errors"
	"os/exec"
)

// CPUs fails: only Linux lets a process choose its processors.
func CPUs() ([]int, error) { return nil, errors.New("choosing processors needs Linux") }

// StartOn starts a command.
func StartOn(cmd *exec.Cmd, _ []int) error { return cmd.Start() }
