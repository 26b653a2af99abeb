package harness

import "testing"

// TestStalled: only a stack that waits for other threads is the runtime's own; a codec
// that loops or sleeps is at fault itself.
func TestStalled(t *testing.T) {
	for output, want := range map[string]bool{
		"goroutine 1 gp=0x31187e70e1e0 m=0 mp=0x741060 [stopping the world]:\nruntime.systemstack_switch()\n": true,
		"goroutine 1 gp=0xc000002380 m=nil [sleep]:\ntime.Sleep(0x3b9aca00)\n":                                false,
		"goroutine 1 gp=0xc000002380 m=0 mp=0x5 [running]:\nmain.f()\n\tit says [stopping the world\n":        false,
		"": false,
	} {
		if got := (&Dead{Output: output}).Stalled(); got != want {
			t.Errorf("%q: %t", output, got)
		}
	}
}
