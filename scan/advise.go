package scan

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/zmylab/zmy/lab/quantity"
	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/scan/predict"
	"github.com/zmylab/zmy/scan/profile"
	"github.com/zmylab/zmy/scan/site"
)

// target is the codec that is suggested for JSON: the bytes stay those of encoding/json.
const target = "fxjson"

// jsonCodecs are the codecs of the lab whose JSON fxjson replaces.
var jsonCodecs = []string{run.Baseline, "jsoniter", "goccy", "sonic", "segmentio", "easyjson", "json-v2", "json-v2-std"}

// alternative returns the codec that may be faster at a site, or why there is none to suggest.
func alternative(k *site.Kind) (codec, why string) {
	switch {
	case k.Codec == target:
		return "", "it uses " + target + " already"
	case k.Format == "json" && slices.Contains(jsonCodecs, k.Codec):
		return target, ""
	case k.Format == "json":
		return "", "no codec takes the place of " + k.Codec + " call by call"
	}
	return "", fmt.Sprintf("another codec of %s is another choice of libraries: compare them by zmy lab", k.Format)
}

// operation returns the lab's word for a direction.
func operation(d site.Direction) string {
	if d == site.Unmarshal {
		return "decode"
	}
	return "encode"
}

// advise fills in what to do at a site. work is the share of the site, or 0 if it is not known; saved is
// nil if nothing was measured.
func (s *scanner) advise(x *Site, p *place, saved *predict.Saving) {
	x.Action = Leave
	work := interval(x.CPU).Point + interval(x.GC).Point
	switch {
	case p.alt == "":
		x.Reason = p.why
	case s.cpu != nil && work < s.o.Threshold:
		x.Reason = "below " + quantity.Share(s.o.Threshold) + " of CPU"
	case p.value == nil || p.why != "":
		x.Reason = cmp.Or(p.why, x.Why, "its type is not known")
	case s.res.Refused != "":
		x.Action, x.To, x.Reason = Measure, p.alt, "too few samples to predict"
	case saved == nil:
		x.Action, x.To = Measure, p.alt
		x.Reason = s.unmeasured(p)
	case saved.Saving.Lo <= 0 && x.Ratio.Lo > 1:
		x.Reason = fmt.Sprintf("%s is faster here (%s), and allocates more: it is not proven to save anything", p.alt, times(*x.Ratio))
	case saved.Saving.Lo <= 0:
		x.Reason = fmt.Sprintf("%s is not proven faster here (%s)", p.alt, times(*x.Ratio))
	case saved.Saving.Hi < s.o.Threshold/2:
		x.Reason = "the saving is at most " + quantity.Share(saved.Saving.Hi) + " of CPU"
	default:
		x.Action, x.To = Adopt, p.alt
		x.Reason = times(*x.Ratio) + " as fast"
		if x.Ratio.Lo <= 1 {
			x.Reason += ", and it allocates less"
		}
	}
	switch x.Action {
	case Adopt:
		x.Run = s.o.Adopt + " " + x.To + " " + folder(x.File)
		if s.o.Adopt == "" {
			x.Run = labCommand(p.of)
		}
	case Measure:
		x.Run = labCommand(p.of)
	}
}

// labCommand returns the command whose report measures a type, and says how to adopt a codec.
func labCommand(of subject) string { return "zmy lab " + of.Package + " -type " + quoted(of.Type) }

// unmeasured says why a type has no measurement.
func (s *scanner) unmeasured(p *place) string {
	if m := s.measured[p.of]; m != nil && m.Error != "" {
		return "the lab could not measure it: " + m.Error
	}
	if !s.o.Measure {
		return "not measured"
	}
	return fmt.Sprintf("not among the %d types that were measured", s.o.Top)
}

func interval(i *predict.Interval) predict.Interval {
	if i == nil {
		return predict.Interval{}
	}
	return *i
}

// times spells a ratio with its interval: "2.41× (2.30–2.52)".
func times(r predict.Interval) string {
	return fmt.Sprintf("%.2f× (%.2f–%.2f)", r.Point, r.Lo, r.Hi)
}

// folder returns the package pattern of a file.
func folder(file string) string {
	if i := strings.LastIndexByte(file, '/'); i >= 0 {
		return "./" + file[:i]
	}
	return "."
}

// quoted returns a type as a word of a shell.
func quoted(s string) string {
	if strings.ContainsAny(s, "[]*() ") {
		return "'" + s + "'"
	}
	return s
}

// worthwhile is the share of CPU below which the first line says that the rest need not be read.
const worthwhile = 0.01

// judge writes the verdict.
func (s *scanner) judge() {
	r := s.res
	if s.cpu == nil {
		r.Verdict = fmt.Sprintf("Sites that marshal or unmarshal: %d, with %s. Without a profile it is not known what they cost.",
			r.Found.Sites, plural(r.Found.Types, "type"))
		return
	}
	head := fmt.Sprintf("Serialization takes %s of CPU", quantity.Share(r.All.Point))
	unknown := 0.0 // share of calls of the code base that are not among the sites
	for _, e := range r.Elsewhere {
		if e.Where == profile.InProgram {
			unknown += e.CPU.Point + e.GC.Point
		}
	}
	if unknown >= worthwhile/2 {
		r.Warnings = append(r.Warnings, fmt.Sprintf("%s%% of CPU is in calls of codecs that were not found in the source: "+
			"make all packages build, check -tags, and profile a program that was built from this source", points(unknown)))
	}
	adopt := 0
	for _, x := range r.Sites {
		if x.Action == Adopt {
			adopt++
		}
	}
	switch {
	case r.All.Point < worthwhile:
		r.Leave, r.Verdict = true, head+": leave it alone."
	case unknown >= worthwhile/2 && adopt == 0:
		r.Verdict = fmt.Sprintf("%s, %s%% of it in calls of this code base that were not found in the source: see the warnings.",
			head, points(unknown))
	case r.Here.Point+unknown < worthwhile/2:
		r.Leave, r.Verdict = true, fmt.Sprintf("%s, but only %s%% at sites of this code base: leave it alone.", head, points(r.Here.Point))
	case adopt > 0:
		r.Verdict = fmt.Sprintf("%s: read on. %s at %s saves %s points (%s to %s).", head, target, plural(adopt, "site"),
			points(r.Saving.Share.Point), points(r.Saving.Share.Lo), points(r.Saving.Share.Hi))
	case slices.ContainsFunc(r.Sites, func(x *Site) bool { return x.Action == Measure }):
		r.Verdict = head + ": read on. It is not known yet what another codec would save."
	default:
		r.Leave, r.Verdict = true, head+", but no other codec is proven to save any of it: leave it alone."
	}
}

// points spells a share in percentage points, without a unit.
func points(share float64) string { return fmt.Sprintf("%.1f", 100*share) }

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return quantity.Group(fmt.Sprint(n)) + " " + what + "s"
}
