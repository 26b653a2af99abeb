package canary

import (
	"cmp"
	"fmt"
	"math"
	"time"
)

// Limits say how much worse than the incumbent the candidate may be. They are judged over the
// sliding window and over the whole step, separately for each operation.
//
// A failure of the candidate counts if the incumbent does not fail in the same operation. A panic
// counts unless the incumbent, asked in its place, panics too. Messages that both refuse are
// counted as [Signals].Refused and not judged, so clients cannot cause a roll-back by garbage.
//
// The incumbent cannot be asked about bytes of another media type and about streams. There, panics
// and errors of class unsupported count, and failures to write, unless the stream itself may have
// broken. If such a candidate refuses good messages, the canary does not notice: try it with
// package shadow first. The incumbent's own failures count by the same classes.
type Limits struct {
	// MinSamples is the number of operations of the candidate that a step needs before the next
	// step, and before P99 and sizes are judged; 500 if 0. Failures are judged from the fifth one
	// on.
	MinSamples int

	// ErrorMargin is how much the candidate's share of failures may exceed the incumbent's; 0.005,
	// half a percent, if 0. The rule compares the lower end of the candidate's confidence interval
	// with the upper end of the incumbent's, so that chance does not cause a roll-back.
	ErrorMargin float64
	// ErrorRate is the share of the candidate's operations that may fail if the incumbent has done
	// none to compare with; 0.05 if 0.
	ErrorRate float64

	// P99Ratio is the factor by which the candidate's P99 may exceed the incumbent's; 1.25 if 0. As
	// for errors, the ends of the intervals are compared.
	P99Ratio float64
	// P99Slack is a difference of P99 that is always allowed, whatever the ratio; 50 µs if 0.
	P99Slack time.Duration

	// SizeRatio is the factor by which the mean size of the candidate's messages may exceed the
	// incumbent's. If it is 0, sizes are not judged.
	SizeRatio float64
}

func (l *Limits) setDefaults() error {
	if l.MinSamples < 0 || l.ErrorMargin < 0 || l.ErrorRate < 0 || l.P99Ratio < 0 || l.P99Slack < 0 || l.SizeRatio < 0 {
		return fmt.Errorf("canary: limits must not be negative: %+v", *l)
	}
	l.MinSamples = cmp.Or(l.MinSamples, 500)
	l.ErrorMargin = cmp.Or(l.ErrorMargin, 0.005)
	l.ErrorRate = cmp.Or(l.ErrorRate, 0.05)
	l.P99Ratio = cmp.Or(l.P99Ratio, 1.25)
	l.P99Slack = cmp.Or(l.P99Slack, 50*time.Microsecond)
	return nil
}

const (
	// z is half the width of intervals, in standard deviations: an interval misses the true value
	// at one given end once in 740 times. For a roll-back by chance both intervals would have to
	// miss it, and by more than the margin.
	z = 3
	// minFailures is the number of the candidate's failures from which its errors are judged. With
	// fewer, the intervals are not reliable.
	minFailures = 5
)

// judge returns why the candidate must be rolled back, or "" if it need not be.
func (l *Limits) judge(incumbent, candidate *sums) (cause Cause, why string) {
	for op := range candidate {
		in, ca := &incumbent[op], &candidate[op]
		for _, rule := range []func(in, ca *sum) (Cause, string){l.judgeErrors, l.judgeP99, l.judgeSize} {
			if cause, why := rule(in, ca); cause != "" {
				return cause, opName(op) + ": " + why
			}
		}
	}
	return "", ""
}

func (l *Limits) judgeErrors(in, ca *sum) (Cause, string) {
	if ca.errors < minFailures {
		return "", ""
	}
	low, _ := wilson(ca.errors, ca.samples())
	rate := float64(ca.errors) / float64(ca.samples())
	if in.samples() == 0 {
		if low > l.ErrorRate {
			return CauseErrors, fmt.Sprintf("%.2f%% of %d operations of the candidate fail, at most %.2f%% may, and the incumbent "+
				"has done none to compare with",
				100*rate, ca.samples(), 100*l.ErrorRate)
		}
		return "", ""
	}
	_, high := wilson(in.errors, in.samples())
	if low > high+l.ErrorMargin {
		return CauseErrors, fmt.Sprintf("%.2f%% of %d operations of the candidate fail, of the incumbent's %d %.2f%%; the "+
			"intervals are apart by more than %.2f%%",
			100*rate, ca.samples(), in.samples(), 100*float64(in.errors)/float64(in.samples()), 100*l.ErrorMargin)
	}
	return "", ""
}

// wilson returns the ends of the score interval for a share, of which k in n were seen (E. B.
// Wilson, Probable Inference, the Law of Succession, and Statistical Inference, 1927). It is also
// valid for shares near 0, as failures should be.
func wilson(k, n uint64) (low, high float64) {
	if n == 0 {
		return 0, 1
	}
	p, m := float64(k)/float64(n), float64(n)
	centre := p + z*z/(2*m)
	spread := z * math.Sqrt(p*(1-p)/m+z*z/(4*m*m))
	scale := 1 + z*z/m
	return max(0, (centre-spread)/scale), min(1, (centre+spread)/scale)
}

func (l *Limits) judgeP99(in, ca *sum) (Cause, string) {
	if ca.samples() < uint64(l.MinSamples) {
		return "", ""
	}
	_, high, enough := in.took.Bounds(0.99, z)
	low, _, too := ca.took.Bounds(0.99, z)
	if !enough || !too || float64(low) <= float64(high)*l.P99Ratio || low <= high+l.P99Slack {
		return "", ""
	}
	return CauseP99, fmt.Sprintf("P99 of the candidate is %v (%d operations), of the incumbent %v (%d); the intervals are apart "+
		"by more than a factor of %.2f",
		ca.took.Quantile(0.99), ca.samples(), in.took.Quantile(0.99), in.samples(), l.P99Ratio)
}

func (l *Limits) judgeSize(in, ca *sum) (Cause, string) {
	n, m := ca.good(), in.good()
	if l.SizeRatio == 0 || n < uint64(l.MinSamples) || m < uint64(l.MinSamples) {
		return "", ""
	}
	before, after := float64(in.bytes)/float64(m), float64(ca.bytes)/float64(n)
	if after <= before*l.SizeRatio {
		return "", ""
	}
	return CauseSize, fmt.Sprintf("messages of the candidate have %.0f bytes in the mean, of the incumbent %.0f: more than a "+
		"factor of %.2f", after, before, l.SizeRatio)
}
