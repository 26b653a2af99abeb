package cpu

import (
	"math"
	"strconv"
	"strings"
)

// Sched summarises what the Go scheduler printed under GODEBUG=schedtrace.
type Sched struct {
	Lines    int     `json:"lines"`
	Procs    float64 `json:"procs"`
	Idle     float64 `json:"idle"`     // processors without work, mean
	Threads  float64 `json:"threads"`  // threads of the operating system, largest
	Spinning float64 `json:"spinning"` // threads that look for work, mean
	Global   float64 `json:"global"`   // goroutines in the global queue, mean
	Local    float64 `json:"local"`    // goroutines in all the processors' queues, summed; mean
	Uneven   float64 `json:"uneven"`   // longest minus shortest of these queues, mean
}

// schedTrace reads lines such as
//
//	SCHED 1009ms: gomaxprocs=2 idleprocs=0 threads=5 spinningthreads=0 … runqueue=3 [1 4]
//
// and skips the program's own output between them.
func schedTrace(text string) (s Sched) {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if !strings.HasPrefix(line, "SCHED ") {
			continue
		}
		head, queues, ok := strings.Cut(line, "[")
		if !ok {
			continue
		}
		f := map[string]float64{}
		for _, w := range strings.Fields(head) {
			if k, v, ok := strings.Cut(w, "="); ok {
				if x, err := strconv.ParseFloat(v, 64); err == nil {
					f[k] = x
				}
			}
		}
		least, most := math.Inf(1), 0.0
		body, _, _ := strings.Cut(queues, "]")
		for _, w := range strings.Fields(body) {
			if x, err := strconv.ParseFloat(w, 64); err == nil {
				least, most, s.Local = min(least, x), max(most, x), s.Local+x
			}
		}
		s.Lines++
		s.Procs, s.Threads = f["gomaxprocs"], max(s.Threads, f["threads"])
		s.Idle += f["idleprocs"]
		s.Spinning += f["spinningthreads"]
		s.Global += f["runqueue"]
		s.Uneven += max(0, most-least)
	}
	if n := float64(s.Lines); n > 0 {
		s.Idle, s.Spinning, s.Global, s.Local, s.Uneven = s.Idle/n, s.Spinning/n, s.Global/n, s.Local/n, s.Uneven/n
	}
	return s
}
