package harness

import (
	"os/exec"
	"reflect"
	"runtime"
	"strconv"
	"strings"
	"testing"
)

func TestParseCPUs(t *testing.T) {
	have, err := CPUs()
	if err != nil {
		t.Skip(err)
	}
	last := have[len(have)-1]
	if got, err := ParseCPUs(spellCPUs(have)); err != nil || !reflect.DeepEqual(got, have) {
		t.Errorf("%s: %v, %v", spellCPUs(have), got, err)
	}
	one := strconv.Itoa(last)
	if got, err := ParseCPUs(" " + one + "," + one); err != nil || !reflect.DeepEqual(got, []int{last}) {
		t.Errorf("twice %s: %v, %v", one, got, err)
	}
	for _, list := range []string{"", "x", "-1", "1-", "2-1", "0,,1", strconv.Itoa(last + 1), "0-99999999"} {
		if got, err := ParseCPUs(list); err == nil {
			t.Errorf("%q: %v", list, got)
		}
	}
}

func TestSpellCPUs(t *testing.T) {
	for want, cpus := range map[string][]int{"": nil, "3": {3}, "0-2": {0, 1, 2}, "0,2-3,7": {0, 2, 3, 7}} {
		if got := spellCPUs(cpus); got != want {
			t.Errorf("%v: %s instead of %s", cpus, got, want)
		}
	}
}

// TestStartOn: a process started on one processor sees that one only, and the thread
// that started it keeps its own.
func TestStartOn(t *testing.T) {
	have, err := CPUs()
	if err != nil {
		t.Skip(err)
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	cmd := exec.Command("sh", "-c", "grep Cpus_allowed_list /proc/self/status")
	var out strings.Builder
	cmd.Stdout = &out
	last := have[len(have)-1]
	if err := StartOn(cmd, []int{last}); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	if got := strings.Fields(out.String()); len(got) != 2 || got[1] != strconv.Itoa(last) {
		t.Errorf("started on %d: %q", last, out.String())
	}
	if after, err := CPUs(); err != nil || !reflect.DeepEqual(after, have) {
		t.Errorf("the thread is left with %v, %v", after, err)
	}
}
