package scan

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/zmylab/zmy/lab"
	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/lab/stats"
	"github.com/zmylab/zmy/lab/worker"
	"github.com/zmylab/zmy/scan/predict"
	"github.com/zmylab/zmy/scan/site"
)

// weighty is a type with its share of CPU, and the codecs that its sites use.
type weighty struct {
	of      subject
	share   float64
	codecs  []string
	streams bool // a site of JSON writes to an io.Writer or reads from an io.Reader
}

// weighties returns the types that are worth measuring, heaviest first: those with at least the threshold's
// share of CPU, Top of them at most.
func (s *scanner) weighties() []weighty {
	out := predict.Predict(s.input(s.places))
	var all []*weighty
	for i, p := range s.places {
		if p.alt == "" || p.why != "" || p.value == nil {
			continue
		}
		at := slices.IndexFunc(all, func(w *weighty) bool { return w.of == p.of })
		if at < 0 {
			at = len(all)
			all = append(all, &weighty{of: p.of, codecs: []string{p.alt}})
		}
		w := all[at]
		w.share += out.Places[i].Both.Point
		w.streams = w.streams || p.site.Kind.Stream && p.site.Kind.Format == "json"
		if c := p.site.Kind.Codec; c != run.Baseline && !slices.Contains(w.codecs, c) {
			w.codecs = append(w.codecs, c)
		}
	}
	slices.SortStableFunc(all, func(a, b *weighty) int { return cmp.Compare(b.share, a.share) })
	var heavy []weighty
	for _, w := range all {
		if w.share >= s.o.Threshold && len(heavy) < s.o.Top {
			heavy = append(heavy, *w)
		}
	}
	return heavy
}

// measure has the lab measure the types that matter. A type that cannot be measured has an error. Only if ctx
// ends, measure returns an error.
func (s *scanner) measure(ctx context.Context) error {
	if !s.o.Measure || s.res.Refused != "" {
		return nil
	}
	heavy := s.weighties()
	for i, w := range heavy {
		m := &Measured{Package: w.of.Package, Type: w.of.Type}
		s.measured[w.of] = m
		o := s.o.Lab
		o.Dir, o.Package, o.Type, o.Codecs = s.code.Dir, w.of.Package, w.of.Type, w.codecs
		o.Sample = cmp.Or(s.o.Samples[w.of.name()], s.o.Samples[""])
		o.Fit, o.Streams = o.Fit && o.Sample != "", w.streams
		o.Command = slices.Concat(s.o.Command[:min(1, len(s.o.Command))], []string{"lab", w.of.Package, "-type", w.of.Type, "-codecs",
			strings.Join(w.codecs, ","), "-seed", fmt.Sprint(o.Seed)})
		if o.Streams {
			o.Command = append(o.Command, "-streams")
		}
		if o.Out != "" {
			m.Report = "types/" + fileName(w.of)
			o.Out = filepath.Join(o.Out, filepath.FromSlash(m.Report))
		}
		r, err := s.o.Run(ctx, o, typeUI{s.ui, fmt.Sprintf("%s (%d of %d)", w.of.name(), i+1, len(heavy))})
		if r != nil {
			m.fill(r, w.codecs)
		}
		if ctx.Err() != nil {
			m.Error = "stopped"
			s.note(m)
			return ctx.Err()
		}
		if err != nil && len(m.Pairs) == 0 {
			m.Error = reasonOf(err)
		}
		s.note(m)
	}
	return nil
}

func (s *scanner) note(m *Measured) {
	s.res.Types = append(s.res.Types, *m)
	if m.Error != "" {
		s.res.Warnings = append(s.res.Warnings, fmt.Sprintf("%s was not measured: %s", subject{m.Package, m.Type}.name(), m.Error))
	}
}

// reasonOf returns the first line of an error of the lab.
func reasonOf(err error) string {
	if errors.Is(err, lab.ErrNothing) {
		return "no codec could be measured; zmy lab says why"
	}
	line, _, _ := strings.Cut(err.Error(), "\n")
	return line
}

// fileName returns a type as the name of a folder.
func fileName(of subject) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("._-", r) {
			return r
		}
		return '-'
	}, of.name())
}

// fill compares the suggested codec, the first of codecs, with encoding/json and with the others. A codec that
// failed is in no pair.
func (m *Measured) fill(r *run.Run, codecs []string) {
	m.Values = fmt.Sprintf("%s, from %s", plural(r.Subject.Values, "value"), r.Subject.Source)
	var sound []string
	for _, codec := range append([]string{run.Baseline}, codecs...) {
		c := stats.Contender(r, codec)
		switch {
		case c == nil:
		case c.Status != run.StatusMeasured:
			if c.Why != nil {
				m.Error = lab.Sentence(c)
			}
		case c.Contract.Grade == run.Broken && codec != run.Baseline:
			m.Error = codec + " changes the bytes or values of this type: " + strings.TrimSpace(c.Contract.Text())
		default:
			sound = append(sound, codec)
		}
	}
	if !slices.Contains(sound, codecs[0]) {
		return
	}
	for _, op := range []string{stats.Encode, stats.Decode} {
		for _, stream := range []bool{false, true} {
			to := stats.Find(r, codecs[0], op, modeOf(op, stream))
			for _, codec := range sound {
				from := stats.Find(r, codec, op, modeOf(op, stream))
				if to == nil || from == nil || from == to {
					continue
				}
				x := stats.Compared(r, from.Samples, to.Samples, r.Clock, r.Seed)
				if x.Point > 0 {
					m.Pairs = append(m.Pairs, Pair{codec, to.Codec, op, stream, predict.Interval{Point: x.Point, Lo: x.Lo, Hi: x.Hi},
						[2]float64{from.Bytes, to.Bytes}})
				}
			}
		}
	}
}

// modeOf returns the lab's mode for calls of a site.
func modeOf(op string, stream bool) string {
	switch {
	case !stream:
		return stats.Fresh
	case op == stats.Encode:
		return worker.ModeWriter
	}
	return worker.ModeReader
}

// ratioOf returns how many times faster the suggested codec of a place is than the one in use. ok is false if
// they were not measured side by side.
func (s *scanner) ratioOf(p *place) (r predict.Ratio, ok bool) {
	m := s.measured[p.of]
	if m == nil || p.alt == "" || p.value == nil || p.why != "" {
		return r, false
	}
	op := operation(p.site.Kind.Direction)
	for _, stream := range []bool{p.site.Kind.Stream, false} { // not every codec has streams in the lab
		for _, x := range m.Pairs {
			if x.Codec != p.site.Kind.Codec || x.To != p.alt || x.Op != op || x.Stream != stream {
				continue
			}
			r.Interval = x.Ratio
			if x.Bytes[0] > 0 {
				spared := 1 - x.Bytes[1]/x.Bytes[0]
				r.Spared = &spared
			}
			return r, true
		}
	}
	return r, false
}

// predict fills in sites, what is elsewhere, and the sums.
func (s *scanner) predict() {
	type key struct {
		of        subject
		to, from  string
		direction site.Direction
		stream    bool
	}
	in := s.input(s.places)
	index := map[key]int{}
	for i, p := range s.places {
		r, ok := s.ratioOf(p)
		if !ok {
			continue
		}
		k := key{p.of, p.alt, p.site.Kind.Codec, p.site.Kind.Direction, p.site.Kind.Stream}
		at, seen := index[k]
		if !seen {
			at = len(in.Ratios)
			index[k], in.Ratios = at, append(in.Ratios, r)
		}
		in.Places[i].Ratio = at
	}
	out := predict.Predict(in)
	s.res.All = &out.Sum.Both
	for i, p := range s.places {
		if p.other != nil {
			s.res.Elsewhere = append(s.res.Elsewhere, elsewhere(p.other, out.Places[i]))
			continue
		}
		x := s.siteOf(p, out.Places[i])
		var saved *predict.Saving
		if at := in.Places[i].Ratio; at >= 0 {
			saved = &out.Places[i]
			ratio := in.Ratios[at].Interval
			x.Ratio, x.Saving = &ratio, s.saving(saved.Saving)
		}
		s.advise(x, p, saved)
		if x.Action != Adopt && !s.o.All {
			in.Places[i].Ratio = -1
		}
		s.res.Sites = append(s.res.Sites, x)
	}
	s.sum(in)
	s.res.Flame = frameOf(s.cpu.Flame)
}

// sum fills in what the sites of the code base take, and what is saved if all advice is followed.
func (s *scanner) sum(in predict.Input) {
	var places []predict.Place
	adopted := false
	for i, p := range s.places {
		if p.other == nil {
			places = append(places, in.Places[i])
			adopted = adopted || in.Places[i].Ratio >= 0
		}
	}
	in.Places = places
	out := predict.Predict(in)
	s.res.Here = &out.Sum.Both
	if adopted {
		s.res.Saving = s.saving(out.Sum.Saving)
	}
}

// siteOf returns a place with its shares.
func (s *scanner) siteOf(p *place, f predict.Saving) *Site {
	x := describe(p.site, p.value)
	total := s.cpu.Profile.Total.Sum
	x.CPU, x.GC = &f.CPU, &f.GC
	x.Own, x.Stream, x.Moved = p.cpu.Own.Sum/total, p.cpu.Stream.Sum/total, p.cpu.Moved.Sum/total
	return x
}
