package harness

import (
	"errors"
	"os/exec"
	"runtime"

	"golang.org/x/sys/unix"
)

// CPUs lists the processors that this process may run on, in ascending order.
func CPUs() ([]int, error) {
	var set unix.CPUSet
	if err := unix.SchedGetaffinity(0, &set); err != nil {
		return nil, err
	}
	var out []int
	for i := range 64 * len(set) {
		if set.IsSet(i) {
			out = append(out, i)
		}
	}
	return out, nil
}

// StartOn starts a command on the given processors only, or on any if the list is empty. A process
// inherits its processors from the thread that starts it, and its Go runtime derives GOMAXPROCS
// from their number at the start, so they must be set before.
func StartOn(cmd *exec.Cmd, cpus []int) error {
	if len(cpus) == 0 {
		return cmd.Start()
	}
	var before, set unix.CPUSet
	for _, i := range cpus {
		set.Set(i)
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := unix.SchedGetaffinity(0, &before); err != nil {
		return err
	}
	if err := unix.SchedSetaffinity(0, &set); err != nil {
		return err
	}
	return errors.Join(cmd.Start(), unix.SchedSetaffinity(0, &before))
}
