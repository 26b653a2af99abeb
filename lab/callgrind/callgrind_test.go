package callgrind

import (
	"strings"
	"testing"
)

func TestTotals(t *testing.T) {
	got, err := totals(strings.NewReader("# callgrind format\nevents: Ir Dr Dw\nfn=(1) x\n1 5 2 1\ntotals: 123456 700 80\n"))
	if err != nil || got["Ir"] != 123456 || got["Dw"] != 80 {
		t.Errorf("%v, %v", got, err)
	}
	for _, text := range []string{"", "events: Ir\n", "events: Ir\ntotals: x\n", "totals: 5\n", "events: Ir\ntotals: 0\n"} {
		if got, err := totals(strings.NewReader(text)); err == nil {
			t.Errorf("%q was read as %v", text, got)
		}
	}
}
