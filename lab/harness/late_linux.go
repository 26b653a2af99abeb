package harness

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

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
