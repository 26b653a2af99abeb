// Package run is the lab's result as data: run.json holds it, every report is drawn from it, and
// compare, gate and goals read it. The package measures nothing and draws nothing.
//
// All times are in nanoseconds, all sizes in bytes, unless a name says otherwise.
//
// NOTE, the map: run.go goes from the whole to its parts: the run, its host and subject; a
// contender with its grades and checks; a cell with its samples; noise, ranking and verdict.
// experiment.go has the tables and charts of experiments, table.go helpers for their rows. Types
// that a worker reports too have a twin in lab/worker, because the worker's protocol may change
// with every version, and run.json may not.
package run

import (
	"fmt"
	"strings"
	"time"
)

// Schema is the version of run.json. Readers accept the same version; a field
// may be added without a new version, never renamed or given another meaning.
const Schema = 1

// Run is one whole run of the lab on one subject.
type Run struct {
	Schema     int       `json:"schema"`
	Tool       string    `json:"tool"`    // "zmy v0.1.0" or "zmy (devel)"
	Command    []string  `json:"command"` // the exact arguments that repeat the run
	Started    time.Time `json:"started"`
	Seconds    float64   `json:"seconds"`
	Partial    bool      `json:"partial"` // stopped early: figures are of fewer rounds than planned
	PartialWhy string    `json:"partial_why,omitempty"`
	Seed       uint64    `json:"seed"`
	Budget     float64   `json:"budget_seconds"`
	Measured   float64   `json:"measured_seconds,omitempty"` // time that the rounds took
	Depth      string    `json:"depth,omitempty"`            // quick | standard | paper
	// "wall" | "cpu": the time that ratios and ranking use; empty: stats chooses
	Clock string `json:"clock"`
	// Look is the look at which the run was judged, nil if it was judged once, at its end.
	Look       *Look        `json:"look,omitempty"`
	Host       Host         `json:"host"`
	Subject    Subject      `json:"subject"`
	Contenders []*Contender `json:"contenders"` // all contenders, in table order, also those that were excluded
	// Unchosen are codecs that the lab knows and did not try, since the user named none and they are
	// not among the default ones.
	Unchosen []string `json:"unchosen,omitempty"`
	Cells    []*Cell  `json:"cells"`
	Noise    Noise    `json:"noise"`
	Ranking  []Rank   `json:"ranking"`
	Verdict  Verdict  `json:"verdict"`
	Warnings []string `json:"warnings,omitempty"` // doubts a reader must know, one sentence each

	Experiments []*Experiment `json:"experiments,omitempty"` // in the order in which they were first run

	// Replaced names the subject of another report that this run's report took the place of, and
	// when that one was made: "shop.Pod, 21:04". It is for the screen only.
	Replaced string `json:"-"`
}

// Look says when a run was judged that may stop as soon as its verdict is proven.
type Look struct {
	Launch  int `json:"launch"`  // launches that were measured
	Planned int `json:"planned"` // launches that would have been measured at most
	// Part is the part of the accepted probability of a false claim that this look uses. Earlier
	// looks used other parts, so intervals are wider than those of a run that is judged once.
	Part float64 `json:"part"`
}

// Early reports whether the run stopped before all planned launches were measured.
func (l *Look) Early() bool { return l != nil && l.Launch < l.Planned }

// Host is where the run took place.
type Host struct {
	OS       string  `json:"os"`
	Arch     string  `json:"arch"`
	CPU      string  `json:"cpu"`
	Cores    int     `json:"cores"`
	Procs    int     `json:"procs,omitempty"`   // GOMAXPROCS of the workers, 0 when unknown
	Virtual  string  `json:"virtual,omitempty"` // hypervisor when one is seen
	MemBytes int64   `json:"mem_bytes"`
	Load1    float64 `json:"load1"` // 1-minute load average at the start, -1 when unknown
	Go       string  `json:"go"`
	// GOFLAGS, GOEXPERIMENT, GOAMD64, GOGC, GOMEMLIMIT, GODEBUG, GOMAXPROCS that differ from the
	// default
	Flags    string `json:"flags,omitempty"`
	Counters string `json:"counters"` // "hardware" | "n/a"
	Pinned   bool   `json:"pinned"`
}

// Subject is the type being measured and the values it was measured on.
type Subject struct {
	Package  string   `json:"package"` // import path
	Module   string   `json:"module"`
	Type     string   `json:"type"`                 // as given: Page[Order]
	File     string   `json:"file,omitempty"`       // the file that declares the type, in the package's folder
	Name     string   `json:"name"`                 // package name + type: order.Order
	Fields   int      `json:"fields"`               // with those of nested structs, each struct once
	Top      int      `json:"top_fields,omitempty"` // of the type itself; 0: no struct, or a run made before this was noted
	Depth    int      `json:"depth"`
	Values   int      `json:"values"`
	LeftOut  int      `json:"left_out,omitempty"` // values that were made but left out, since encoding/json refuses them
	Alike    bool     `json:"alike,omitempty"`    // all values are equal
	Source   string   `json:"source"`             // where the values came from: "func SampleOrder", "field names and types", "file x.json"
	JSONSize Quartile `json:"json_size"`
	// JSONMean is the mean size of the values as JSON. JSONSizes are 21 of the sizes in ascending
	// order: the smallest, one at each twentieth of the values, and the largest.
	JSONMean  float64   `json:"json_mean,omitempty"`
	JSONSizes []float64 `json:"json_sizes,omitempty"`
	Access    string    `json:"access,omitempty"` // path of the leaf that op access reads
	Derived   bool      `json:"derived"`          // ZMY field numbers were derived from declaration order
	// Sampler is the function of the package that makes values, or the name that it would have; ""
	// if none can be added.
	Sampler string `json:"sampler,omitempty"`
	// Vendored says that the subject's module is built from its vendor folder.
	Vendored bool `json:"vendored,omitempty"`
	// Foreign says that no code can be generated in the package: it belongs to another module or to
	// the standard library. Home is then the name of the package that the lab was started in, "" if
	// there is none. Own is a name that a type declared from the subject can have there. Methods
	// are the subject's methods that decide its JSON or text; a type declared from it would not
	// have them.
	Foreign bool     `json:"foreign,omitempty"`
	Home    string   `json:"home,omitempty"`
	Own     string   `json:"own,omitempty"`
	Methods []string `json:"methods,omitempty"`
}

// Kinds of sources of values.
const (
	Generated = "generated"
	Sampled   = "sample function"
	Documents = "documents"
	Fitted    = "fit of documents"
)

// Origin returns the kind of source of the values.
func (s *Subject) Origin() string {
	switch {
	case strings.HasPrefix(s.Source, "func "):
		return Sampled
	case strings.HasPrefix(s.Source, "file "):
		return Documents
	case strings.HasPrefix(s.Source, "a fit of "):
		return Fitted
	}
	return Generated
}

// Quartile holds the extremes and quartiles of sizes.
type Quartile struct {
	Min, P25, Median, P75, Max float64
}

// Baseline is the contender to which every ratio refers. Twin is its A/A twin: a second copy of the
// same program, measured like any contender. The twin's cells are in Noise.
const (
	Baseline = "std-json"
	Twin     = Baseline + "~twin"
)

// Judgements of a comparison.
const (
	Faster       = "faster"
	Slower       = "slower"
	Tied         = "tied"
	Inconclusive = "inconclusive"
)

// Status of a contender.
const (
	StatusMeasured = "measured"
	StatusSkipped  = "skipped" // cannot carry the type, or is not available: see Why
	StatusFailed   = "failed"  // broke when it was built or started: see Why
)

// Contender is one codec in this run.
type Contender struct {
	Name     string   `json:"name"`
	Family   string   `json:"family"` // json | binary | protobuf | floor
	Text     string   `json:"text"`   // one line about the codec
	Modules  []Module `json:"modules,omitempty"`
	Status   string   `json:"status"`
	Why      *Why     `json:"why,omitempty"`
	Rankless string   `json:"rankless,omitempty"` // why it is not ranked: "-native row", "contract broken: …"
	Contract Grade    `json:"contract"`
	Value    Grade    `json:"value"`
	Checks   []Check  `json:"checks,omitempty"`
	// Capabilities say what it can do apart from being fast: the same names in the same order for
	// all contenders.
	Capabilities []Capability `json:"capabilities,omitempty"`
	Sizes        Sizes        `json:"sizes"`
	BuildSec     float64      `json:"build_seconds"`
	Binary       int64        `json:"binary_bytes"`
	Loaded       int64        `json:"loaded_bytes,omitempty"` // size of its worker's code and data, without symbols
	Adopt        *Adopt       `json:"adopt,omitempty"`
	Notes        []string     `json:"notes,omitempty"` // version drift, silent fallback, …
	// LeavesOut are fields that its generator says it does not carry: k8s.io/api/core/v1.Pod.Spec.
	LeavesOut []string `json:"leaves_out,omitempty"`
	// Dashed are fields that its messages have although struct tag json:"-" keeps them out of JSON.
	Dashed []string `json:"dashed,omitempty"`
}

// Adopt says how a program adopts a contender, with the options that were measured.
type Adopt struct {
	// the commands that install its generator in version VERSION, or that require a module in a
	// folder
	Install   string   `json:"install,omitempty"`
	Release   string   `json:"release,omitempty"`   // Install for a contender that is built at a version, if it differs
	Generate  string   `json:"generate,omitempty"`  // the go:generate command; TYPE is the subject, FILE a file that declares it
	Files     []string `json:"files,omitempty"`     // the files that Generate is run for, one by one; none: the subject's
	Own       bool     `json:"own,omitempty"`       // Generate reads source only: it sees no fields of a type declared from another
	Derive    string   `json:"derive,omitempty"`    // Generate for a type without struct tags of this codec
	Number    string   `json:"number,omitempty"`    // a command that writes the codec's struct tags into the source, once; "": none are needed
	Import    string   `json:"import,omitempty"`    // "" if the calls are generated beside the type
	Same      bool     `json:"same,omitempty"`      // its calls have the names of encoding/json's
	Setup     string   `json:"setup,omitempty"`     // what else the program has to do, in words
	Imports   []string `json:"imports,omitempty"`   // import specs that calls and Code need besides Import: "bytes", j "a/json"
	Code      string   `json:"code,omitempty"`      // declarations that the calls use, such as options
	Manual    string   `json:"manual,omitempty"`    // what has to be written by hand, if there is no command or code to copy
	Marshal   string   `json:"marshal,omitempty"`   // what json.Marshal(v) becomes
	Unmarshal string   `json:"unmarshal,omitempty"` // what json.Unmarshal(b, &v) becomes
	// Limit is the size in bytes of the largest message that these calls accept, 0 for any.
	// MarshalLarge and UnmarshalLarge are the calls for larger ones; in these, MAX stands for a
	// limit.
	Limit          int64  `json:"limit,omitempty"`
	MarshalLarge   string `json:"marshal_large,omitempty"`
	UnmarshalLarge string `json:"unmarshal_large,omitempty"`
}

// Code returns by how many bytes of code and data c's worker is larger than the baseline's: about
// what a program that links encoding/json grows by. It returns false if either is unknown.
func (r *Run) Code(c *Contender) (bytes int64, known bool) {
	for _, b := range r.Contenders {
		if b.Name == Baseline && b.Loaded > 0 && c.Loaded > 0 {
			return c.Loaded - b.Loaded, true
		}
	}
	return 0, false
}

// Module is a module that the contender requires.
type Module struct {
	Path    string `json:"path"`
	Version string `json:"version"`          // the one built
	Pinned  string `json:"pinned,omitempty"` // the lab's version, if the user's build list forced another
}

// Why says why a contender is not measured: what, where, the reason, and what to do next.
type Why struct {
	What   string `json:"what"`             // "skipped: Order.Meta has type any"
	Where  string `json:"where,omitempty"`  // order.go:31
	Reason string `json:"reason,omitempty"` // "it would fall back to encoding/json"
	Next   string `json:"next,omitempty"`   // "-allow-fallback"
	Output string `json:"output,omitempty"` // the failing command and the end of what it printed

	Package string `json:"package,omitempty"` // import path of the package that declares what cannot be carried
	Module  string `json:"module,omitempty"`  // module of that package, if it is not the subject's
	Owner   string `json:"-"`                 // import path of the package whose struct has the field
	More    []*Why `json:"more,omitempty"`    // the other problems of the type
}

// Place returns Where, with the module if it is not the subject's.
func (w *Why) Place() string {
	if w.Module == "" {
		return w.Where
	}
	return strings.TrimPrefix(w.Where+", module "+w.Module, ", ")
}

// Others returns the number of problems after the first, and names up to two of them: "; 3 more:
// A.B, A.C …".
func (w *Why) Others() string {
	if len(w.More) == 0 {
		return ""
	}
	var names []string
	for _, m := range w.More[:min(2, len(w.More))] {
		names = append(names, strings.TrimPrefix(m.What, "skipped: ")+m.inModule(w))
	}
	if len(w.More) > 2 {
		names = append(names, "…")
	}
	return fmt.Sprintf("; %d more: %s", len(w.More), strings.Join(names, ", "))
}

// inModule returns the module in words, unless it is the module of first.
func (w *Why) inModule(first *Why) string {
	if w.Module == "" || w.Module == first.Module {
		return ""
	}
	return " (module " + w.Module + ")"
}

// The grades. Contract uses Kept, Broken; Value uses the others.
const (
	Kept       = "KEPT"
	Broken     = "BROKEN"
	Lossless   = "LOSSLESS"
	Ordinary   = "ORDINARY" // lossless or normalised, except for an extreme value that the type may hold
	Normalised = "NORMALISED"
	Lossy      = "LOSSY"
	Fails      = "FAILS"
)

// GradeWord returns a grade in one to three words.
func GradeWord(grade string) string {
	if grade == Ordinary {
		return "all but extremes"
	}
	return strings.ToLower(grade)
}

// Grade is one judgement of the fidelity gate.
type Grade struct {
	Grade string `json:"grade"`           // "" when not judged
	Diffs []Diff `json:"diffs,omitempty"` // at most a few kinds: lossy ones first, then the most frequent
	// Except are the places about which nothing is known, since their data was zero in every value:
	// only methods of their types can set it. Example: Items[].Price (model.Money).
	Except []string `json:"except,omitempty"`
	// Edges are the extreme values that did not come back as they were: NaN, -0, invalid UTF-8.
	Edges []Edge `json:"edges,omitempty"`
}

// Edge says what became of one extreme value.
type Edge struct {
	Name   string `json:"name"`   // float64 NaN
	Path   string `json:"path"`   // where it was put
	Result string `json:"result"` // normalised | lost | refused
	Before string `json:"before,omitempty"`
	After  string `json:"after,omitempty"` // or the error
}

// Results of an extreme value. EdgeNormalised is also the kind of a Diff that only changed the form.
// A refused value is not lost silently: the codec returns an error.
const (
	EdgeNormalised = "normalised"
	EdgeLost       = "lost"
	EdgeRefused    = "refused"
)

// Lost names the extreme values that come back as something else without an error.
func (g Grade) Lost() []string { return g.edges(EdgeLost) }

// Refused names the extreme values for which the codec returns an error.
func (g Grade) Refused() []string { return g.edges(EdgeRefused) }

func (g Grade) edges(result string) (names []string) {
	for _, e := range g.Edges {
		if e.Result == result {
			names = append(names, e.Name)
		}
	}
	return names
}

// Some returns the first three names, and how many more there are.
func Some(names []string) string {
	const most = 3
	s := strings.Join(names[:min(len(names), most)], ", ")
	if more := len(names) - most; more > 0 {
		s += fmt.Sprintf(" and %d more", more)
	}
	return s
}

// Text returns the grade in words, with the places that it does not cover.
func (g Grade) Text() string {
	s := strings.ToLower(g.Grade)
	if g.Grade == Ordinary {
		if s = strings.ToLower(Lossless); len(g.Diffs) > 0 {
			s = strings.ToLower(Normalised)
		}
		s += " but for " + Some(g.Lost())
	}
	if g.Grade == "" || len(g.Except) == 0 {
		return s
	}
	return s + " except " + g.Exceptions() + ", untested"
}

// Exceptions returns the places of Except by type: "resource.Quantity (26 places)". A type with one
// place is named with that place, and a place without a type is named alone.
func (g Grade) Exceptions() string {
	var parts []string
	for _, e := range g.Excepted() {
		switch {
		case len(e.Paths) > 1:
			parts = append(parts, fmt.Sprintf("%s (%d places)", e.Type, len(e.Paths)))
		case e.Type == "":
			parts = append(parts, e.Paths[0])
		default:
			parts = append(parts, e.Paths[0]+" ("+e.Type+")")
		}
	}
	return strings.Join(parts, ", ")
}

// Excepted returns the places of Except by type, in the order of the first place of each type.
// Places without a type have an entry each.
func (g Grade) Excepted() []Exception {
	var out []Exception
	at := map[string]int{}
	for _, s := range g.Except {
		path, typ := s, ""
		if i := strings.LastIndex(s, " ("); i > 0 && strings.HasSuffix(s, ")") {
			path, typ = s[:i], s[i+2:len(s)-1]
		}
		i, seen := at[typ]
		if !seen || typ == "" {
			i = len(out)
			at[typ], out = i, append(out, Exception{Type: typ})
		}
		out[i].Paths = append(out[i].Paths, path)
	}
	return out
}

// Exception is a type about which nothing is known, with the paths that lead to it.
type Exception struct {
	Type  string
	Paths []string
}

// Diff is one change of value, the first seen of its kind.
type Diff struct {
	Path   string `json:"path"` // Metadata["qty"]
	Before string `json:"before"`
	After  string `json:"after"`
	Kind   string `json:"kind"`  // lossy | normalised
	Count  int    `json:"count"` // values in which it was seen
}

// Check is one capability or robustness finding: "aliases input" no, "truncation" ok.
type Check struct {
	Name   string `json:"name"`
	Result string `json:"result"` // ok | yes | no | bad | n/a
	Detail string `json:"detail,omitempty"`
}

// Capability is one thing that a codec can or cannot do: "evolution" "yes".
type Capability struct {
	Name  string `json:"name"`           // evolution, any, licence …
	Value string `json:"value"`          // yes | partly | no | a few words: "MIT", "2026-03"
	Note  string `json:"note,omitempty"` // condition, one short sentence
}

// Sizes holds the sizes of the encoded values in bytes. Raw, Gzip and Zstd are medians over the
// values. The means say how fast a link or a disk is filled. GzipNs is the median time of gzip for
// one value, in ns.
type Sizes struct {
	Raw   float64 `json:"raw"`
	Gzip  float64 `json:"gzip"`
	Zstd  float64 `json:"zstd,omitempty"`
	P95   float64 `json:"p95"`
	Total int64   `json:"total"` // all values, raw

	Mean     float64 `json:"mean"`
	MeanGzip float64 `json:"mean_gzip"`
	Max      float64 `json:"max"` // the largest value, raw

	GzipNs float64 `json:"gzip_ns,omitempty"`
}

// Cell is one (contender, op, mode) that was measured: its samples, and the figures computed from
// them.
type Cell struct {
	Codec string `json:"codec"`
	Op    string `json:"op"`              // encode | decode | access
	Mode  string `json:"mode"`            // fresh | append | pooled | reused | alias | …
	Rank  bool   `json:"rank"`            // false: not ranked; its line of bench.txt has rank=none
	Alias bool   `json:"alias,omitempty"` // what it returns may share memory with its input

	Wall   Estimate `json:"wall"`            // ns/op
	CPU    Estimate `json:"cpu"`             // ns/op of the process, garbage collection included
	Bytes  float64  `json:"bytes"`           // B/op allocated
	Allocs float64  `json:"allocs"`          // allocs/op
	Wire   float64  `json:"wire"`            // mean bytes per value on the wire
	First  float64  `json:"first,omitempty"` // ns of the first call in the process

	Start   *Estimate `json:"start,omitempty"`   // ns that a program with this code takes longer than an empty one
	Scaling *Estimate `json:"scaling,omitempty"` // throughput of two goroutines ÷ that of one
	Instrs  float64   `json:"instrs,omitempty"`  // instructions per operation by callgrind, the collector off

	// Ratio is the baseline's time for the same op ÷ this cell's time. If it is above 1, the cell
	// is faster than encoding/json. The baseline's mode is fresh or, for an op without that mode,
	// its first one.
	Ratio    Interval `json:"ratio"`
	Against  string   `json:"against,omitempty"` // judgement of Ratio: faster | slower | tied | inconclusive; "" without a baseline
	Need     float64  `json:"need,omitempty"`    // if inconclusive: about how many times longer a run would have to be
	Samples  []Sample `json:"samples,omitempty"`
	Warnings []string `json:"warnings,omitempty"`
}

// Sample is one timed batch of calls.
type Sample struct {
	Launch int     `json:"l"`
	Round  int     `json:"r"`
	N      int     `json:"n"` // operations
	Wall   float64 `json:"w"` // ns/op
	CPU    float64 `json:"c"` // ns/op
	At     float64 `json:"t"` // seconds since the run started
}

// Estimate is a median with its 95% interval.
type Estimate struct {
	Median float64 `json:"median"`
	Lo     float64 `json:"lo"`
	Hi     float64 `json:"hi"`
	N      int     `json:"n"`
}

// Interval is a ratio with its 95% interval.
type Interval struct {
	Point float64 `json:"point"`
	Lo    float64 `json:"lo"`
	Hi    float64 `json:"hi"`
}

// Noise is what the A/A twin of the baseline shows: how far two copies of the same program differ.
type Noise struct {
	Floor  float64    `json:"floor"` // relative: 0.019 is ±1.9%
	Twin   []TwinCell `json:"twin"`
	Launch int        `json:"launches"`
	Rounds int        `json:"rounds"`
}

// TwinCell is the ratio of the baseline to its twin in one op, with the twin's samples.
type TwinCell struct {
	Op    string   `json:"op"`
	Mode  string   `json:"mode"`
	Ratio Interval `json:"ratio"`
	Cell  *Cell    `json:"cell,omitempty"`
}

// Rank is one place in the ranking by encode + decode time of mode fresh.
// Contenders that are not proven slower than the first of a place share it.
type Rank struct {
	Place int      `json:"place"`
	Codec string   `json:"codec"`
	Total Estimate `json:"total"` // ns: encode fresh + decode fresh
	Ratio Interval `json:"ratio"` // baseline total ÷ this total
	// Against is the result of the comparison with the first of the place: tied | inconclusive; ""
	// for the first itself.
	Against string `json:"against,omitempty"`
	Tie     string `json:"tie,omitempty"` // a letter shared by the first of a place and those tied with it
	// Need is set if the samples hint at a difference to the first of the place, but do not prove
	// it: about how many times longer a run would have to be.
	Need float64 `json:"need,omitempty"`
}

// Verdict is the result of the run in words.
type Verdict struct {
	Sentence string   `json:"sentence"`
	Losses   []string `json:"losses,omitempty"`    // values that ranked contenders lose, by name
	Steps    []Step   `json:"steps,omitempty"`     // what to do next, in order
	Next     []string `json:"next,omitempty"`      // the same, one line each, in runs made before Steps existed
	Pick     string   `json:"pick,omitempty"`      // best if both ends are Go
	PickJSON string   `json:"pick_json,omitempty"` // best that keeps JSON on the wire
	// PickProto is the best that keeps protobuf on the wire, "" if fewer than two such codecs are ranked.
	PickProto string `json:"pick_proto,omitempty"`
	// Undecided are the picks that the run cannot tell from encoding/json.
	Undecided []string `json:"undecided,omitempty"`

	// Draws is how often weights of encode time, decode time, size and allocations were drawn at
	// random; each time the measured times were resampled. Top and TopJSON say in which share of
	// the draws each ranked contender, and each that keeps JSON, came first.
	Draws   int     `json:"draws,omitempty"`
	Top     []Share `json:"top,omitempty"` // largest first
	TopJSON []Share `json:"top_json,omitempty"`
}

// The kinds of a Step.
const (
	StepShell = "shell" // Code is commands for a POSIX shell
	StepFile  = "file"  // Code is a Go file of the package, called File
	StepCalls = "calls" // Code is imports, and statements in place of those with encoding/json
	StepHand  = "hand"  // no code to copy: Do says what has to be written
)

// Step is one thing to do next. Its code can be run or pasted as it is.
type Step struct {
	Codecs []string `json:"codecs"`
	When   string   `json:"when,omitempty"` // what this codec is the pick for; a program follows the steps of one pick
	Kind   string   `json:"kind"`
	Do     string   `json:"do"` // what to do, and where
	File   string   `json:"file,omitempty"`
	Code   string   `json:"code,omitempty"`
}

// Share is a contender's part of a whole.
type Share struct {
	Codec string  `json:"codec"`
	Share float64 `json:"share"`
}
