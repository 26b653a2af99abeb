package sim

import (
	"os"
	"strings"
	"testing"

	"github.com/zmylab/zmy/adapters/grpcx/degrade"
)

func TestScripts(t *testing.T) {
	if n := len(Scripts()); n != 10 {
		t.Fatalf("%d scripts, want 10", n)
	}
	for _, s := range Scripts() {
		t.Run(s.Name, func(t *testing.T) {
			r, err := Play(s)
			if err != nil {
				t.Fatal(err)
			}
			if r.Final != s.End || len(r.Changes) != s.Events || (len(r.Refusal) > 0) != s.Refused {
				t.Errorf("ends %v after %d changes, refused %t; want %v, %d, %t", r.Final, len(r.Changes),
					len(r.Refusal) > 0, s.End, s.Events, s.Refused)
				for _, e := range append(r.Changes, r.Refusal...) {
					t.Log(At(e), e)
				}
			}
			checkHolds(t, r)
		})
	}
}

// checkHolds asserts what must hold whatever the script: a hold lasts a minute at
// least, and the primary is taken back by way of 1%, 10% and 100%.
func checkHolds(t *testing.T, r Run) {
	t.Helper()
	for i, e := range r.Changes[min(1, len(r.Changes)):] {
		before := r.Changes[i]
		if before.To == degrade.Fallback {
			if e.To != degrade.HalfOpen || e.Share != 0.01 {
				t.Errorf("after the fallback: %v", e)
			}
			if held := e.Time.Sub(before.Time); held < degrade.MinHold {
				t.Errorf("held %v only", held)
			}
		}
		if before.To == degrade.HalfOpen && e.To == degrade.Primary && before.Share != 1 &&
			!strings.Contains(e.Cause, "the fallback no less") {
			t.Errorf("primary taken back after trials on %g: %v", before.Share, e)
		}
		if before.To == degrade.HalfOpen && e.To == degrade.HalfOpen && e.Share <= before.Share {
			t.Errorf("steps go back: %v after %v", e, before)
		}
	}
}

func TestSame(t *testing.T) {
	s := Scripts()[3]
	a, err := Play(s)
	if err != nil {
		t.Fatal(err)
	}
	b, err := Play(s)
	if err != nil {
		t.Fatal(err)
	}
	for i := range a.Seconds {
		if a.Seconds[i] != b.Seconds[i] {
			t.Fatalf("second %d differs between two runs", i)
		}
	}
}

// TestPicture compares the picture in the documents with what is drawn now.
func TestPicture(t *testing.T) {
	const file = "../../../../docs/perf/grpc-degrade.svg"
	runs, err := PlayAll()
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if SVG(runs) != string(want) {
		t.Error("docs/perf/grpc-degrade.svg is not what is drawn now: run make degrade-plots")
	}
}
