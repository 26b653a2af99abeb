package run

import "testing"

func TestPut(t *testing.T) {
	var r Run
	r.Put(&Experiment{Name: "latency", Seconds: 1})
	r.Put(&Experiment{Name: "sweep", Seconds: 2})
	r.Put(&Experiment{Name: "latency", Seconds: 3})
	if len(r.Experiments) != 2 || r.Experiments[0].Seconds != 3 || r.Experiments[1].Name != "sweep" {
		t.Errorf("%d experiments, first took %v s: want the latest of each name at the first one's place", len(r.Experiments),
			r.Experiments[0].Seconds)
	}
}
