//go:build race

package poison

import "runtime"

// On reports whether pools retire what they take back.
const On = true

// apart runs f in a goroutine and returns when f has. The race detector does not see that it
// waited, so it holds whatever the caller accesses next for unordered with the accesses of f.
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
