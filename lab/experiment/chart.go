package experiment

import "github.com/zmylab/zmy/lab/run"

// Lines adds to c a line for each name that has at least the given number of points. draw adds the
// points of a name to its line.
func Lines(c run.Chart, names []string, least int, draw func(name string, s *run.Series)) run.Chart {
	c.Kind = run.ChartLines
	for _, name := range names {
		s := run.Series{Name: name}
		if draw(name, &s); len(s.X) >= least {
			c.Series = append(c.Series, s)
		}
	}
	return c
}

// Plot adds a point with its interval to a line.
func Plot(s *run.Series, x float64, y run.Estimate) {
	s.X, s.Y, s.Lo, s.Hi = append(s.X, x), append(s.Y, y.Median), append(s.Lo, y.Lo), append(s.Hi, y.Hi)
}

// Bars adds a group of bars to c for each name: one bar for each series. A name that lacks one of
// the figures is left out, since a missing bar would look like 0. Intervals are drawn if all
// figures rest on readings, that is, have N > 0.
func Bars(c run.Chart, names, series []string, figure func(name, series string) (e run.Estimate, ok bool)) run.Chart {
	c.Kind = run.ChartBars
	all := make([]run.Series, len(series))
	for _, name := range names {
		var group []run.Estimate
		for _, s := range series {
			if e, ok := figure(name, s); ok {
				group = append(group, e)
			}
		}
		if len(group) != len(series) {
			continue
		}
		c.Categories = append(c.Categories, name)
		for i, e := range group {
			s := &all[i]
			s.Name, s.Y = series[i], append(s.Y, e.Median)
			if e.N > 0 {
				s.Lo, s.Hi = append(s.Lo, e.Lo), append(s.Hi, e.Hi)
			}
		}
	}
	if c.Categories != nil {
		c.Series = all
	}
	return c
}
