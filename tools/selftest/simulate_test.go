package selftest

import (
	"strings"
	"testing"

	"github.com/zmylab/zmy/lab/run"
)

// TestSimulated: every simulated row holds, and a row on waiting sees a codec that sleeps.
func TestSimulated(t *testing.T) {
	b := &bench{o: Options{Seed: 3, Quick: true, Done: func(Row) {}}}
	if err := simulated(t.Context(), b); err != nil {
		t.Fatal(err)
	}
	if len(b.rows) != 4 {
		t.Errorf("%d rows", len(b.rows))
	}
	for _, r := range b.rows {
		t.Logf("%+v", r)
		if r.Outcome != Pass {
			t.Errorf("%+v", r)
		}
	}
	r := &run.Run{Contenders: []*run.Contender{{Rankless: "encode waits: 9.0× more"}, {Rankless: "contract broken"}, {}}}
	if waiting(r) != 1 || !strings.Contains(r.Contenders[0].Rankless, " waits: ") {
		t.Errorf("%d waiting", waiting(r))
	}
}
