package cpu

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// counters says why the processor's own counters cannot be read here, or returns "" if they can.
func counters() string {
	attr := unix.PerfEventAttr{Type: unix.PERF_TYPE_HARDWARE, Config: unix.PERF_COUNT_HW_INSTRUCTIONS,
		Bits: unix.PerfBitExcludeKernel | unix.PerfBitDisabled}
	attr.Size = uint32(unsafe.Sizeof(attr))
	fd, err := unix.PerfEventOpen(&attr, 0, -1, -1, unix.PERF_FLAG_FD_CLOEXEC)
	if err != nil {
		return "perf_event_open: " + err.Error()
	}
	_ = unix.Close(fd) // nothing was written to it
	return ""
}
