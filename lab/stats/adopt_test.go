package stats

import (
	"slices"
	"strings"
	"testing"

	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/lab/run/runtest"
)

// TestNext: what is printed is what was measured: its options, and calls that take
// messages as large as those that were measured.
func TestNext(t *testing.T) {
	r := runtest.Order(runtest.Options{Launches: 1, Rounds: 1})
	for _, c := range []struct {
		codec   string
		largest float64
		want    string
		not     string
	}{
		{"zmy", 4000, "→ zmy.Marshal(v); json.Unmarshal(b, &v) → zmy.Unmarshal(b, &v)", "MaxWire"},
		{"zmy", 128 << 10, "→ zmy.Marshal(v)", "MaxWire"},
		{"zmy", 200_000, "→ zmy.MarshalOptions{MaxWire: 524288}.Marshal(v); json.Unmarshal(b, &v) → zmy.UnmarshalOptions{MaxWire: 524288}.Unmarshal(b, &v)", "MAX}"},
		{"zmy", 4000, "//go:generate zmy gen -derive -type=Order", ""},
		{"cbor", 4000, "cbor: as measured, with enc, err := cbor.EncOptions{", "cbor.Marshal(v)"},
		{"goccy", 4000, "the calls stay", ""},
		{"jsoniter", 4000, "go get github.com/json-iterator/go@", ""},
	} {
		Contender(r, c.codec).Sizes.Max = c.largest
		got := strings.Join(Steps(r, c.codec), "\n")
		if !strings.Contains(got, c.want) || c.not != "" && strings.Contains(got, c.not) {
			t.Errorf("%s of %g bytes: %s", c.codec, c.largest, got)
		}
	}
	z := Contender(r, "zmy")
	z.Adopt = &run.Adopt{Install: "go get -tool a/zmy@VERSION", Generate: "zmy gen -type=TYPE", Marshal: "AppendZMYPairIntInt(nil, &v)", Unmarshal: "UnmarshalZMYPairIntInt(b, &v)"}
	z.Modules = []run.Module{{Path: "a", Version: "v1.2.3"}}
	r.Subject.Type, r.Subject.Derived = "Pair[int, int]", false
	want := []string{"zmy: go get -tool a/zmy@v1.2.3", "zmy: //go:generate zmy gen -type=Pair[int,int]",
		"zmy: json.Marshal(v) → AppendZMYPairIntInt(nil, &v); json.Unmarshal(b, &v) → UnmarshalZMYPairIntInt(b, &v)"}
	if got := Steps(r, "zmy"); !slices.Equal(got, want) {
		t.Errorf("an instance: %q", got)
	}
	if got := Steps(r, "std-json"); got != nil {
		t.Errorf("the baseline: %q", got)
	}
}
