package bench

import "fmt"

// Panic is the error of a function that panicked.
type Panic struct{ Value any }

func (p *Panic) Error() string { return fmt.Sprintf("panic: %v", p.Value) }

// Try calls f, which may call a codec, and returns a panic as a *Panic.
func Try(f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = &Panic{p}
		}
	}()
	return f()
}
