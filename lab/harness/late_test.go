package harness

import (
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// TestLateness: a worker that waits for a processor is not late, one that sleeps or computes is.
func TestLateness(t *testing.T) {
	for _, c := range []struct {
		name  string
		share float64       // of the time in which its threads wait for a processor
		late  time.Duration // after which it is given up
		says  string
	}{
		{"idle machine", 0, 30 * time.Second, "no answer within 30s"},
		{"a third of a processor", 2. / 3, 90 * time.Second, "no answer within 30s"},
		{"many threads wait", 5, 300 * time.Second, "no answer within 5m0s, most of which its threads waited for a processor: this " +
			"machine is too busy"},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				start := time.Now()
				l := &lateness{limit: 30 * time.Second, start: start, waited: func() time.Duration {
					return time.Duration(c.share * float64(time.Since(start)))
				}}
				for l.why() == "" {
					time.Sleep(l.next())
				}
				if passed := time.Since(start); passed < c.late-time.Second || passed > c.late+time.Second || l.why() != c.says {
					t.Errorf("given up after %s, want %s: %q", passed, c.late, l.why())
				}
			})
		})
	}
}

// TestWaitedForProcessor: of two processes on one processor, which never rest, each waits half of
// the time.
func TestWaitedForProcessor(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("needs /proc")
	}
	if text, err := os.ReadFile("/proc/self/schedstat"); err != nil || strings.HasPrefix(string(text), "0 0 ") {
		t.Skip("this kernel does not count how long threads wait")
	}
	var busy []*exec.Cmd
	for range 2 {
		cmd := exec.Command("sh", "-c", "while :; do :; done")
		if err := StartOn(cmd, []int{0}); err != nil {
			t.Skip(err)
		}
		t.Cleanup(func() {
			_ = cmd.Process.Kill()
			_ = cmd.Wait()
		})
		busy = append(busy, cmd)
	}
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
		if waitedForProcessor(busy[0].Process.Pid) > 50*time.Millisecond && waitedForProcessor(busy[1].Process.Pid) > 50*time.Millisecond {
			return
		}
		if time.Now().After(deadline) {
			t.Fatal("neither has waited")
		}
	}
}
