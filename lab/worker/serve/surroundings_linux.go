package serve

import (
	"bytes"
	"iter"
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
	for task, f := range threads() {
		if len(f) > 38 {
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

// threads yields the folder of each thread of this process, with the fields of its file stat from
// field 3 on: see proc_pid_stat(5).
func threads() iter.Seq2[string, []string] {
	tasks, _ := filepath.Glob("/proc/self/task/*") // the pattern is well-formed
	return func(yield func(string, []string) bool) {
		for _, task := range tasks {
			stat, err := os.ReadFile(filepath.Join(task, "stat"))
			if err != nil {
				continue // the thread has ended
			}
			// The name in field 2, in brackets, may contain blanks.
			if !yield(task, strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))) {
				return
			}
		}
	}
}

// waiting reports whether a thread of this process other than the calling one runs, or waits for a
// processor.
func waiting() bool {
	running := 0
	for _, f := range threads() {
		if len(f) > 0 && f[0] == "R" {
			running++
		}
	}
	return running > 1
}
