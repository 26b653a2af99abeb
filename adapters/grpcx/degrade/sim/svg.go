package sim

import (
	"fmt"
	"strings"
	"time"

	"github.com/zmylab/zmy/adapters/grpcx/degrade"
)

// The picture has two columns of panels, one panel for each script.
const (
	columns     = 2
	panelWidth  = 480
	panelHeight = 180
	plotLeft    = 40
	plotTop     = 44
	plotWidth   = 400
	plotHeight  = 90
	legend      = 50

	bin         = 5    // seconds
	failureAxis = 0.20 // share of failures at the top
)

// SVG draws the runs. Each panel shows when the primary was slow, and three shares of calls: those
// that began with the fallback, those that failed for callers, and those that would have failed
// without the machine.
func SVG(runs []Run) string {
	rows := (len(runs) + columns - 1) / columns
	width, height := columns*panelWidth, rows*panelHeight+legend
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" role="img" font-family="sans-serif" font-size="11">`+"\n",
		width, height)
	b.WriteString("<title>Degradation under ten scripts of faults</title>\n")
	fmt.Fprintf(&b, `<rect width="%d" height="%d" fill="#fff"/>`+"\n", width, height)
	for i, r := range runs {
		fmt.Fprintf(&b, `<g transform="translate(%d %d)">`+"\n", i%columns*panelWidth, i/columns*panelHeight)
		panel(&b, r)
		b.WriteString("</g>\n")
	}
	drawLegend(&b, rows*panelHeight)
	b.WriteString("</svg>\n")
	return b.String()
}

const (
	blue   = "#3b78c4" // calls that began with the fallback
	red    = "#c0392b" // failures that callers saw
	grey   = "#999"    // failures without the machine
	violet = "#8e5bb5" // the primary is slow
	shade  = "#fdf1d8" // half-open
)

func panel(b *strings.Builder, r Run) {
	fmt.Fprintf(b, `<text x="%d" y="16" font-weight="bold" font-size="12">%s</text>`+"\n", plotLeft, r.Title)
	fmt.Fprintf(b, `<text x="%d" y="31" fill="#555">%s; ends %s after %s</text>`+"\n", plotLeft, r.Expect, r.Final, changes(len(r.Changes)))
	x := func(t time.Duration) float64 { return plotLeft + plotWidth*float64(t)/float64(r.Length) }
	halfOpen(b, r, x)
	bins := binned(r.Seconds)
	at := func(i int) float64 { return x(time.Duration(i*bin) * time.Second) }
	area(b, bins, at)
	line(b, bins, at, grey, ` stroke-dasharray="3 2"`, func(s Second) float64 { return share(s.PrimaryFailed, s.Calls) / failureAxis })
	line(b, bins, at, red, "", func(s Second) float64 { return share(s.Failed, s.Calls) / failureAxis })
	strip(b, bins, at)
	frame(b, r, x)
}

func changes(n int) string {
	if n == 1 {
		return "one change"
	}
	return fmt.Sprintf("%d changes", n)
}

// binned sums up the seconds in bins.
func binned(all []Second) (out []Second) {
	for i, s := range all {
		if i%bin == 0 {
			out = append(out, Second{})
		}
		o := &out[len(out)-1]
		o.Calls += s.Calls
		o.OnFallback += s.OnFallback
		o.Failed += s.Failed
		o.PrimaryFailed += s.PrimaryFailed
		o.Slowest = max(o.Slowest, s.Slowest)
	}
	return out
}

func share(n, of int) float64 {
	if of == 0 {
		return 0
	}
	return float64(n) / float64(of)
}

func y(v float64) float64 { return plotTop + plotHeight*(1-min(v, 1)) }

// area draws the share of calls that began with the fallback.
func area(b *strings.Builder, bins []Second, at func(int) float64) {
	fmt.Fprintf(b, `<path fill="%s" fill-opacity="0.25" d="M%.1f %d`, blue, at(0), plotTop+plotHeight)
	for i, s := range bins {
		fmt.Fprintf(b, "V%.1fH%.1f", y(share(s.OnFallback, s.Calls)), at(i+1))
	}
	fmt.Fprintf(b, `V%dZ"/>`+"\n", plotTop+plotHeight)
}

func line(b *strings.Builder, bins []Second, at func(int) float64, color, style string, value func(Second) float64) {
	fmt.Fprintf(b, `<polyline fill="none" stroke="%s" stroke-width="1.2"%s points="`, color, style)
	for i, s := range bins {
		if i > 0 {
			b.WriteByte(' ')
		}
		fmt.Fprintf(b, "%.1f,%.1f", (at(i)+at(i+1))/2, y(value(s)))
	}
	b.WriteString(`"/>` + "\n")
}

// halfOpen shades the times in state HalfOpen.
func halfOpen(b *strings.Builder, r Run, x func(time.Duration) float64) {
	for i, e := range r.Changes {
		if e.To != degrade.HalfOpen {
			continue
		}
		end := r.Length
		if i+1 < len(r.Changes) {
			end = At(r.Changes[i+1])
		}
		fmt.Fprintf(b, `<rect x="%.1f" y="%d" width="%.1f" height="%d" fill="%s"/>`+"\n", x(At(e)), plotTop,
			x(end)-x(At(e)), plotHeight, shade)
	}
}

// strip marks the times in which the primary was slow.
func strip(b *strings.Builder, bins []Second, at func(int) float64) {
	slow := func(i int) bool { return i < len(bins) && bins[i].Slowest > 5*time.Millisecond }
	for i := 0; i < len(bins); i++ {
		if !slow(i) {
			continue
		}
		from := i
		for slow(i) {
			i++
		}
		fmt.Fprintf(b, `<rect x="%.1f" y="%d" width="%.1f" height="4" fill="%s"/>`+"\n", at(from), plotTop-6, at(i)-at(from), violet)
	}
}

// frame draws axes and labels.
func frame(b *strings.Builder, r Run, x func(time.Duration) float64) {
	bottom := plotTop + plotHeight
	fmt.Fprintf(b, `<path fill="none" stroke="#444" d="M%d %dV%dH%d"/>`+"\n", plotLeft, plotTop, bottom, plotLeft+plotWidth)
	for _, v := range []float64{0, 0.5, 1} {
		fmt.Fprintf(b, `<text x="%d" y="%.1f" text-anchor="end" fill="%s">%g%%</text>`+"\n", plotLeft-4, y(v)+4, blue, 100*v)
		fmt.Fprintf(b, `<text x="%d" y="%.1f" fill="%s">%g%%</text>`+"\n", plotLeft+plotWidth+2, y(v)+4, red, 100*failureAxis*v)
	}
	step := time.Minute
	for r.Length > 10*step {
		step *= 5
	}
	for t := time.Duration(0); t <= r.Length; t += step {
		fmt.Fprintf(b, `<text x="%.1f" y="%d" text-anchor="middle" fill="#555">%d min</text>`+"\n", x(t), bottom+14, int(t.Minutes()))
	}
}

func drawLegend(b *strings.Builder, top int) {
	x := plotLeft
	for _, l := range []struct{ color, text string }{
		{blue, "calls begun with the fallback (left)"}, {red, "failures that callers saw (right)"}, {grey, "failures without the machine"},
		{violet, "a call took more than 5 ms in the primary"}, {"#e0b64f", "half-open"},
	} {
		if x+6*len(l.text) > columns*panelWidth {
			x, top = plotLeft, top+18
		}
		fmt.Fprintf(b, `<rect x="%d" y="%d" width="10" height="10" fill="%s"/><text x="%d" y="%d">%s</text>`+"\n",
			x, top+10, l.color, x+14, top+19, l.text)
		x += 24 + 6*len(l.text)
	}
}
