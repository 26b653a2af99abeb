package stats

import (
	"slices"
	"strings"
	"testing"

	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/lab/run/runtest"
)

// flat spells steps in one line each.
func flat(steps []run.Step) string {
	var out []string
	for _, s := range steps {
		out = append(out, strings.Join([]string{s.Kind, s.Do, s.File, strings.ReplaceAll(s.Code, "\n", "¶")}, " | "))
	}
	return strings.Join(out, "\n")
}

// TestSteps: the steps are what was measured: its options, and calls that take
// messages as large as those that were measured.
func TestSteps(t *testing.T) {
	r := runtest.Order(runtest.Options{Launches: 1, Rounds: 1})
	for _, c := range []struct {
		codec   string
		largest float64
		want    string
		not     string
	}{
		{"zmy", 4000, `import "github.com/zmylab/zmy"¶¶b, err := zmy.Marshal(v)¶err = zmy.Unmarshal(b, &v)¶`, "MaxWire"},
		{"zmy", 128 << 10, "b, err := zmy.Marshal(v)¶", "MaxWire"},
		{"zmy", 200_000, "zmy.MarshalOptions{MaxWire: 524288}.Marshal(v)¶err = zmy.UnmarshalOptions{MaxWire: 524288}.Unmarshal(b, &v)", "MAX}"},
		{"zmy", 4000, "zmy_generate.go | package order¶¶//go:generate zmy gen -derive -type=Order", ""},
		{"cbor", 4000, "cbor_codec.go | package order¶¶import (¶\t\"github.com/fxamacker/cbor/v2\"¶\t\"reflect\"¶)", "cbor.Marshal(v)"},
		{"goccy", 4000, "the calls stay", ""},
		{"jsoniter", 4000, "go get github.com/json-iterator/go@", ""},
		{"protobuf", 4000, "go get google.golang.org/protobuf@", "hand"},
	} {
		Contender(r, c.codec).Sizes.Max = c.largest
		got := flat(Steps(r, c.codec))
		if !strings.Contains(got, c.want) || c.not != "" && strings.Contains(got, c.not) {
			t.Errorf("%s of %g bytes: %s", c.codec, c.largest, got)
		}
	}
	z := Contender(r, "zmy")
	z.Adopt = &run.Adopt{Install: "go get -tool a/zmy@VERSION", Generate: "zmy gen -type=TYPE",
		Marshal: "AppendZMYPairIntInt(nil, &v)", Unmarshal: "UnmarshalZMYPairIntInt(b, &v)"}
	z.Modules = []run.Module{{Path: "a", Version: "v1.2.3"}}
	r.Subject.Type, r.Subject.Derived = "Pair[int, int]", false
	got := flat(Steps(r, "zmy"))
	for _, want := range []string{"| go get -tool a/zmy@v1.2.3", "//go:generate zmy gen -type=Pair[int,int]",
		"b, err := AppendZMYPairIntInt(nil, &v)¶", "err = UnmarshalZMYPairIntInt(b, &v)¶"} {
		if !strings.Contains(got, want) {
			t.Errorf("an instance: %q lacks %q", got, want)
		}
	}
	if got := Steps(r, "std-json"); got != nil {
		t.Errorf("the baseline: %q", got)
	}
	z.Adopt = &run.Adopt{Install: "go get -tool a/zmy@VERSION", Generate: "go tool zmy -type=TYPE", Marshal: "zmy.Marshal(v)"}
	if got := flat(Steps(r, "zmy")); !strings.Contains(got, "zmy_generate.go") ||
		strings.Index(got, "go mod tidy") < strings.Index(got, "zmy_generate.go") ||
		strings.Index(got, "go mod tidy") > strings.Index(got, "go generate zmy_generate.go") {
		t.Errorf("a tool's go.sum is not completed after the file and before the generator: %s", got)
	}
	z.Adopt = &run.Adopt{Import: "a/b", Manual: "a schema", Marshal: "m.Marshal()"}
	if got := Steps(r, "zmy"); len(got) != 2 || got[1].Kind != run.StepHand || got[1].Code != "" {
		t.Errorf("what is written by hand: %+v", got)
	}
}

// TestForeignSteps: for a type of another module the steps declare one of the user's own,
// and say why not where it would have another form.
func TestForeignSteps(t *testing.T) {
	r := runtest.Order(runtest.Options{Launches: 1, Rounds: 1})
	r.Subject.Foreign, r.Subject.Home, r.Subject.Package, r.Subject.Name, r.Subject.Type = true, "shop", "example.com/events/v2",
		"events.Order", "Order"
	want := "file | Declare a type of your own in your package, and use it in place of events.Order (convert values by Order(x)) " +
		"| order_own.go | " +
		"package shop¶¶import (¶\tevents \"example.com/events/v2\"¶)¶¶//go:generate fxjson -type=Order¶type Order events.Order¶"
	if got := flat(Steps(r, "fxjson")); !strings.Contains(got, want) {
		t.Errorf("%s lacks %s", got, want)
	}
	r.Subject.Own = "OwnOrder" // the package has an Order
	want = "(convert values by OwnOrder(x)) | ownorder_own.go | package shop¶¶import (¶\tevents \"example.com/events/v2\"¶)¶¶" +
		"//go:generate fxjson -type=OwnOrder¶type OwnOrder events.Order¶\nshell | In the folder of that file: " +
		"generate the code, now and after each change of the type |  | go generate ownorder_own.go"
	if got := flat(Steps(r, "fxjson")); !strings.Contains(got, want) {
		t.Errorf("%s lacks %s", got, want)
	}
	r.Subject.Own = ""
	if got := flat(Steps(r, "goccy")); !strings.Contains(got, "the calls stay") || strings.Contains(got, "Declare") {
		t.Errorf("a codec without generated code: %s", got)
	}
	for _, c := range []struct {
		change func(s *run.Subject)
		want   string
	}{
		{func(s *run.Subject) { s.Methods = []string{"MarshalJSON"} }, "would not have its MarshalJSON"},
		{func(s *run.Subject) { s.Type = "Page[Order]" }, "an instance of a generic type"},
		{func(s *run.Subject) { s.Type = "order" }, "not exported"},
	} {
		x := *r
		c.change(&x.Subject)
		if got := Steps(&x, "fxjson"); len(got) != 1 || got[0].Kind != run.StepHand || !strings.Contains(got[0].Do, c.want) {
			t.Errorf("%+v, want %q", got, c.want)
		}
	}
	r.Subject.Home = ""
	if got := flat(Steps(r, "fxjson")); !strings.Contains(got, "order_own.go | import (") {
		t.Errorf("outside of a package: %s", got)
	}
}

// TestOutOfReach: the verdict says of a pick that its code cannot be generated for a type of another
// module, and names the fastest codec that can be taken up.
func TestOutOfReach(t *testing.T) {
	const text = "but no code of it can be generated outside of the type's module (the fastest without: "
	for _, c := range []struct {
		foreign bool
		methods []string
		want    bool
	}{{false, nil, false}, {true, nil, false}, {true, []string{"MarshalJSON"}, true}} {
		r := runtest.Order(runtest.Options{})
		r.Subject.Foreign, r.Subject.Methods = c.foreign, c.methods
		Fill(r)
		if got := strings.Contains(r.Verdict.Sentence, text); got != c.want {
			t.Errorf("foreign %v, methods %v: %s", c.foreign, c.methods, r.Verdict.Sentence)
		}
	}
}

// TestStepsOfPicks: each pick has all of its steps, under what it is the pick for, and what is not
// proven is measured longer.
func TestStepsOfPicks(t *testing.T) {
	r := runtest.Order(runtest.Options{})
	for _, c := range []string{"zmy", "fxjson"} {
		a := *Contender(r, c).Adopt
		a.Install = "clone it\n\ninstall " + c
		Contender(r, c).Adopt = &a
	}
	Fill(r)
	steps := r.Verdict.Steps
	when := map[string]string{"zmy": "Both ends Go", "fxjson": "JSON must stay", "vtprotobuf": "Protobuf must stay"}
	for _, s := range steps {
		if len(s.Codecs) != 1 || s.When != when[s.Codecs[0]] {
			t.Errorf("a step of %v when %q: %s", s.Codecs, s.When, s.Do)
		}
	}
	half := slices.IndexFunc(steps, func(s run.Step) bool { return s.When == "JSON must stay" })
	if half < 1 || strings.Count(flat(steps[:half]), "clone it") != 1 || strings.Count(flat(steps[half:]), "clone it") != 1 {
		t.Errorf("%d steps of the first pick: %s", half, flat(steps))
	}
	wild := runtest.Order(runtest.Options{Launches: 2, Rounds: 3, RoundSD: 3, LaunchSD: 3})
	wild.Depth = "quick"
	Fill(wild)
	steps = wild.Verdict.Steps
	if len(steps) != 1 || !slices.Equal(steps[0].Codecs, wild.Verdict.Undecided) || steps[0].Kind != run.StepShell ||
		!strings.HasPrefix(steps[0].Code, "zmy lab -depth standard -budget ") ||
		!strings.HasSuffix(steps[0].Code, "m -type Order -seed 42 ./order") {
		t.Errorf("undecided %v: %s", wild.Verdict.Undecided, flat(steps))
	}
}

// TestQuieterMachine: where a longer run on this machine would not decide, the step says so, as the
// warning does.
func TestQuieterMachine(t *testing.T) {
	for need, want := range map[float64]string{
		mostLonger: "Measure longer, as gob cannot", mostLonger + 1: "Measure longer on a quieter machine, as gob cannot",
	} {
		r := &run.Run{Command: []string{"zmy", "lab", "-type", "T"}, Budget: 60, Verdict: run.Verdict{Undecided: []string{"gob"}},
			Cells: []*run.Cell{{Codec: "gob", Op: Encode, Mode: Fresh, Need: need}}}
		if got := nextSteps(r); len(got) != 1 || !strings.HasPrefix(got[0].Do, want) {
			t.Errorf("%v times longer: %+v, want %s", need, got, want)
		}
	}
}

// TestLongerThanItTook: how much longer a run is to be is reckoned from the time that its rounds
// took, which is more than a small budget asks for.
func TestLongerThanItTook(t *testing.T) {
	r := &run.Run{Command: []string{"zmy", "lab", "-type", "T", "-budget", "300ms"}, Budget: 0.3,
		Verdict: run.Verdict{Undecided: []string{"gob"}},
		Cells:   []*run.Cell{{Codec: "gob", Op: Encode, Mode: Fresh, Need: 4}}}
	for _, c := range []struct {
		took float64
		want string
	}{{0, "1m"}, {17, "2m"}, {300, "20m"}} {
		r.Measured = c.took
		if got := strings.Join(longerCommand(r), " "); got != "zmy lab -depth standard -budget "+c.want+" -type T" {
			t.Errorf("after %v s: %s", c.took, got)
		}
	}
	for command, want := range map[string]string{
		"zmy lab . -type T":                        "zmy lab . LONGER -type T",
		"zmy lab latency ./p -type T -depth quick": "zmy lab latency ./p LONGER -type T",
		"zmy lab ./p":                              "zmy lab ./p LONGER",
		"go run -tags labonly ./cmd/zmy lab ./p -type T -budget=1s": "go run -tags labonly ./cmd/zmy lab ./p LONGER -type T",
		"go run example.org/zmy@v0.1.0 lab . -type T -budget 10s":   "go run example.org/zmy@v0.1.0 lab . LONGER -type T",
	} {
		r.Command, want = strings.Fields(command), strings.Replace(want, "LONGER", "-depth standard -budget 20m", 1)
		if got := strings.Join(longerCommand(r), " "); got != want {
			t.Errorf("longer than %s: %s, want %s", command, got, want)
		}
	}
}
