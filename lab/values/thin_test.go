package values

import (
	"encoding/json"
	"slices"
	"testing"
)

// pod is shaped like the types of large APIs: wide, deep, and nearly all of it optional.
type pod struct {
	Kind string    `json:"kind,omitempty"`
	Meta podMeta   `json:"metadata"`
	Spec podSpec   `json:"spec,omitempty"`
	Next *podExtra `json:"next,omitempty"`
}

type podMeta struct {
	Name   string            `json:"name,omitempty"`
	UID    string            `json:"uid,omitempty"`
	Labels map[string]string `json:"labels,omitempty"`
	Notes  map[string]string `json:"notes,omitempty"`
	Owners []podExtra        `json:"owners,omitempty"`
}

type podSpec struct {
	Volumes    []podVolume    `json:"volumes,omitempty"`
	Containers []podContainer `json:"containers"`
	Init       []podContainer `json:"init,omitempty"`
	Other      []podContainer `json:"other,omitempty"`
}

type podContainer struct {
	Name    string     `json:"name"`
	Env     []podExtra `json:"env,omitempty"`
	Mounts  []podExtra `json:"mounts,omitempty"`
	Live    *podProbe  `json:"live,omitempty"`
	Ready   *podProbe  `json:"ready,omitempty"`
	Startup *podProbe  `json:"startup,omitempty"`
	Hooks   *podHooks  `json:"hooks,omitempty"`
}

type podHooks struct{ Start, Stop *podProbe }

type podProbe struct {
	Exec *podExtra `json:"exec,omitempty"`
	HTTP *podExtra `json:"http,omitempty"`
	TCP  *podExtra `json:"tcp,omitempty"`
	Min  int       `json:"min,omitempty"`
}

type podExtra struct {
	Key    string   `json:"key,omitempty"`
	Value  string   `json:"value,omitempty"`
	Values []string `json:"values,omitempty"`
	Text   string   `json:"text,omitempty"`
}

type podVolume struct {
	Name                               string    `json:"name"`
	A, B, C, D, E, F, G, H, I, J, K, L *podProbe `json:",omitempty"`
}

// TestPlausibleSize: values of a type with hundreds of optional parts are no larger than a
// program's, few are much larger than the others, and each part is drawn at times.
func TestPlausibleSize(t *testing.T) {
	vals, err := Values[pod](Options{Seed: 1, N: 400})
	if err != nil {
		t.Fatal(err)
	}
	var sizes []int
	total, volumes, hooks := 0, 0, 0
	for _, v := range vals {
		b, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		sizes = append(sizes, len(b))
		total += len(b)
		for _, c := range v.Spec.Containers {
			if c.Hooks != nil {
				hooks++
			}
		}
		for _, x := range v.Spec.Volumes {
			if x.L != nil {
				volumes++
			}
		}
	}
	slices.Sort(sizes)
	median, mean := sizes[200], total/len(vals)
	if median < 300 || median > 2*plausible || mean > 3*median || sizes[399] > 4*mostSpent {
		t.Errorf("median %d, mean %d, largest %d bytes", median, mean, sizes[399])
	}
	if volumes == 0 || hooks == 0 {
		t.Errorf("some parts are never drawn: %d volumes, %d hooks", volumes, hooks)
	}
}

// TestSmallTypesKeepAll: a type whose values are small goes without nothing.
func TestSmallTypesKeepAll(t *testing.T) {
	type small struct {
		ID   string   `json:"id,omitempty"`
		Tags []string `json:"tags,omitempty"`
		Note *string  `json:"note,omitempty"`
	}
	m, err := New[small](1)
	if err != nil || m.thins() {
		t.Errorf("thinning %v, error %v", m.thinning, err)
	}
}

func (m *Maker[T]) thins() bool { return m.keep < 1 }
