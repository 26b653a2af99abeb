package show

import (
	"fmt"
	"math"
	"strings"

	"github.com/zmylab/zmy/lab/quantity"
	"github.com/zmylab/zmy/scan"
	"github.com/zmylab/zmy/scan/predict"
)

// points spells a share in percentage points, with a minus sign if it is saved.
func points(share float64) string { return fmt.Sprintf("%.1f", 100*share) }

// percent spells a share of CPU: "7.0%".
func percent(share float64) string { return points(share) + "%" }

// cost spells what a site takes: "7.0% CPU + 0.9% GC".
func cost(x *scan.Site) string {
	if x.CPU == nil {
		return ""
	}
	return percent(x.CPU.Point) + " CPU + " + percent(x.GC.Point) + " GC"
}

// saved spells a saving: "fxjson −4.1 ±0.6 points".
func saved(codec string, i predict.Interval) string {
	half := math.Max(i.Hi-i.Point, i.Point-i.Lo)
	return fmt.Sprintf("%s −%s ±%s points", codec, points(i.Point), points(half))
}

// advice spells what to do at a site.
func advice(x *scan.Site) string {
	switch x.Action {
	case scan.Adopt:
		return saved(x.To, x.Saving.Share)
	case scan.Measure:
		most := ""
		if x.CPU != nil {
			most = fmt.Sprintf("up to −%s points, ", points(x.CPU.Point+x.GC.Point))
		}
		return x.To + " " + most + x.Reason
	case scan.Leave:
		return "leave: " + x.Reason
	}
	return ""
}

// where spells the place of a site.
func where(x *scan.Site) string { return fmt.Sprintf("%s:%d", x.File, x.Line) }

// sums spells the total saving in cores and in money, a sentence each.
func sums(r *scan.Result) []string {
	if r.Saving == nil || r.Saving.Cores == nil {
		return nil
	}
	c := r.Saving.Cores
	out := []string{fmt.Sprintf("That is %s cores (%s to %s) of %s that are busy by %s.", quantity.Digits(c.Point), quantity.Digits(c.Lo),
		quantity.Digits(c.Hi), quantity.Digits(r.Cores), r.CoresFrom)}
	if m := r.Saving.Month; m != nil {
		out = append(out, fmt.Sprintf("In money that is %s a month (%s to %s), at %s for a core and hour.", quantity.Whole(m.Point),
			quantity.Whole(m.Lo), quantity.Whole(m.Hi), quantity.Digits(r.Price)))
	}
	return out
}

// source spells a profile: "default.pgo, 12,345 samples in 30 s".
func source(s *scan.Source) string {
	out := s.Name + ", " + quantity.Whole(s.Samples) + " samples"
	if s.Seconds > 0 {
		out += " in " + quantity.Digits(s.Seconds) + " s"
	}
	if !s.Taken.IsZero() {
		out += ", taken " + s.Taken.Format("2006-01-02 15:04 UTC")
	}
	return out
}

// found spells what is in the source.
func found(r *scan.Result) string {
	f := r.Found
	s := fmt.Sprintf("%s in %s, %s", plural(f.Sites, "site"), plural(f.Packages, "package"), plural(f.Types, "type"))
	if f.Unknown > 0 {
		s += fmt.Sprintf("; the type of %s is not known", plural(f.Unknown, "site"))
	}
	if f.Tests > 0 {
		s += fmt.Sprintf("; %s in tests left out", plural(f.Tests, "site"))
	}
	return s
}

// here spells how much of the serialization is at sites, and how sure that is.
func here(r *scan.Result) string {
	if r.All == nil {
		return ""
	}
	return fmt.Sprintf("%s of CPU (%s to %s) is serialization and its garbage: %s at sites of this code base, %s elsewhere",
		percent(r.All.Point), points(r.All.Lo), points(r.All.Hi), percent(r.Here.Point), percent(r.All.Point-r.Here.Point))
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return quantity.Group(fmt.Sprint(n)) + " " + what + "s"
}

// clean replaces characters that would change how a terminal shows the text around them. Names come from
// profiles, which others may have made.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r >= 0x80 && r < 0xa0 || r >= 0x200b && r <= 0x200f || r >= 0x202a && r <= 0x202e || r >= 0x2066 &&
			r <= 0x2069 {
			return '·'
		}
		return r
	}, s)
}
