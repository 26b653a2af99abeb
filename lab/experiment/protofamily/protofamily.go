// Package protofamily is the experiment for those who have Protocol Buffers already: what
// their generated messages take in each library of the family, what an option, another
// spelling of the schema or a pool is worth, and which of it to change first.
//
// NOTE, the map: protofamily.go is the experiment, own.go measures the user's type, choices.go
// says what to change on it, kinds.go measures kinds of fields and shapes.go depth, fields and
// blobs on synthetic types; tables.go and kinds_tables.go, charts.go and findings.go say what was
// found.
package protofamily

import (
	"context"
	"encoding/json"
	"flag"
	"slices"

	"github.com/zmylab/zmy/lab/contender"
	protobuf "github.com/zmylab/zmy/lab/contender/codecs/protobuf"
	"github.com/zmylab/zmy/lab/experiment"
	"github.com/zmylab/zmy/lab/experiment/synthetic"
	"github.com/zmylab/zmy/lab/run"
)

// Experiment is the experiment. Use New.
type Experiment struct {
	Synthetic bool // kinds of fields and shapes of messages too
}

// New returns the experiment with its defaults.
func New() *Experiment { return &Experiment{Synthetic: true} }

// Name is the subcommand.
func (*Experiment) Name() string { return "protobuf" }

// Short is one line about it.
func (*Experiment) Short() string {
	return "the protobuf family: options, presence, field encodings, pools, and what to change first"
}

// Static says that the subject's own contenders are not built for it: it builds the
// family's rows, and others that have no place in the table of codecs.
func (*Experiment) Static() {}

// Flags adds its flags.
func (e *Experiment) Flags(fs *flag.FlagSet) string {
	fs.BoolVar(&e.Synthetic, "synthetic", true, "")
	return "  -synthetic=false measure your own type only, no kinds of fields and shapes of messages\n"
}

// family are the contenders that it is about, base the row that all others are held against: what
// a program pays that marshals the messages of Google's generator by proto.Marshal. It is measured
// twice: how far the second is from the first says what is noise.
const (
	family = "protobuf"
	base   = "protobuf-native"
	again  = "protobuf-native~twin"
	beside = "zmy" // what is measured beside the family where the user names nothing else
)

// Result is what run.json keeps of it.
type Result struct {
	Own    []Line     `json:"own"`
	Change []Change   `json:"change"`
	Kinds  []SetLine  `json:"kinds,omitempty"`
	Shapes []Shape    `json:"shapes,omitempty"`
	Codecs []string   `json:"codecs"` // rows of the charts, in their order
	Beside []string   `json:"beside"` // of them, those of no protobuf
	Names  []Spelling `json:"variants"`
}

// Spelling is a variant of the schema, or an option.
type Spelling struct {
	Codec  string `json:"codec"`
	Name   string `json:"name"`
	Fields int    `json:"fields"` // of the user's type that it changes
	Breaks bool   `json:"breaks"` // readers of the plain schema do not read its messages
}

// Line is one cell of the user's own type.
type Line struct {
	Codec  string       `json:"codec"`
	Op     string       `json:"op"`
	Mode   string       `json:"mode"`
	CPU    run.Estimate `json:"cpu"` // ns
	Allocs float64      `json:"allocs"`
	Bytes  float64      `json:"bytes"` // allocated
	Wire   float64      `json:"wire"`

	samples []run.Sample
}

// bench is the experiment at work.
type bench struct {
	*experiment.Bench
	table  []contender.Info // the user's, and the variants
	names  []string         // of the rows measured on the user's type
	own    []contender.Info // of them, those of generated messages, and what stands beside
	absent []string
	res    *Result
}

// Run measures the user's own type, then synthetic ones.
func (e *Experiment) Run(ctx context.Context, b *experiment.Bench) (*run.Experiment, error) {
	w := &bench{Bench: b, res: &Result{}}
	w.choose()
	err := w.yours(ctx)
	if err == nil && e.Synthetic {
		err = w.synthetic(ctx, sets(), shapes())
	}
	return w.experiment(err)
}

// experiment is what was found until err ended it.
func (w *bench) experiment(err error) (*run.Experiment, error) {
	x := &run.Experiment{
		Title: "Protocol Buffers",
		Question: "What would another library, option, spelling of the schema or a pool be worth on these messages, and what should " +
			"be changed first?",
		Absent: w.absent,
	}
	if len(w.res.Own) == 0 && err != nil {
		return nil, err
	}
	x.Findings, x.Tables, x.Charts = w.res.findings(), w.res.tables(), w.res.charts()
	data, jerr := json.Marshal(w.res)
	if err == nil {
		err = jerr
	}
	x.Data = data
	return x, err
}

// choose lists the rows: the whole family, and beside it what the user named.
func (w *bench) choose() {
	o := w.Options()
	others := o.Codecs
	if len(others) == 0 {
		others = []string{beside}
	}
	w.table, w.names = slices.Clone(o.Table), slices.Clone(o.Codecs) // one that is not known is an error of Build
	for _, i := range o.Table {
		mine := i.Family == family
		named := slices.Contains(others, i.Name) || slices.Contains(others, "all") || i.Yours()
		if mine || named {
			w.names = append(w.names, i.Name)
		}
		if i.Name != run.Baseline && (mine && i.Native || !mine && named) {
			w.own = append(w.own, i)
		}
	}
	for _, v := range protobuf.Variants() {
		w.table, w.names = append(w.table, v.Info), append(w.names, v.Info.Name)
		w.res.Names = append(w.res.Names, Spelling{Codec: v.Info.Name, Name: v.Name, Fields: v.Fields(w.Target()), Breaks: v.Breaks})
	}
}

// synthetic measures types of a package that is written for it.
func (w *bench) synthetic(ctx context.Context, kinds []set, curves []shape) error {
	p, err := synthetic.New(w.Bench, kindsSource()+shapesSource())
	if err != nil {
		return err
	}
	defer p.Close()
	if err := w.kinds(ctx, p, kinds); err != nil {
		return err
	}
	return w.shapes(ctx, p, curves)
}
