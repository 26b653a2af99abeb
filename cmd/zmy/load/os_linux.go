package load

import (
	"bytes"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// tick is the unit of times in /proc/PID/stat, 1 s ÷ USER_HZ. USER_HZ is 100 on every architecture
// that Go supports.
const tick = 10 * time.Millisecond

// cpuTime returns the processor time that a process has used so far, in steps of 10 ms
// (proc_pid_stat(5)).
func cpuTime(pid int) (time.Duration, bool) {
	data, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return 0, false
	}
	_, rest, ok := strings.Cut(string(data), ") ") // the process's name comes before it, and may contain anything
	fields := strings.Fields(rest)
	if !ok || len(fields) < 13 {
		return 0, false
	}
	user, err1 := strconv.ParseInt(fields[11], 10, 64)
	system, err2 := strconv.ParseInt(fields[12], 10, 64)
	return time.Duration(user+system) * tick, err1 == nil && err2 == nil
}

// residentSize returns the resident memory of a process in bytes (proc_pid_statm(5)).
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

// orphan makes the kernel kill the child when its parent dies. For the kernel the parent is the
// thread that started the child. Go keeps its threads, except a thread to which a goroutine is
// still locked when the goroutine ends.
func orphan() *syscall.SysProcAttr { return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} }
