package harness

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// procAttr puts a process into its own process group, so that Ctrl-C reaches only the coordinator,
// and makes the kernel kill it when the coordinator dies.
func procAttr() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

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

// waitedForProcessor returns how long the living threads of a process have been ready but waited to
// run: the second number of /proc/PID/task/TID/schedstat (Documentation/scheduler/sched-stats.rst).
// It is 0 if the kernel does not count.
func waitedForProcessor(pid int) (sum time.Duration) {
	names, _ := filepath.Glob("/proc/" + strconv.Itoa(pid) + "/task/*/schedstat") // the pattern is well-formed
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			continue // the thread has ended
		}
		if f := bytes.Fields(text); len(f) >= 2 {
			ns, _ := strconv.ParseInt(string(f[1]), 10, 64)
			sum += time.Duration(ns)
		}
	}
	return sum
}

// residentMemory returns the resident set of a process in bytes, or 0 if the process is gone. It is
// the second number of statm, in pages.
func residentMemory(pid int) int64 {
	data, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/statm")
	var size, resident int64
	_, _ = fmt.Sscan(string(data), &size, &resident)
	return resident * int64(os.Getpagesize())
}

// totalMemory returns the machine's memory in bytes, or 0 if unknown.
func totalMemory() int64 {
	data, _ := os.ReadFile("/proc/meminfo")
	_, after, _ := strings.Cut(string(data), "MemTotal:")
	var kib int64
	_, _ = fmt.Sscan(after, &kib)
	return kib << 10
}
