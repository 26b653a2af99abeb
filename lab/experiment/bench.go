package experiment

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/zmylab/zmy/lab"
	"github.com/zmylab/zmy/lab/run"
)

// Bench is what an experiment works with: the subject, the options, and the contenders that can
// carry the subject. The contenders are built and judged, and can be started.
type Bench struct {
	*lab.Opened
	Depth      lab.Depth
	Contenders []*lab.Built
	UI         lab.UI

	prior *run.Run // the report that the folder held before this run, or nil
	*notes
}

// notes are shared by a bench and the benches that On makes of it, since the report has one list of
// warnings and the progress line has one clock.
type notes struct {
	begun    time.Time // start of the run, then the latest call of Begin
	warnings []string
}

// Budget returns the time that the experiment should spend measuring, as a guide.
func (b *Bench) Budget() time.Duration {
	if o := b.Options(); o.Budget > 0 {
		return o.Budget
	}
	return b.Depth.Budget()
}

// Launches returns the number of launches among which the budget is divided. A launch is a set of
// new processes. Two processes of one program lay out their memory differently, so they differ by
// more than the readings of one process do. So further launches prove more than further readings.
// The numbers for Standard and Paper are those of the table of codecs.
func (b *Bench) Launches() int {
	return cmp.Or(map[lab.Depth]int{lab.Standard: 5, lab.Paper: 10}[b.Depth], 3)
}

// Prior returns the report that the folder held before this run, or nil.
func (b *Bench) Prior() *run.Run { return b.prior }

// Warn adds a warning for the reader of the report. A text that was added before is not repeated.
func (b *Bench) Warn(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); !slices.Contains(b.warnings, text) {
		b.warnings = append(b.warnings, text)
	}
}

// Begin restarts the clock of Progress. Experiments that build programs of their own call it when
// these are built.
func (b *Bench) Begin() { b.begun = time.Now() }

// Progress shows the user what is being measured, the time since Begin, and the budget.
func (b *Bench) Progress(what string) {
	b.UI.Rounds(what, time.Since(b.begun), b.Budget())
}

// Rand returns a source of random numbers, for example for the order of measurements. It depends on
// the run's seed and on stream only. So a run can be repeated, and a part that draws more numbers
// does not change the order of another part.
func (b *Bench) Rand(stream string) *rand.Rand {
	h := fnv.New64a()
	h.Write([]byte(stream))
	return rand.New(rand.NewPCG(b.Options().Seed, h.Sum64()))
}

// Drop tells the user and the report that the rest of the experiment leaves out a contender, and
// why.
func (b *Bench) Drop(name string, err error) {
	text := fmt.Sprintf("%s is left out: %v", name, err)
	b.UI.Note(text)
	b.Warn("%s", text)
}

// On returns a bench for another subject, with the settings of b. Its warnings and progress go to
// b. Experiments use it to measure types of their own.
func (b *Bench) On(o *lab.Opened, contenders []*lab.Built) *Bench {
	return &Bench{Opened: o, Depth: b.Depth, Contenders: contenders, UI: b.UI, notes: b.notes}
}

// Contender returns the contender with this name, or nil.
func (b *Bench) Contender(name string) *lab.Built {
	return First(b.Contenders, func(c *lab.Built) bool { return c.Name == name })
}

// Silent is a lab.UI that shows nothing. Package synthetic uses it, since the lab's messages about
// each synthetic type would repeat themselves; the experiment says which type it measures.
type Silent struct{}

func (Silent) Doing(string)                                {}
func (Silent) Say(string)                                  {}
func (Silent) Note(string)                                 {}
func (Silent) First(*run.Contender, []*run.Cell)           {}
func (Silent) Rounds(string, time.Duration, time.Duration) {}
