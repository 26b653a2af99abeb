package realtypes

import (
	"fmt"
	"strings"

	"github.com/zmylab/zmy/lab/follow"
	"github.com/zmylab/zmy/lab/realtypes/oracle"
	"github.com/zmylab/zmy/lab/run"
)

// Within is the largest accepted ratio between the median sizes of generated values and documents,
// either way.
const Within = 3

// Spread is the largest accepted ratio of the mean size of generated values to their median size.
const Spread = 5

// judge records which of the lab's claims the report in r.Judged refutes, and which codecs carry
// the type.
func (r *Result) judge(calls map[string]*follow.Calls, measured bool) {
	j := r.Judged
	if calls["fxjson"] != nil {
		r.FxJSON = carried(j.JSON)
	}
	if calls["zmy"] != nil {
		r.ZMY = carried(j.ZMY)
	}
	if !measured {
		return
	}
	r.wrong(j.Broken == "" && !r.Sample.Ranked, "std-json is not ranked on documents that encoding/json reads and writes")
	r.wrong(j.Broken == "" && !r.Default.Ranked, "std-json is not ranked on generated values")
	base := r.Sample.Codecs[run.Baseline]
	if base.Status == run.StatusMeasured {
		r.wrong(j.Kept && base.Value != run.Lossless && base.Value != run.Ordinary, "std-json is called %s on documents that it keeps",
			base.Value)
		r.wrong(j.Lossy && base.Value != run.Lossy, "std-json is called %s on documents of which it loses a part", base.Value)
	}
	for _, side := range []*Lab{&r.Default, &r.Sample} {
		fx, zmy := side.Codecs["fxjson"], side.Codecs["zmy"]
		if calls["fxjson"] != nil && fx.Status == run.StatusMeasured {
			r.wrong(len(j.JSON.Wrong) == 0 && fx.Contract == run.Broken, "fxjson is called %s (%s), the judge finds no difference",
				fx.Contract, fx.Why)
			r.wrong(j.JSON.Sample && fx.Contract == run.Kept && side == &r.Sample, "fxjson is called KEPT on documents that it writes differently")
		}
		if calls["zmy"] != nil && zmy.Status == run.StatusMeasured {
			r.wrong(!j.ZMY.Lossy && zmy.Value == run.Lossy, "zmy is called %s (%s), the judge finds nothing lost", zmy.Value, zmy.Why)
			r.wrong(j.ZMY.Sample && zmy.Value != run.Lossy && side == &r.Sample, "zmy is called %s on documents of which it loses a part", zmy.Value)
		}
	}
}

func (r *Result) wrong(is bool, format string, args ...any) {
	if is {
		r.Wrong = append(r.Wrong, fmt.Sprintf(format, args...))
	}
}

func carried(f oracle.Found) Adopted {
	switch {
	case len(f.Wrong) > 0:
		return Adopted{Why: f.Wrong[0]}
	case len(f.Left) > 0:
		return Adopted{Why: "it leaves out, as it says, what encoding/json keeps: " + f.Left[0]}
	}
	return Adopted{Carried: true}
}

// Ratio returns the median size of generated values ÷ that of the documents, or 0 if one of them is
// unknown.
func (r *Result) Ratio() float64 {
	if r.Default.Median == 0 || r.Sample.Median == 0 {
		return 0
	}
	return r.Default.Median / r.Sample.Median
}

// Sized reports whether generated values are about as large as documents, and none of them is so
// large that the mean is far from the median.
func (r *Result) Sized() bool {
	x := r.Ratio()
	return x > 0 && x <= Within && x >= 1.0/Within && r.Default.Mean <= Spread*r.Default.Median
}

// oneLine shortens a reason for a table.
func oneLine(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	s = strings.ReplaceAll(s, "|", "\\|")
	if r := []rune(s); len(r) > 160 {
		return string(r[:160]) + "…"
	}
	return s
}
