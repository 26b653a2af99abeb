package nano

import (
	"strings"
	"testing"
)

func TestTraceparent(t *testing.T) {
	const id, parent = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
	for _, c := range []struct {
		in string
		ok bool
	}{
		{"00-" + id + "-" + parent + "-01", true},
		{"cc-" + id + "-" + parent + "-01", true},
		{"cc-" + id + "-" + parent + "-01-what-comes", true},
		{"00-" + id + "-" + parent + "-01-what-comes", false},
		{"cc-" + id + "-" + parent + "-01x", false},
		{"ff-" + id + "-" + parent + "-01", false},
		{"00-" + strings.ToUpper(id) + "-" + parent + "-01", false},
		{"00-" + strings.Repeat("0", 32) + "-" + parent + "-01", false},
		{"00-" + id + "-" + strings.Repeat("0", 16) + "-01", false},
		{"00-" + id + "-" + parent + "-0", false},
		{"00-" + id + "-" + parent + "-0g", false},
		{"", false},
	} {
		got, ok := parseTraceparent(c.in)
		if ok != c.ok || ok && got != id {
			t.Errorf("%q: %q, %v", c.in, got, ok)
		}
	}
	if a, b := traceOf(nil), traceOf([]string{"x"}); len(a) != 32 || a == b || !lowerHex(a) {
		t.Errorf("made up: %q %q", a, b)
	}
}
