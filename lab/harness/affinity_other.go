//go:build !linux

package harness

import (
	"errors"
	"os/exec"
)

// CPUs fails: only Linux lets a process choose its processors.
func CPUs() ([]int, error) { return nil, errors.New("choosing processors needs Linux") }

func startOn(cmd *exec.Cmd, _ []int) error { return cmd.Start() }
