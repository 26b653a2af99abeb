package load

import (
	"bytes"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// tick is the unit of /proc/PID/stat: USER_HZ, which is 100 on every architecture that Go runs on.
const tick = 10 * time.Millisecond

// cpuTime is the processor time that a process has taken, to a hundredth of a second
// (proc_pid_stat(5)).
func cpuTime(pid int) (time.Duration, bool) {
	data, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return 0, false
	}
	_, rest, ok := strings.Cut(string(data), ") ") // the name before it may hold anything
	fields := strings.Fields(rest)
	if !ok || len(fields) < 13 {
		return 0, false
	}
	user, err1 := strconv.ParseInt(fields[11], 10, 64)
	system, err2 := strconv.ParseInt(fields[12], 10, 64)
	return time.Duration(user+system) * tick, err1 == nil && err2 == nil
}

// residentSize is the resident memory of a process in bytes (proc_pid_statm(5)).
func residentSize(pid int) (int64, bool) {
	data, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/statm")
	if err != nil {
		return 0, false
	}
	fields := bytes.Fields(data)
	if len(fields) < 2 {
		return 0, false
	}
	pages, err := strconv.ParseInt(string(fields[1]), 10, 64)
	return pages * int64(os.Getpagesize()), err == nil
}

// orphan has the kernel kill a process whose parent is gone. The kernel means the thread that
// started it: Go keeps its threads, but for those that a goroutine ends with locked.
func orphan() *syscall.SysProcAttr { return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} }
