//go:build !linux

package harness

import (
	"errors"
	"fmt"
	"os/exec"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

// CPUs returns an error: only on Linux can the lab choose processors.
func CPUs() ([]int, error) { return nil, errors.New("choosing processors needs Linux") }

// StartOn starts a command and ignores the processors.
func StartOn(cmd *exec.Cmd, _ []int) error { return cmd.Start() }

// waitedForProcessor returns 0: the time is known on Linux only.
func waitedForProcessor(int) time.Duration { return 0 }

// lastAsked limits calls of `ps` to one per second for every process.
var lastAsked sync.Map // process id → *atomic.Int64, in ms

// residentMemory returns the resident set of a process in bytes, or 0 if it is unknown or was asked
// for less than a second ago.
func residentMemory(pid int) int64 {
	at, _ := lastAsked.LoadOrStore(pid, new(atomic.Int64))
	asked := at.(*atomic.Int64)
	now, last := time.Now().UnixMilli(), asked.Load()
	if now-last < 1000 || !asked.CompareAndSwap(last, now) {
		return 0
	}
	return printedNumber("ps", "-o", "rss=", "-p", strconv.Itoa(pid)) << 10
}

// totalMemory returns the machine's memory in bytes, or 0 if unknown.
func totalMemory() int64 { return printedNumber("sysctl", "-n", "hw.memsize") }

// printedNumber returns the number that a command prints, or 0 if it fails.
func printedNumber(name string, args ...string) (n int64) {
	out, _ := exec.Command(name, args...).Output()
	_, _ = fmt.Sscan(string(out), &n)
	return n
}
