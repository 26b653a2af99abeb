package load

import (
	"os"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// fdSleeper waits by a timerfd, which the runtime's poller sees at the moment when it fires: late
// by some fifty microseconds, and without a thread of its own.
type fdSleeper struct {
	file *os.File
	raw  syscall.RawConn
}

func newSleeper() sleeper {
	fd, err := unix.TimerfdCreate(unix.CLOCK_MONOTONIC, unix.TFD_NONBLOCK|unix.TFD_CLOEXEC)
	if err != nil {
		return newTimerSleeper() // no descriptor is left: late, and not wrong
	}
	f := os.NewFile(uintptr(fd), "timerfd")
	raw, err := f.SyscallConn()
	if err != nil {
		f.Close()
		return newTimerSleeper()
	}
	return &fdSleeper{f, raw}
}

func (s *fdSleeper) until(t time.Time) bool {
	for {
		d := time.Until(t)
		if d <= 0 {
			return true
		}
		var set error
		err := s.raw.Control(func(fd uintptr) {
			set = unix.TimerfdSettime(int(fd), 0, &unix.ItimerSpec{Value: unix.NsecToTimespec(int64(d))}, nil)
		})
		if err != nil || set != nil {
			return false
		}
		var fired [8]byte
		if _, err := s.file.Read(fired[:]); err != nil {
			return false
		}
	}
}

func (s *fdSleeper) close() { s.file.Close() }
