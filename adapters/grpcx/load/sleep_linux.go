package load

import (
	"os"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// fdSleeper waits with a timerfd. The runtime's poller waits for the timerfd itself, so a sleep
// ends only some fifty microseconds late and needs no extra thread.
type fdSleeper struct {
	file *os.File
	raw  syscall.RawConn
}

func newSleeper() sleeper {
	fd, err := unix.TimerfdCreate(unix.CLOCK_MONOTONIC, unix.TFD_NONBLOCK|unix.TFD_CLOEXEC)
	if err != nil {
		return newTimerSleeper() // no file descriptor is left: less exact, but still correct
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
