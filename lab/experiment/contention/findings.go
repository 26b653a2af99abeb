package contention

import (
	"fmt"

	"github.com/zmylab/zmy/lab/experiment"
	"github.com/zmylab/zmy/lab/quantity"
	"github.com/zmylab/zmy/lab/stats"
)

// findings returns sentences with the conclusions from the readings.
func findings(res *Result, procs int) []string {
	return []string{poolFinding(res), handOffFinding(res), mibFinding(res),
		waysFinding(res, res.Publish[Alone], 0, "Reading what is published by %s costs %s as much as by an atomic pointer", procs),
		waysFinding(res, res.Sharing[Alone], 1, "Counters on shared cache lines (%s) cost %s as much as ones on lines of their own", procs),
		besideCodec(res)}
}

func poolFinding(res *Result) string {
	var gain, loss, same []string
	low, _ := experiment.Extremes(res.Codecs, func(c string) (float64, bool) {
		return hits(named(res.Pool[c], "sync.Pool")), len(res.Pool[c]) > 2
	})
	for _, c := range res.Codecs {
		w := res.Pool[c]
		if len(w) < 3 {
			continue
		}
		e, decided := res.ratio(w[1], w[0])
		switch text := fmt.Sprintf("%s (%s of the time)", c, quantity.Share(e.Median)); {
		case !decided:
			same = append(same, c)
		case e.Median < 1:
			gain = append(gain, text)
		default:
			loss = append(loss, text)
		}
	}
	if low.Name == "" {
		return ""
	}
	s := fmt.Sprintf("A sync.Pool of encoders and buffers is hit in %s of all calls or more (least by %s)", quantity.Share(low.Value),
		low.Name)
	if len(gain) > 0 {
		s += "; it pays for " + experiment.List(gain)
	}
	if len(loss) > 0 {
		s += "; it costs more than fresh memory for " + experiment.List(loss)
	}
	if len(same) > 0 {
		s += "; no difference was seen for " + experiment.List(same)
	}
	return s + "."
}

func handOffFinding(res *Result) string {
	quickest := func(way string) experiment.Named {
		least, _ := experiment.Extremes(res.Codecs, func(c string) (float64, bool) {
			w := named(res.HandOff[c], way)
			return stats.Median(w.NS), len(w.NS) > 0
		})
		return least
	}
	encoded, pointer, value := quickest("encoded bytes"), quickest("pointer"), quickest("by value")
	if encoded.Name == "" || pointer.Name == "" {
		return ""
	}
	return fmt.Sprintf("Inside one process hand over a pointer: %s a message, against %s by value and %s by bytes of %s, the fastest codec "+
		"there.", quantity.Time(pointer.Value), quantity.Time(value.Value), quantity.Time(encoded.Value), encoded.Name)
}

func mibFinding(res *Result) string {
	if len(res.MiB) < 3 || len(res.MiB[0].NS) == 0 || len(res.MiB[1].NS) == 0 || len(res.MiB[2].NS) == 0 {
		return ""
	}
	m := func(i int) string { return quantity.Time(stats.Median(res.MiB[i].NS)) }
	return fmt.Sprintf("1 MiB takes %s by value, %s by pointer and %s as gob bytes.", m(0), m(1), m(2))
}

// waysFinding says how much the ways differ from the reference ways[base], or that no difference
// was proven.
func waysFinding(res *Result, ways []Way, base int, format string, procs int) string {
	if base >= len(ways) {
		return ""
	}
	var parts []string
	for i, w := range ways {
		if i == base {
			continue
		}
		if e, decided := res.ratio(w, ways[base]); decided {
			parts = append(parts, fmt.Sprintf(format, w.Name, quantity.Times(e.Median)))
		} else {
			parts = append(parts, fmt.Sprintf("%s and %s did not differ beyond the noise", w.Name, ways[base].Name))
		}
	}
	return fmt.Sprintf("%s (on %d processors, with nothing else to do).", experiment.List(parts), procs)
}

// besideCodec says whether the costs of locks and shared cache lines still show if the goroutines
// also encode.
func besideCodec(res *Result) string {
	var seen []string
	for _, c := range res.Codecs {
		for i, w := range res.Publish[c] {
			if e, decided := res.ratio(w, res.Publish[c][0]); i > 0 && decided && e.Median > 1.02 {
				seen = append(seen, fmt.Sprintf("%s with %s (%s)", c, w.Name, quantity.Times(e.Median)))
			}
		}
		if w := res.Sharing[c]; len(w) == 2 {
			if e, decided := res.ratio(w[0], w[1]); decided && e.Median > 1.02 {
				seen = append(seen, fmt.Sprintf("%s with shared cache lines (%s)", c, quantity.Times(e.Median)))
			}
		}
	}
	if len(seen) == 0 {
		return "Beside the work of encoding neither the kind of lock nor shared cache lines made a difference that stands out of the noise."
	}
	return "Beside the work of encoding it still shows for " + experiment.List(seen) + "."
}
