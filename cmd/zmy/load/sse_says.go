package load

import (
	"fmt"
	"slices"
	"time"

	"github.com/zmylab/zmy/lab/run"
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
	for _, p := range v.r.all() {
		lost, told, twice, order, damaged = lost+p.Lost, told+p.Told, twice+p.Duplicated, order+p.Disordered, damaged+p.Damaged
	}
	text := fmt.Sprintf("%d lost", lost)
	if told > 0 {
		text += fmt.Sprintf(" (%d of them told by a reset or a gap)", told)
	}
	return fmt.Sprintf("%s, %d duplicated, %d out of order, %d damaged", text, twice, order, damaged)
}

// extremes are the least and the most of what tells codecs and policies apart: who has them is named only where rounds do
// not differ as much, and beside it who else may.
func (v *sseView) extremes() (out []string) {
	for _, f := range []struct {
		what string
		of   func(c *sseCell) run.Item
	}{
		{"processor time for a delivery", func(c *sseCell) run.Item { return c.per(serverCPU, delivered) }},
		{"median until an event's first byte", func(c *sseCell) run.Item { return c.quantile(firstOf, 0.5) }},
	} {
		var names []string
		var items []run.Item
		for _, c := range v.cells() {
			if it := f.of(c); it.Value != nil && it.Mark == "" {
				names, items = append(names, v.name(c.SSEPoint)), append(items, it)
			}
		}
		if len(items) < 2 {
			continue
		}
		least, most := 0, 0
		for i, it := range items {
			if *it.Value < *items[least].Value {
				least = i
			}
			if *it.Value > *items[most].Value {
				most = i
			}
		}
		if meet(items[least], items[most]) {
			why := "no more apart than rounds are"
			if items[least].Lo == nil {
				why = "of a single round"
			}
			out = append(out, fmt.Sprintf("%s: %s to %s, %s", f.what, short(*items[least].Value), short(*items[most].Value), why))
			continue
		}
		with := func(i int) string {
			others := -1 // itself
			for _, it := range items {
				if meet(items[i], it) {
					others++
				}
			}
			if others == 0 {
				return names[i]
			}
			return fmt.Sprintf("%s; %d more within its range", names[i], others)
		}
		out = append(out, fmt.Sprintf("%s: from %s (%s) to %s (%s)", f.what, short(*items[least].Value), with(least), short(*items[most].Value), with(most)))
	}
	return out
}

// meet reports whether the ranges of two figures do, as they do where there is no range.
func meet(a, b run.Item) bool {
	return a.Lo == nil || b.Lo == nil || *a.Lo <= *b.Hi && *b.Lo <= *a.Hi
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
	busy := 0
	for _, p := range v.r.all() {
		if p.busy() {
			busy++
		}
		if p.Reconnects+len(p.Errors) > 0 {
			out = once(out, fmt.Sprintf("%s: %d reconnects (%s)", v.name(p), p.Reconnects, failures(p.Errors)))
		}
		if p.Resets+p.Gaps > 0 {
			out = once(out, fmt.Sprintf("%s: %d resets and %d gaps were told", v.name(p), p.Resets, p.Gaps))
		}
	}
	if busy > 0 {
		out = append(out, fmt.Sprintf("at %d of %d points server and client took nearly all processors of this machine: latencies there are times of waiting for one", busy, len(v.r.all())))
	}
	cells, late := v.cells(), 0
	for _, c := range cells {
		if !c.Partial && slices.ContainsFunc(percentiles, func(q float64) bool {
			it := c.quantile(latencyOf, q)
			return it.Value != nil && c.late(latencyOf, q)
		}) {
			late++
		}
	}
	if late > 0 {
		out = append(out, fmt.Sprintf("at %d of %d points events were published late by more than a tenth of a percentile of their deliveries, which is marked: the machine had other work", late, len(cells)))
	}
	if v.Rounds == 1 && len(cells) > 1 {
		out = append(out, "a single round: how far figures vary is not known, so that none is named the least; raise -rounds")
	}
	return out
}
