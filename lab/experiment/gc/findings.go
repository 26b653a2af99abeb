package gc

import (
	"fmt"

	"github.com/zmylab/zmy/lab/quantity"
	"github.com/zmylab/zmy/lab/run"
)

// alarm is the share of CPU time in runtime.mallocgc beyond which a finding advises to reduce
// allocations first.
const alarm = 0.35

// findings returns sentences with the conclusions from the readings.
func findings(res *Result) (out []string) {
	out = append(out, alarms(res)...)
	for _, op := range []string{"encode", "decode"} {
		if s := reuse(res, op); s != "" {
			out = append(out, s)
		}
		if s := quiet(res, op); s != "" {
			out = append(out, s)
		}
	}
	if s := cost(res); s != "" {
		out = append(out, s)
	}
	if s := heap(res); s != "" {
		out = append(out, s)
	}
	return out
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
		if f, r := res.row(a.Codec, a.Op, fresh), res.row(a.Codec, a.Op, reused); f != nil && r != nil &&
			r.median(bytesPer) < 0.7*f.median(bytesPer) {
			if a.Op == "encode" {
				advice = fmt.Sprintf("keep the buffer (mode %s allocates %s instead of %s an operation)", r.Mode, quantity.Bytes(r.median(bytesPer)),
					quantity.Bytes(f.median(bytesPer)))
			} else {
				advice = fmt.Sprintf("decode into a value that is used again (mode %s allocates %s instead of %s an operation)", r.Mode,
					quantity.Bytes(r.median(bytesPer)), quantity.Bytes(f.median(bytesPer)))
			}
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
	best, saved := "", 1.0
	for _, c := range res.Codecs {
		f, r := res.row(c, op, fresh), res.row(c, op, reused)
		if f == nil || r == nil || f.median(bytesPer) == 0 {
			continue
		}
		if s := r.median(bytesPer) / f.median(bytesPer); best == "" || s < saved {
			best, saved = c, s
		}
	}
	if best == "" || saved > 0.9 {
		return ""
	}
	f, r := res.row(best, op, fresh), res.row(best, op, reused)
	cycles := ""
	if f.cycles() > 0 {
		cycles = fmt.Sprintf(", %.0f collections instead of %.0f per 100,000", r.cycles(), f.cycles())
	}
	return fmt.Sprintf("Reuse saves most in %s's %s: %s instead of %s an operation%s, %s of the CPU time.", best, op,
		quantity.Bytes(r.median(bytesPer)), quantity.Bytes(f.median(bytesPer)), cycles, quantity.Share(r.median(cpuPer)/f.median(cpuPer)))
}

// quiet names the codec that leaves the least garbage in mode fresh, compared with the baseline.
func quiet(res *Result, op string) string {
	base := res.row(run.Baseline, op, fresh)
	best, least := "", 0.0
	for _, c := range res.Codecs {
		if r := res.row(c, op, fresh); r != nil && (best == "" || r.median(bytesPer) < least) {
			best, least = c, r.median(bytesPer)
		}
	}
	if base == nil || best == "" || best == run.Baseline || base.median(bytesPer) == 0 {
		return ""
	}
	return fmt.Sprintf("The least garbage of a fresh %s is that of %s: %s an operation, %s of what %s leaves.", op, best,
		quantity.Bytes(least), quantity.Share(least/base.median(bytesPer)), run.Baseline)
}

// cost names the codec that gains most when the collector is off: that gain is the price of its
// garbage.
func cost(res *Result) string {
	most, share, what := "", 0.0, ""
	for _, c := range res.Codecs {
		for _, op := range []string{"encode", "decode"} {
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

// heap says what a large heap does to the longest pause.
func heap(res *Result) string {
	small, large := 0.0, 0.0
	for _, r := range res.Rows {
		for i := range r.Reading {
			switch {
			case under(Heavy)(r):
				large = max(large, r.Reading[i].PauseMax)
			case fresh(r):
				small = max(small, r.Reading[i].PauseMax)
			}
		}
	}
	if small == 0 || large == 0 {
		return ""
	}
	return fmt.Sprintf("The longest stop of the world was %s by default and %s beside %d MiB of linked objects.", quantity.Time(small),
		quantity.Time(large), res.Retain)
}
