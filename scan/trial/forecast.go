package trial

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"go/types"
	"io/fs"
	"maps"
	"math"
	"os"
	"slices"
	"strings"
	"time"

	pprof "github.com/google/pprof/profile"

	"github.com/zmylab/zmy/lab"
	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/scan"
	"github.com/zmylab/zmy/scan/adopt"
	"github.com/zmylab/zmy/scan/predict"
	"github.com/zmylab/zmy/scan/profile"
	"github.com/zmylab/zmy/scan/site"
)

const (
	telling = 100   // samples of a benchmark that has none at a site: it does not reach the site
	heavy   = 0.005 // share of CPU from which a site without a prediction is named
	open    = 0.01  // share of CPU without a prediction from which more than it may be saved
	small   = 0.005 // share of CPU below which a site is not predicted
)

// load finds the sites of the module as it was before the change, and keeps those that change.
func (t *trial) load(ctx context.Context, ro adopt.Options) error {
	t.o.Doing("finding the sites of the module")
	code, err := scan.Load(ctx, site.Config{Dir: t.copy.Dir(), Tags: ro.Tags, Env: t.copy.Env()})
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		t.lost = err.Error()
		return nil
	}
	changed := map[string]bool{}
	for _, s := range t.r.Sites {
		changed[place(s.Pos.Filename, s.Pos.Line)] = true
	}
	var sites []*site.Site
	for _, s := range code.Sites {
		if !changed[place(s.Pos.Filename, s.Pos.Line)] || s.Test {
			continue
		}
		kept := *s
		kept.Values = slices.DeleteFunc(slices.Clone(s.Values), func(v site.Value) bool { return !t.generated(v.Type) })
		if len(kept.Values) == 0 && len(s.Values) > 0 {
			kept.Why = "the change makes no code for its type"
		}
		sites = append(sites, &kept)
	}
	code.Sites, t.code = sites, code
	return nil
}

func place(file string, line int) string { return fmt.Sprintf("%s:%d", file, line) }

// generated reports whether the change makes code for values of a type, or for the elements of a list or map.
func (t *trial) generated(of types.Type) bool {
	switch x := types.Unalias(of).(type) {
	case interface{ Elem() types.Type }: // pointer, slice, array, map
		return t.generated(x.Elem())
	case *types.Named:
		return slices.ContainsFunc(t.r.Types, func(ts adopt.Types) bool {
			return x.Obj().Pkg() != nil && ts.Package == x.Obj().Pkg().Path() && slices.Contains(ts.Names, x.Obj().Name())
		})
	}
	return false
}

// merged reads the profiles that runs have written. heap is nil if they wrote none.
func merged(cpus, heaps []string) (cpu, heap *profile.Profile, err error) {
	if cpu, err = merge(cpus, profile.CPU); err != nil {
		return nil, nil, err
	}
	if cpu == nil {
		return nil, nil, errors.New("there is no CPU profile: have the command write one (-- -cpuprofile {cpu}), or name its URL under load (-cpu URL)")
	}
	heap, err = merge(heaps, profile.Alloc)
	return cpu, heap, err
}

// merge returns the sum of profiles, nil if there is no file.
func merge(files []string, kind profile.Kind) (*profile.Profile, error) {
	var all []*pprof.Profile
	for _, name := range files {
		data, err := os.ReadFile(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		p, err := pprof.ParseData(data)
		if err != nil {
			return nil, fmt.Errorf("the profile of a run cannot be read: %w", err)
		}
		all = append(all, p)
	}
	if len(all) == 0 {
		return nil, nil
	}
	sum, err := pprof.Merge(all)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	if err := sum.Write(&out); err != nil {
		return nil, err
	}
	return profile.Parse(out.Bytes(), "the runs before the change", kind)
}

// Names of profiles in the options of a scan.
const cpuName, heapName = "the profile of the CPU before the change", "the profile of the heap before the change"

// scan divides profiles among the sites that change, and predicts if measure is set.
func (t *trial) scan(ctx context.Context, cpu, heap *profile.Profile, measure bool, samples map[string]string) (*scan.Result, error) {
	o := t.o.Scan
	o.Samples = samples
	o.CPU, o.Heap, o.Read = cpuName, "", map[string]*profile.Profile{cpuName: cpu}
	if heap != nil {
		o.Heap, o.Read[heapName] = heapName, heap
	}
	o.Measure, o.Threshold, o.Run, o.All = measure, small, t.labs.run, true
	code := *t.code
	return scan.Run(ctx, &code, o, ui(t.o.Doing))
}

// reaches reports whether runs have done work at the sites that change, and whether their profiles tell.
func (t *trial) reaches(ctx context.Context, cpus, heaps []string) (yes, known bool) {
	cpu, heap, err := merged(cpus, heaps)
	if err != nil {
		return false, false
	}
	r, err := t.scan(ctx, cpu, heap, false, nil)
	if err != nil {
		return false, false
	}
	yes = len(r.Sites) > 0
	return yes, yes || r.CPU.Samples >= telling
}

// forecast fills in the prediction of a work.
func (t *trial) forecast(ctx context.Context, w work, cpu, heap *profile.Profile) error {
	row := w.row()
	if t.code == nil {
		row.Why = t.lost
		return nil
	}
	few, err := t.scan(ctx, cpu, heap, false, nil)
	if err != nil {
		row.Why = err.Error()
		return ctx.Err()
	}
	if few.Refused != "" {
		row.Why = fmt.Sprintf("the profiles of the runs before the change have %.0f samples, and a prediction needs %d: take more rounds (-rounds %.0f) "+
			"or more work for each", few.CPU.Samples, profile.MinSamples, math.Ceil(float64(t.o.Rounds)*profile.MinSamples/max(1, few.CPU.Samples)))
		return nil
	}
	samples := maps.Clone(t.o.Scan.Samples)
	if len(samples) == 0 {
		row.Values = "documents of the run"
		if samples, err = t.record(ctx, w); ctx.Err() != nil {
			return ctx.Err()
		} else if err != nil {
			row.Values = "made up"
			row.Notes = append(row.Notes, "the lab made up the values, since those of the run could not be recorded: "+err.Error())
		}
	}
	r, err := t.scan(ctx, cpu, heap, true, t.known(samples))
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		row.Why = err.Error()
		return nil
	}
	for _, m := range r.Types {
		if !slices.ContainsFunc(t.result.Types, func(x scan.Measured) bool { return x.Package == m.Package && x.Type == m.Type }) {
			t.result.Types = append(t.result.Types, m)
		}
	}
	row.Sites = r.Sites
	row.unpredicted(r.Sites)
	row.Predicted = &predict.Interval{} // nothing is saved
	if r.Saving != nil {
		row.Predicted = &r.Saving.Share
	}
	return nil
}

// unpredicted notes what a prediction leaves out.
func (r *Row) unpredicted(sites []*scan.Site) {
	where := map[string][]string{}
	for _, s := range sites {
		if share := s.CPU.Point + s.GC.Point; s.Ratio == nil && share >= heavy {
			r.Open += share
			where[s.Reason] = append(where[s.Reason], fmt.Sprintf("%s (%.1f%%)", place(s.File, s.Line), 100*share))
		}
	}
	for _, why := range slices.Sorted(maps.Keys(where)) {
		r.Notes = append(r.Notes, fmt.Sprintf("not in the prediction, of CPU: %s: %s", strings.Join(where[why], ", "), why))
	}
}

// known returns the samples of types that sites have: a scan refuses others.
func (t *trial) known(samples map[string]string) map[string]string {
	out := map[string]string{}
	for _, name := range t.code.Types() {
		if file := samples[name]; file != "" {
			out[name] = file
		}
	}
	if all := samples[""]; all != "" {
		out[""] = all
	}
	return out
}

// labs keeps what the lab measured: rows share types.
type labs struct {
	base func(context.Context, lab.Options, lab.UI) (*run.Run, error)
	runs map[string]*run.Run
}

func (l *labs) run(ctx context.Context, o lab.Options, ui lab.UI) (*run.Run, error) {
	key := o.Package + " " + o.Type + " " + strings.Join(o.Codecs, ",") + " " + fmt.Sprint(o.Streams) + " " + contents(o.Sample)
	if r := l.runs[key]; r != nil {
		return r, nil
	}
	r, err := l.base(ctx, o, ui)
	if err == nil && ctx.Err() == nil {
		if l.runs == nil {
			l.runs = map[string]*run.Run{}
		}
		l.runs[key] = r
	}
	return r, err
}

// contents returns a hash of a file's documents, "" without a file.
func contents(name string) string {
	text, err := os.ReadFile(name)
	if err != nil {
		return name
	}
	return fmt.Sprintf("%x", sha256.Sum256(text))
}

// ui tells a caller what a scan does.
type ui func(string)

func (u ui) Doing(text string)                       { u(text) }
func (u ui) Say(string)                              {}
func (u ui) Note(string)                             {}
func (u ui) First(*run.Contender, []*run.Cell)       {}
func (u ui) Rounds(phase string, _, _ time.Duration) { u(phase) }
