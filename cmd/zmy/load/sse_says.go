package load

import (
	"fmt"
	"time"
)

// findings are what follows, most important first.
func (v *sseView) findings() (out []string) {
	var delivered, published int64
	stopped := false
	for _, p := range v.r.Points {
		delivered += p.Delivered
		published += int64(p.Published)
		stopped = stopped || p.Partial
	}
	switch wrong := v.r.Wrong(); {
	case wrong > 0:
		out = append(out, fmt.Sprintf("%d deliveries are wrong: %s", wrong, v.faults()))
	case stopped:
		out = append(out, fmt.Sprintf("what had come when it was stopped had come once, whole and in order: %d deliveries", delivered))
	case delivered > 0:
		out = append(out, fmt.Sprintf("all %d events came to every connection, once, whole and in order: %d deliveries", published, delivered))
	}
	for _, g := range v.r.Groups {
		if bytes, known := g.PerConn(g.With); known {
			out = append(out, fmt.Sprintf("%d connections (flush %s) take the server %.1f KB each", g.Open, g.Flush, bytes/1000))
		}
	}
	return append(out, v.extremes()...)
}

// faults sums up what was wrong.
func (v *sseView) faults() string {
	var lost, told, twice, order, damaged int64
	for _, p := range v.r.Points {
		lost, told, twice, order, damaged = lost+p.Lost, told+p.Told, twice+p.Duplicated, order+p.Disordered, damaged+p.Damaged
	}
	text := fmt.Sprintf("%d lost", lost)
	if told > 0 {
		text += fmt.Sprintf(" (%d of them told by a reset or a gap)", told)
	}
	return fmt.Sprintf("%s, %d duplicated, %d out of order, %d damaged", text, twice, order, damaged)
}

// extremes are the cheapest delivery and the earliest first byte.
func (v *sseView) extremes() (out []string) {
	type figure struct {
		what  string
		value func(p *SSEPoint) float64
		known func(p *SSEPoint) bool
	}
	for _, f := range []figure{
		{"processor time for a delivery", func(p *SSEPoint) float64 { return float64(p.Server.CPU) / float64(p.Delivered) },
			func(p *SSEPoint) bool { return p.Server.CPU > 0 && p.Delivered > 0 }},
		{"median until an event's first byte", func(p *SSEPoint) float64 { return p.First.Quantile(0.5) },
			func(p *SSEPoint) bool { return p.First.Beyond(0.5) >= leastBeyond }},
	} {
		var least, most *SSEPoint
		for _, p := range v.r.Points {
			if !f.known(p) {
				continue
			}
			if least == nil || f.value(p) < f.value(least) {
				least = p
			}
			if most == nil || f.value(p) > f.value(most) {
				most = p
			}
		}
		if least != nil && least != most {
			out = append(out, fmt.Sprintf("%s: from %s (%s) to %s (%s)", f.what, short(f.value(least)), v.name(least), short(f.value(most)), v.name(most)))
		}
	}
	return out
}

// short spells ns with three digits or so.
func short(ns float64) string {
	d := time.Duration(ns)
	for unit := time.Duration(1); ; unit *= 10 {
		if d < 1000*unit {
			return d.Round(unit).String()
		}
	}
}

// warnings are the doubts.
func (v *sseView) warnings() (out []string) {
	for _, g := range v.r.Groups {
		if g.Open < g.Wanted {
			text := fmt.Sprintf("%d of %d connections (flush %s) are open", g.Open, g.Wanted, g.Flush)
			if len(g.Errors) > 0 {
				text += ": " + failures(g.Errors)
			}
			out = append(out, text)
		}
	}
	late, busy := 0, 0
	for _, p := range v.r.Points {
		switch {
		case p.busy():
			busy++
		case !p.Partial && !p.Valid():
			late++
		}
		if p.Reconnects+len(p.Errors) > 0 {
			out = append(out, fmt.Sprintf("%s: %d reconnects (%s)", v.name(p), p.Reconnects, failures(p.Errors)))
		}
		if p.Resets+p.Gaps > 0 {
			out = append(out, fmt.Sprintf("%s: %d resets and %d gaps were told", v.name(p), p.Resets, p.Gaps))
		}
	}
	if busy > 0 {
		out = append(out, fmt.Sprintf("at %d of %d points server and client took nearly all processors of this machine: latencies there are times of waiting for one", busy, len(v.r.Points)))
	}
	if late > 0 {
		out = append(out, fmt.Sprintf("at %d of %d points half of the events were published late, by more than a tenth of the median delivery: the machine had other work", late, len(v.r.Points)))
	}
	return out
}
