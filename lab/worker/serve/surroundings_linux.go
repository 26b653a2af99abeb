package serve

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// surroundings lists what the process has set outside the Go runtime: priority and policy of
// threads, the processors that they may use, and whether there are child processes.
func surroundings() []string {
	var out []string
	see := func(text string) {
		if !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	tasks, err := filepath.Glob("/proc/self/task/*")
	if err != nil {
		return nil
	}
	for _, task := range tasks {
		stat, err := os.ReadFile(filepath.Join(task, "stat"))
		if err != nil {
			continue // the thread has ended
		}
		// The name, in brackets, may contain blanks, so fields are split after it; the first of
		// these is field 3.
		if f := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:])); len(f) > 38 {
			see("nice " + f[16])
			see("scheduling policy " + f[38])
		}
		if status, err := os.ReadFile(filepath.Join(task, "status")); err == nil {
			for line := range strings.Lines(string(status)) {
				if name, list, ok := strings.Cut(line, ":"); ok && name == "Cpus_allowed_list" {
					see("processors " + strings.TrimSpace(list))
				}
			}
		}
		if children, err := os.ReadFile(filepath.Join(task, "children")); err == nil && len(strings.TrimSpace(string(children))) > 0 {
			see("child processes")
		}
	}
	var ended syscall.Rusage // of child processes that were waited for
	if syscall.Getrusage(syscall.RUSAGE_CHILDREN, &ended) == nil && ended.Maxrss > 0 {
		see("child processes")
	}
	slices.Sort(out)
	return out
}

// waiting reports whether a thread of this process other than the calling one runs, or waits for a
// processor.
func waiting() bool {
	tasks, err := filepath.Glob("/proc/self/task/*")
	if err != nil {
		return false
	}
	running := 0
	for _, task := range tasks {
		if stat, err := os.ReadFile(filepath.Join(task, "stat")); err == nil {
			if f := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:])); len(f) > 0 && f[0] == "R" {
				running++
			}
		}
	}
	return running > 1
}
