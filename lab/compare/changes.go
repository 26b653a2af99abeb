package compare

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/lab/stats"
)

// Change is a difference between the runs other than times.
type Change struct {
	What, A, B string
	Mark       string // bad: it speaks against a comparison; doubt: a reader must know it
}

// sameHost reports whether two runs took place on machines with the same description.
func sameHost(a, b run.Host) bool {
	return a.OS == b.OS && a.Arch == b.Arch && a.CPU == b.CPU && a.Cores == b.Cores && a.Virtual == b.Virtual && near(a.MemBytes, b.MemBytes)
}

// near reports whether two sizes of memory differ by at most 5%, as kernels reserve different
// amounts.
func near(a, b int64) bool {
	d := a - b
	return max(d, -d)*20 <= max(a, b)
}

// changes lists what differs between the runs apart from times. Differences of the machine speak
// against any comparison; differences of the values or of the Go version must be known to a reader.
func changes(a, b *run.Run) []Change {
	var out []Change
	add := func(mark, what, x, y string) {
		if x != y {
			out = append(out, Change{what, cmp.Or(x, "–"), cmp.Or(y, "–"), mark})
		}
	}
	ha, hb := a.Host, b.Host
	add("bad", "system", ha.OS+"/"+ha.Arch, hb.OS+"/"+hb.Arch)
	add("bad", "processor", ha.CPU, hb.CPU)
	add("bad", "cores", fmt.Sprint(ha.Cores), fmt.Sprint(hb.Cores))
	add("bad", "hypervisor", ha.Virtual, hb.Virtual)
	add("doubt", "GOMAXPROCS", fmt.Sprint(ha.Procs), fmt.Sprint(hb.Procs))
	add("doubt", "pinned", fmt.Sprint(ha.Pinned), fmt.Sprint(hb.Pinned))
	add("doubt", "Go", ha.Go, hb.Go)
	add("doubt", "Go's environment", ha.Flags, hb.Flags)
	add("", "tool", a.Tool, b.Tool)
	add("doubt", "seed of the values", fmt.Sprint(a.Seed), fmt.Sprint(b.Seed))
	add("doubt", "source of the values", a.Subject.Source, b.Subject.Source)
	add("doubt", "number of values", fmt.Sprint(a.Subject.Values), fmt.Sprint(b.Subject.Values))
	add("doubt", "fields of the type", fmt.Sprint(a.Subject.Fields), fmt.Sprint(b.Subject.Fields))
	add("", "launches × rounds", fmt.Sprintf("%d × %d", a.Noise.Launch, a.Noise.Rounds),
		fmt.Sprintf("%d × %d", b.Noise.Launch, b.Noise.Rounds))
	add("", "ranked by", a.Clock, b.Clock)
	for _, name := range names(a, b) {
		x, y := stats.Contender(a, name), stats.Contender(b, name)
		add("", name, status(x), status(y))
		if x == nil || y == nil {
			continue
		}
		add("", name+" modules", modules(x), modules(y))
		add("doubt", name+" contract", x.Contract.Grade, y.Contract.Grade)
		add("doubt", name+" values", x.Value.Grade, y.Value.Grade)
	}
	return out
}

func names(a, b *run.Run) []string {
	var out []string
	for _, r := range []*run.Run{a, b} {
		for _, c := range r.Contenders {
			if !slices.Contains(out, c.Name) {
				out = append(out, c.Name)
			}
		}
	}
	return out
}

func status(c *run.Contender) string {
	if c == nil {
		return "not there"
	}
	return c.Status
}

func modules(c *run.Contender) string {
	var out []string
	for _, m := range c.Modules {
		out = append(out, m.Path+"@"+m.Version)
	}
	return strings.Join(out, " ")
}

// warn adds what a reader of the comparison must know.
func (x *Result) warn(o Options) {
	add := func(format string, args ...any) { x.Warnings = append(x.Warnings, fmt.Sprintf(format, args...)) }
	same := sameHost(x.A.Host, x.B.Host)
	switch {
	case !same && o.Across:
		add("these runs come from two machines: what differs may be the machines and not the code")
	case !same:
		add("these runs come from two machines (see below): nothing is called faster or slower. Measure both on one, or say -across " +
			"to have the ratios judged nevertheless")
	}
	if x.A.Host.Go != x.B.Host.Go || x.A.Host.Flags != x.B.Host.Flags {
		add("Go or its environment changed: encoding/json, which the ratios relate to, may have changed with it")
	}
	if x.A.Seed != x.B.Seed || x.A.Subject.Values != x.B.Subject.Values {
		add("the values differ: repeat one run with the other's -seed and -n")
	}
	if x.A.Subject.Fields != x.B.Subject.Fields {
		add("the type changed between the runs: it had %d fields and has %d", x.A.Subject.Fields, x.B.Subject.Fields)
	}
	if x.A.Partial || x.B.Partial {
		add("a run was stopped early: its figures stand on less than planned")
	}
	if x.A.Clock != x.B.Clock {
		add("one run stands on %s time, the other on %s time; compared is %s time", stats.ClockName(x.A.Clock), stats.ClockName(x.B.Clock),
			stats.ClockName(x.Clock))
	}
	if x.Floor > 0.05 {
		add("the noise floor is ±%.0f%%: smaller changes prove nothing", 100*x.Floor)
	}
}
