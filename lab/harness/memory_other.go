//go:build !linux

package harness

import (
	"bytes"
	"os/exec"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

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
	out, err := exec.Command("ps", "-o", "rss=", "-p", strconv.Itoa(pid)).Output()
	if err != nil {
		return 0
	}
	kb, err := strconv.ParseInt(string(bytes.TrimSpace(out)), 10, 64)
	if err != nil {
		return 0
	}
	return kb << 10
}

// totalMemory returns the machine's memory in bytes, or 0 if unknown.
func totalMemory() int64 {
	out, err := exec.Command("sysctl", "-n", "hw.memsize").Output()
	if err != nil {
		return 0
	}
	n, err := strconv.ParseInt(string(bytes.TrimSpace(out)), 10, 64)
	if err != nil {
		return 0
	}
	return n
}
