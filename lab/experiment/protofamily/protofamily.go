// Package protofamily is the experiment for those who use Protocol Buffers already. It measures
// what their generated messages cost in each library of the family, and what an option, another
// spelling of the schema or a pool would gain. It says which of these to change first.
//
// NOTE, the map: protofamily.go is the experiment, own.go measures the user's type, choices.go says
// what to change there, kinds.go measures kinds of fields on synthetic types, shapes.go measures
// depth, number of fields and blobs on such types. tables.go, kinds_tables.go, charts.go and
// findings.go write and draw the results.
package protofamily

import (
	"context"
	"flag"
	"slices"

	"github.com/zmylab/zmy/lab/contender"
	protobuf "github.com/zmylab/zmy/lab/contender/codecs/protobuf"
	"github.com/zmylab/zmy/lab/experiment"
	"github.com/zmylab/zmy/lab/experiment/synthetic"
	"github.com/zmylab/zmy/lab/run"
)

// Experiment compares the libraries of Protocol Buffers. Make one with New.
type Experiment struct {
	Synthetic bool // measure kinds of fields and shapes of messages too
}

// New returns the experiment with its defaults.
func New() *Experiment { return &Experiment{Synthetic: true} }

// About describes the experiment. It builds its contenders itself: the family's rows, and rows that
// the table of codecs does not have.
func (*Experiment) About() experiment.About {
	return experiment.About{Name: "protobuf", Static: true,
		Short: "the protobuf family: options, presence, field encodings, pools, and what to change first"}
}

// Flags adds the flags of the experiment to fs and returns their help.
func (e *Experiment) Flags(fs *flag.FlagSet) string {
	fs.BoolVar(&e.Synthetic, "synthetic", true, "")
	return "  -synthetic=false measure your own type only, no kinds of fields and shapes of messages\n"
}

// family is the family of contenders that the experiment is about. All others are compared with
// base: the messages of Google's generator, with proto.Marshal and proto.Unmarshal. base is
// measured twice; the difference of the two shows the noise.
const (
	family = "protobuf"
	base   = "protobuf-native"
	again  = "protobuf-native~twin"
	beside = "zmy" // the codec of another format that is measured if the user names none
)

// Result is what run.json keeps of the experiment.
type Result struct {
	Own    []*Line     `json:"own"`
	Change []*Change   `json:"change"`
	Kinds  []*SetLine  `json:"kinds,omitempty"`
	Shapes []Shape     `json:"shapes,omitempty"`
	Codecs []string    `json:"codecs"` // rows of the charts, in their order
	Beside []string    `json:"beside"` // the elements of Codecs from other families
	Names  []*Spelling `json:"variants"`
}

// Spelling is a variant of the schema, or an option of the library.
type Spelling struct {
	Codec  string `json:"codec"`
	Name   string `json:"name"`
	Fields int    `json:"fields"` // fields of the user's type that it changes
	Breaks bool   `json:"breaks"` // readers of the plain schema cannot read its messages
}

// Line is one cell of the user's type.
type Line struct {
	Codec  string       `json:"codec"`
	Op     string       `json:"op"`
	Mode   string       `json:"mode"`
	CPU    run.Estimate `json:"cpu"` // ns
	Allocs float64      `json:"allocs"`
	Bytes  float64      `json:"bytes"` // allocated, in bytes
	Wire   float64      `json:"wire"`

	samples []run.Sample
}

// bench is a run of the experiment.
type bench struct {
	*experiment.Bench
	table  []contender.Info // the user's table, and the variants
	names  []string         // the rows measured on the user's type
	own    []contender.Info // the family's rows on generated messages, and codecs of other families
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

// experiment makes the report of what was found, even if err ended the run early.
func (w *bench) experiment(err error) (*run.Experiment, error) {
	if len(w.res.Own) == 0 && err != nil {
		return nil, err
	}
	return experiment.With(&run.Experiment{
		Title: "Protocol Buffers",
		Question: "What would another library, option, spelling of the schema or a pool be worth on these messages, and what should " +
			"be changed first?",
		Absent: w.absent, Findings: w.res.findings(), Tables: w.res.tables(), Charts: w.res.charts(),
	}, w.res, err)
}

// choose lists the rows: the whole family, and the other codecs that the user named. A variant of
// the schema or an option of the library is a row of its own: another program, in the same rounds.
func (w *bench) choose() {
	o := w.Options()
	others := o.Codecs
	if len(others) == 0 {
		others = []string{beside}
	}
	w.table, w.names = slices.Clone(o.Table), slices.Clone(o.Codecs) // Build reports an unknown name
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
		w.res.Names = append(w.res.Names, &Spelling{Codec: v.Info.Name, Name: v.Name, Fields: v.Fields(w.Target()), Breaks: v.Breaks})
	}
}

// synthetic measures the types of a package that it writes for this purpose. The user's type shows
// what a change is worth for the user. These types show why, because each set of values fills one
// kind of field only.
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
