package show

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/zmylab/zmy/scan"
	"github.com/zmylab/zmy/scan/predict"
)

// TestFingerprints: two equal calls in one function are two findings, with the same fingerprints in each scan.
func TestFingerprints(t *testing.T) {
	share := predict.Interval{Point: 0.1, Lo: 0.05, Hi: 0.2}
	site := func(line int, call string) *scan.Site {
		return &scan.Site{File: "a.go", Line: line, Func: "shop.F", Call: call, Action: scan.Measure, To: "fxjson", CPU: &share, GC: &share}
	}
	var before []string
	for move := range 2 {
		r := &scan.Result{Sites: []*scan.Site{site(3+move, "json.Marshal(T)"), site(5+move, "json.Marshal(T)"), site(7+move, "json.Marshal(U)")}}
		var b bytes.Buffer
		if err := SARIF(&b, r); err != nil {
			t.Fatal(err)
		}
		var log struct {
			Runs []struct {
				Results []struct {
					PartialFingerprints map[string]string
				}
			}
		}
		if err := json.Unmarshal(b.Bytes(), &log); err != nil {
			t.Fatal(err)
		}
		var now []string
		seen := map[string]bool{}
		for _, x := range log.Runs[0].Results {
			id := x.PartialFingerprints[fingerprint]
			if id == "" || seen[id] {
				t.Errorf("fingerprint %q is missing or occurs twice", id)
			}
			seen[id] = true
			now = append(now, id)
		}
		for i := range before {
			if before[i] != now[i] {
				t.Errorf("fingerprint %d was %s and is %s after the lines moved", i, before[i], now[i])
			}
		}
		before = now
	}
	if len(before) != 3 {
		t.Errorf("%d findings, want 3", len(before))
	}
}
