package site

import (
	"errors"
	"runtime/debug"
	"strings"
	"testing"
)

// TestMemory: Find refuses a code base that does not fit into the limit, says what to do, and leaves
// the limit of the process as it was.
func TestMemory(t *testing.T) {
	dir := unpack(t, good)
	t.Setenv("GOWORK", "off")
	before := debug.SetMemoryLimit(-1)
	_, err := Find(t.Context(), Config{Dir: dir, Memory: 1 << 20})
	if err == nil {
		t.Fatal("a code base was analysed in 1 MiB")
	}
	for _, part := range []string{"more than 1 MiB", "fewer packages", "-tags", "GOMEMLIMIT=2MiB"} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("%q does not say %q", err, part)
		}
	}
	if after := debug.SetMemoryLimit(-1); after != before {
		t.Errorf("the limit was %d and is %d", before, after)
	}
	if _, err := Find(t.Context(), Config{Dir: dir}); err != nil {
		t.Errorf("with the default limit: %v", err)
	}
}

// TestAvailable reads what the system says about memory.
func TestAvailable(t *testing.T) {
	const info, v2, v1 = "/proc/meminfo", "/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"
	for _, c := range []struct {
		name  string
		files map[string]string
		want  int64
	}{
		{"nothing is known", nil, 0},
		{"machine", map[string]string{info: "MemTotal: 99 kB\nMemAvailable:   2048 kB\n"}, 2 << 20},
		{"container without a limit", map[string]string{info: "MemAvailable: 2048 kB\n", v2: "max\n"}, 2 << 20},
		{"container", map[string]string{info: "MemAvailable: 2048 kB\n", v2: "1048576\n"}, 1 << 20},
		{"older container", map[string]string{info: "MemAvailable: 2048 kB\n", v1: "9223372036854771712\n"}, 2 << 20},
		{"damaged", map[string]string{info: "MemAvailable: many\nMemAvailable:\n", v2: "-1"}, 0},
	} {
		got := available(func(name string) ([]byte, error) {
			if text, ok := c.files[name]; ok {
				return []byte(text), nil
			}
			return nil, errors.New("no such file")
		})
		if got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}
