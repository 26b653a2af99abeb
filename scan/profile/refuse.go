package profile

import (
	"fmt"
	"slices"
	"strings"

	"github.com/google/pprof/profile"
)

// Error says why a profile cannot be used, and what to do.
type Error struct {
	Source string
	What   string
	Next   string // may be ""
}

func (e *Error) Error() string {
	s := "profile " + e.Source + ": " + e.What
	if e.Next != "" {
		s += "; " + e.Next
	}
	return s
}

func refuse(source, what, next string) error { return &Error{source, what, next} }

// howToTake says how a profile is taken.
func howToTake(kind Kind) string {
	if kind == Alloc {
		return "take one by: curl -o heap.pprof 'http://HOST:PORT/debug/pprof/allocs'"
	}
	return "take one under load by: curl -o cpu.pprof 'http://HOST:PORT/debug/pprof/profile?seconds=30'"
}

// wrongKind returns the error for a profile that has no values of the kind.
func wrongKind(p *profile.Profile, source string, want Kind) error {
	var have []string
	for _, t := range p.SampleType {
		have = append(have, t.Type)
	}
	has := func(name string) bool { return slices.Contains(have, name) }
	switch {
	case want == CPU && (has("alloc_space") || has("inuse_space")):
		return refuse(source, "it is a heap profile, not a CPU profile", "give it as -heap, and a CPU profile as -cpu")
	case want == Alloc && (has("cpu") || has("samples")):
		return refuse(source, "it is a CPU profile, not a heap profile", "give it as -cpu; "+howToTake(Alloc))
	case want == Alloc && has("inuse_space"):
		return refuse(source, "it has only the memory in use, not what was allocated", howToTake(Alloc))
	case has("contentions") || has("delay"):
		return refuse(source, "it is a profile of waiting (block or mutex)", howToTake(want))
	case has("goroutine"):
		return refuse(source, "it is a profile of goroutines", howToTake(want))
	}
	return refuse(source, fmt.Sprintf("it has no %s values, only %s", map[Kind]string{CPU: "CPU", Alloc: "allocation"}[want],
		strings.Join(have, ", ")), howToTake(want))
}

// MinSamples is the least number of samples for a prediction. A site of 1% then has about ten samples,
// and its share is uncertain by a third.
const MinSamples = 1000

// Check returns an error if the profile has nothing to say about the code base: no samples, no names, or
// those of another program.
func (a *Attribution) Check(modules []string) error {
	p := a.Profile
	total := 0.0
	for _, s := range p.Samples {
		total += s.N
	}
	what := map[Kind]string{CPU: "CPU", Alloc: "allocation"}[p.Kind]
	switch {
	case total == 0:
		return refuse(p.Source, "it has no "+what+" samples: the program was idle, or it was stopped before the profile was",
			howToTake(p.Kind))
	case p.Nameless > total/2:
		return refuse(p.Source, fmt.Sprintf("%.0f%% of its samples have no function names: the symbols are missing", 100*p.Nameless/total),
			"add them by: go tool pprof -proto BINARY "+p.Source+" > named.pprof")
	case a.Known.Sum == 0:
		return refuse(p.Source, "no function of "+strings.Join(modules, ", ")+" is in it: it is of another program"+a.others(),
			"name the packages of the program that was profiled, or profile this one")
	}
	return nil
}

// others names the modules that have the most samples, to tell which program a profile is of.
func (a *Attribution) others() string {
	by := map[string]float64{}
	for _, s := range a.Profile.Samples {
		seen := ""
		for _, f := range s.Stack { // the outermost is nearest to main
			if pkg := pkgOf(f.Func); pkg != "" && !standard(pkg) {
				seen = pkg
				if pkg == "main" {
					seen = "main, " + f.File
				}
			}
		}
		if seen != "" {
			by[seen] += s.N
		}
	}
	best := ""
	for name, n := range by {
		if best == "" || n > by[best] || n == by[best] && name < best {
			best = name
		}
	}
	if best == "" {
		return ""
	}
	return " (its outermost package is " + best + ")"
}

// Few returns a warning if most samples are of other code, or "".
func (a *Attribution) Few() string {
	if share := a.Known.Sum / a.Profile.Total.Sum; share < 0.05 && a.Collector.Sum < a.Profile.Total.Sum/2 {
		return fmt.Sprintf("only %.1f%% of the samples of %s have a function of the code base on their stack: is it a profile of this program?",
			100*share, a.Profile.Source)
	}
	return ""
}
