//go:build race

package poison

import "runtime"

// On reports whether pools overwrite the memory that they take back.
const On = true

// apart runs f in another goroutine and waits for it. The wait is hidden from the race detector. So
// accesses of f count as unordered with later accesses of the caller.
func apart(f func()) {
	done := make(chan struct{})
	go func() {
		f()
		runtime.RaceDisable()
		close(done)
		runtime.RaceEnable()
	}()
	runtime.RaceDisable()
	<-done
	runtime.RaceEnable()
}
