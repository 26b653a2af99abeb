// Package scan finds where a code base spends CPU on serialization, and predicts what another codec would
// save there.
//
// NOTE, the map: scan.go leads a scan; load.go loads the code base; attribute.go joins sites with profiles; measure.go has the lab measure
// types; advise.go says what to do at a site, and whether to go on reading; subject.go names types for the
// lab; result.go is the result as data. Package site finds the sites, profile reads profiles and divides them
// among sites, predict computes intervals, show prints the result.
package scan

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/zmylab/zmy/lab"
	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/scan/predict"
	"github.com/zmylab/zmy/scan/profile"
	"github.com/zmylab/zmy/scan/site"
)

// Code is a code base.
type Code struct {
	Dir      string // absolute folder of its module; files of sites are relative to it
	Sites    []*site.Site
	Packages int // number of packages that were searched
	Program  profile.Program
	Mains    []string // absolute folders of its commands
	Lines    int
	Errors   []*site.Error // packages that were left out, and why
}

// Options are what a user can choose.
type Options struct {
	CPU, Heap string // files or URLs; "" for CPU takes default.pgo if there is one
	// Read are profiles that were read already, by file or URL: see Profiles.
	Read      map[string]*profile.Profile
	Cores     float64 // cores that the program keeps busy; 0 takes those of the profile
	Price     float64 // of a core for an hour; 0: no money
	Threshold float64 // least share of CPU of a type to measure, and of a site to change; 0 is 0.5%
	Top       int     // how many types are measured at most; 0 is 5
	Measure   bool    // have the lab measure types
	// Samples are files of documents to make values from, by type ("model.Device"). The key "" is for
	// all other types.
	Samples map[string]string
	Tool    string
	Command []string
	// All counts the savings of all sites with a ratio, not only of those that are worth changing.
	All   bool
	Adopt string      // the command that changes sites: "zmy adopt"; "" if there is none
	Lab   lab.Options // for each type; package, type, codecs, sample and folder are filled in

	// Run measures a type; nil is lab.Run.
	Run func(context.Context, lab.Options, lab.UI) (*run.Run, error)
}

// hoursOfMonth turns the price of an hour into that of a month.
const hoursOfMonth = 730

// scanner is a scan that is going on.
type scanner struct {
	code     *Code
	o        Options
	ui       lab.UI
	res      *Result
	cpu      *profile.Attribution
	heap     *profile.Attribution
	places   []*place
	measured map[subject]*Measured
}

// Run scans. If a profile cannot be used, the error is a *profile.Error. If ctx is cancelled while types are
// measured, Run returns a prediction from those that were, together with ctx's error.
func Run(ctx context.Context, code *Code, o Options, ui lab.UI) (*Result, error) {
	if o.Threshold <= 0 {
		o.Threshold = 0.005
	}
	if o.Top <= 0 {
		o.Top = 5
	}
	if o.Run == nil {
		o.Run = lab.Run
	}
	start := time.Now()
	s := &scanner{code: code, o: o, ui: ui, measured: map[subject]*Measured{}, res: &Result{Schema: Schema, Tool: o.Tool,
		Command: o.Command, Started: start.UTC().Truncate(time.Second), Modules: code.Program.Modules, Sites: []*Site{}, Price: o.Price}}
	s.res.Warnings = append(s.res.Warnings, code.Doubts()...)
	s.count()
	if err := s.sampled(); err != nil {
		return nil, err
	}
	if err := s.read(ctx); err != nil {
		return nil, err
	}
	if s.cpu == nil {
		s.list()
		s.judge()
		s.res.Seconds = time.Since(start).Seconds()
		return s.res, nil
	}
	s.join()
	s.spread()
	err := s.measure(ctx)
	s.predict()
	s.judge()
	s.res.Seconds = time.Since(start).Seconds()
	return s.res, err
}

// Profiles reads the profiles that the options name. To read them before the code base is loaded saves the user
// a wait if they cannot be used.
func (o *Options) Profiles(ctx context.Context, ui lab.UI) error {
	o.Read = map[string]*profile.Profile{}
	for _, x := range []struct {
		source string
		kind   profile.Kind
	}{{o.CPU, profile.CPU}, {o.Heap, profile.Alloc}} {
		if x.source == "" {
			continue
		}
		ui.Doing("reading the profile " + x.source)
		p, err := profile.Read(ctx, x.source, x.kind)
		if err != nil {
			return err
		}
		o.Read[x.source] = p
	}
	return nil
}

// Types returns the names of the types that the lab can measure for the sites: "model.Device".
func (c *Code) Types() (names []string) {
	types := namer{c.Program.Modules}
	for _, x := range c.Sites {
		for _, v := range x.Values {
			if of, why := types.subjectOf(v.Type); why == "" && !slices.Contains(names, of.name()) {
				names = append(names, of.name())
			}
		}
	}
	return names
}

// sampled refuses samples for types that no site has.
func (s *scanner) sampled() error {
	names := s.code.Types()
	for _, name := range slices.Sorted(maps.Keys(s.o.Samples)) {
		if name == "" || slices.Contains(names, name) {
			continue
		}
		if near := lab.Nearest(name, names); near != "" {
			return lab.Usagef("-sample %s=…: no site has values of that type; did you mean %s?", name, near)
		}
		return lab.Usagef("-sample %s=…: no site has values of that type; types are named with their package, as in the list of sites: model.Device", name)
	}
	return nil
}

// count fills in what was found in the source.
func (s *scanner) count() {
	f := &s.res.Found
	f.Packages, f.Lines = s.code.Packages, s.code.Lines
	names := map[string]bool{}
	for _, x := range s.code.Sites {
		if x.Test {
			f.Tests++
			continue
		}
		f.Sites++
		if len(x.Values) == 0 {
			f.Unknown++
		}
		for _, v := range x.Values {
			names[v.Name] = true
		}
	}
	delete(names, "")
	f.Types = len(names)
}

// read reads the profiles and divides them among the sites.
func (s *scanner) read(ctx context.Context) error {
	source := s.o.CPU
	if source == "" {
		files := profile.Defaults(s.code.Mains)
		if len(files) == 0 && s.code.Dir != "" { // of a program that is built with -pgo
			files = profile.Defaults([]string{s.code.Dir})
		}
		switch {
		case len(files) == 1:
			source = files[0]
			s.res.Notes = append(s.res.Notes, "the profile is "+s.relative(source)+", by which the program is optimized; -cpu takes another one")
		case len(files) > 1:
			for i := range files {
				files[i] = s.relative(files[i])
			}
			s.res.Warnings = append(s.res.Warnings, "several commands have a profile: choose one by -cpu: "+strings.Join(files, ", "))
		}
	}
	if source == "" {
		if s.o.Heap != "" {
			return lab.Usagef("-heap alone says nothing about CPU: add -cpu FILE|URL")
		}
		return nil
	}
	var err error
	if s.cpu, s.res.CPU, err = s.attribute(ctx, source, profile.CPU); err != nil {
		return err
	}
	if s.o.Heap != "" {
		s.heap, s.res.Heap, err = s.attribute(ctx, s.o.Heap, profile.Alloc)
	}
	return err
}

// relative returns a file below the module's folder without that folder.
func (s *scanner) relative(file string) string {
	if rest, ok := strings.CutPrefix(file, s.code.Dir); ok && s.code.Dir != "" {
		return strings.TrimLeft(rest, `/\`)
	}
	return file
}

func (s *scanner) attribute(ctx context.Context, source string, kind profile.Kind) (*profile.Attribution, *Source, error) {
	s.ui.Doing("dividing the profile " + s.relative(source) + " among the sites")
	p := s.o.Read[source]
	if p == nil {
		var err error
		if p, err = profile.Read(ctx, source, kind); err != nil {
			return nil, nil, err
		}
	}
	p.Source = s.relative(source)
	s.res.Notes = append(s.res.Notes, p.Notes...)
	a := profile.Attribute(s.code.Program, s.code.Sites, p)
	if err := a.Check(s.code.Program.Modules); err != nil {
		return nil, nil, err
	}
	if w := a.Few(); w != "" {
		s.res.Warnings = append(s.res.Warnings, w)
	}
	out := &Source{Name: p.Source, Seconds: p.Duration.Seconds(), Taken: p.Taken}
	for _, x := range p.Samples {
		out.Samples += x.N
	}
	sites, moved := 0.0, 0.0
	for _, x := range a.Places {
		sites += x.Work().Sum + x.Stream.Sum
		moved += x.Moved.Sum
	}
	if sites > 0 {
		out.Moved = moved / sites
	}
	if out.Moved > 0.1 {
		s.res.Warnings = append(s.res.Warnings, fmt.Sprintf("%.0f%% of the samples at sites in %s agree with the source by function only, "+
			"not by line: the program that was profiled was built from other source", 100*out.Moved, p.Source))
	}
	return a, out, nil
}

// list lists all sites, for a scan without a profile.
func (s *scanner) list() {
	for _, x := range s.code.Sites {
		if x.Test {
			continue
		}
		values := []*site.Value{nil}
		if len(x.Values) > 0 {
			values = nil
			for i := range x.Values {
				values = append(values, &x.Values[i])
			}
		}
		for _, v := range values {
			s.res.Sites = append(s.res.Sites, describe(x, v))
		}
	}
	slices.SortStableFunc(s.res.Sites, func(a, b *Site) int {
		if c := strings.Compare(a.File, b.File); c != 0 {
			return c
		}
		return a.Line - b.Line
	})
}

// spread fills in the cores that the program keeps busy.
func (s *scanner) spread() {
	switch d := s.cpu.Profile.Duration; {
	case s.o.Cores > 0:
		s.res.Cores, s.res.CoresFrom = s.o.Cores, "-cores"
	case d > 0:
		s.res.Cores, s.res.CoresFrom = s.cpu.Profile.Total.Sum/float64(d), "the profile"
	}
}

// saving returns a share as a Saving.
func (s *scanner) saving(share predict.Interval) *Saving {
	out := &Saving{Share: share}
	if s.res.Cores > 0 {
		cores := scaled(share, s.res.Cores)
		out.Cores = &cores
		if s.o.Price > 0 {
			month := scaled(cores, s.o.Price*hoursOfMonth)
			out.Month = &month
		}
	}
	return out
}

func scaled(i predict.Interval, by float64) predict.Interval {
	return predict.Interval{Point: i.Point * by, Lo: i.Lo * by, Hi: i.Hi * by}
}
