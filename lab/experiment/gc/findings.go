package gc

import (
	"fmt"

	"github.com/zmylab/zmy/lab/experiment"
	"github.com/zmylab/zmy/lab/quantity"
	"github.com/zmylab/zmy/lab/run"
)

// alarm is the share of CPU time in runtime.mallocgc beyond which a finding advises to reduce
// allocations first.
const alarm = 0.35

// findings returns sentences with the conclusions from the readings.
func findings(res *Result) (out []string) {
	out = alarms(res)
	for _, op := range experiment.Ops {
		out = append(out, reuse(res, op), quiet(res, op))
	}
	return append(out, cost(res), heap(res))
}

// alarms names the operations that spend more than the share alarm on memory, and says what helps.
func alarms(res *Result) (out []string) {
	calm := len(res.Alloc) > 0
	for _, a := range res.Alloc {
		if a.Samples < few {
			calm = false
			continue
		}
		if a.Malloc <= alarm {
			continue
		}
		calm = false
		advice := "take a codec that allocates less"
		f, r := res.row(a.Codec, a.Op, fresh), res.row(a.Codec, a.Op, reused)
		if f != nil && r != nil && r.bytes() < 0.7*f.bytes() {
			how := map[string]string{"encode": "keep the buffer", "decode": "decode into a value that is used again"}
			advice = fmt.Sprintf("%s (mode %s allocates %s instead of %s an operation)", how[a.Op], r.Mode, quantity.Bytes(r.bytes()),
				quantity.Bytes(f.bytes()))
		}
		out = append(out, fmt.Sprintf("%s spends %s of its %s time in runtime.mallocgc: %s.", a.Codec, quantity.Share(a.Malloc), a.Op, advice))
	}
	if calm {
		out = append(out, fmt.Sprintf("No codec spends more than %s of its time in runtime.mallocgc.", quantity.Share(alarm)))
	}
	return out
}

// reuse names the codec that saves most by reuse, and how much it saves.
func reuse(res *Result, op string) string {
	best, _ := experiment.Extremes(res.Codecs, func(c string) (float64, bool) {
		f, r := res.row(c, op, fresh), res.row(c, op, reused)
		if f == nil || r == nil || f.bytes() == 0 {
			return 0, false
		}
		return r.bytes() / f.bytes(), true
	})
	if best.Name == "" || best.Value > 0.9 {
		return ""
	}
	f, r := res.row(best.Name, op, fresh), res.row(best.Name, op, reused)
	cycles := ""
	if f.cycles() > 0 {
		cycles = fmt.Sprintf(", %.0f collections instead of %.0f per 100,000", r.cycles(), f.cycles())
	}
	return fmt.Sprintf("Reuse saves most in %s's %s: %s instead of %s an operation%s, %s of the CPU time.", best.Name, op,
		quantity.Bytes(r.bytes()), quantity.Bytes(f.bytes()), cycles, quantity.Share(r.median(cpuPer)/f.median(cpuPer)))
}

// quiet names the codec that leaves the least garbage in mode fresh, compared with the baseline.
func quiet(res *Result, op string) string {
	base := res.row(run.Baseline, op, fresh)
	best, _ := experiment.Extremes(res.Codecs, func(c string) (float64, bool) {
		if r := res.row(c, op, fresh); r != nil {
			return r.bytes(), true
		}
		return 0, false
	})
	if base == nil || best.Name == "" || best.Name == run.Baseline || base.bytes() == 0 {
		return ""
	}
	return fmt.Sprintf("The least garbage of a fresh %s is that of %s: %s an operation, %s of what %s leaves.", op, best.Name,
		quantity.Bytes(best.Value), quantity.Share(best.Value/base.bytes()), run.Baseline)
}

// cost names the codec that gains most when the collector is off. Its gain is the price of its
// garbage.
func cost(res *Result) string {
	most, share, what := "", 0.0, ""
	for _, c := range res.Codecs {
		for _, op := range experiment.Ops {
			d, off := res.row(c, op, fresh), res.row(c, op, under(Off))
			if d == nil || off == nil || off.estimate(cpuPer).Hi >= d.estimate(cpuPer).Lo {
				continue // their ranges overlap
			}
			if s := 1 - off.median(cpuPer)/d.median(cpuPer); s > share {
				most, share, what = c, s, op
			}
		}
	}
	if most == "" {
		return "Turning the collector off saves no codec CPU time beyond the noise: its garbage is cheap at this heap size."
	}
	return fmt.Sprintf("Garbage costs most in %s's %s: without the collector it takes %s less CPU time.", most, what, quantity.Share(share))
}

// heap compares the longest pause with a large heap and without one.
func heap(res *Result) string {
	small, large := 0.0, 0.0
	for _, r := range res.Rows {
		switch {
		case under(Heavy)(r):
			large = max(large, r.longest())
		case fresh(r):
			small = max(small, r.longest())
		}
	}
	if small == 0 || large == 0 {
		return ""
	}
	return fmt.Sprintf("The longest stop of the world was %s by default and %s beside %d MiB of linked objects.", quantity.Time(small),
		quantity.Time(large), res.Retain)
}
