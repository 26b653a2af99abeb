package experiment

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/zmylab/zmy/lab"
	"github.com/zmylab/zmy/lab/run"
)

// Bench is what an experiment works on: the subject, the contenders that can carry it,
// built, judged and ready to be started, and the options.
type Bench struct {
	*lab.Opened
	Depth      lab.Depth
	Contenders []*lab.Built
	UI         lab.UI

	prior    *run.Run // the report that lies in the folder, or nil
	start    time.Time
	begun    time.Time // when all was built
	warnings []string
	outer    *Bench // that this one is a part of, or nil: see On
}

// Budget is about how long the experiment may measure.
func (b *Bench) Budget() time.Duration {
	if b.outer != nil {
		return b.outer.Budget()
	}
	if o := b.Options(); o.Budget > 0 {
		return o.Budget
	}
	return b.Depth.Budget()
}

// Launches is into how many lives of the processes the budget is divided.
func (b *Bench) Launches() int {
	switch b.Depth {
	case lab.Standard:
		return 5
	case lab.Paper:
		return 10
	}
	return 3
}

// Prior is the report that was in the folder before, nil without one.
func (b *Bench) Prior() *run.Run { return b.prior }

// Warn adds a doubt that a reader must know, once.
func (b *Bench) Warn(format string, args ...any) {
	if b.outer != nil {
		b.outer.Warn(format, args...)
		return
	}
	if text := fmt.Sprintf(format, args...); !slices.Contains(b.warnings, text) {
		b.warnings = append(b.warnings, text)
	}
}

// Begin counts the time of Progress from now on: for experiments that have built programs of
// their own.
func (b *Bench) Begin() {
	if b.outer != nil {
		b.outer.Begin()
	}
	b.begun = time.Now()
}

// Progress says how far the experiment is.
func (b *Bench) Progress(what string) {
	b.UI.Rounds(what, time.Since(b.begun), b.Budget())
}

// Rand is a source for the order of measurements, the same one for the same seed.
func (b *Bench) Rand(stream string) *rand.Rand {
	h := uint64(14695981039346656037) // FNV-1a
	for _, c := range []byte(stream) {
		h = (h ^ uint64(c)) * 1099511628211
	}
	return rand.New(rand.NewPCG(b.Options().Seed, h))
}

// Drop leaves a contender out of the rest of the experiment, with the reason.
func (b *Bench) Drop(name string, err error) {
	text := fmt.Sprintf("%s is left out: %v", name, err)
	b.UI.Note(text)
	b.Warn("%s", text)
}

// On is the same bench on another subject: a part of an experiment that measures types of
// its own.
func (b *Bench) On(o *lab.Opened, contenders []*lab.Built) *Bench {
	return &Bench{Opened: o, Depth: b.Depth, Contenders: contenders, UI: b.UI, start: b.start, begun: b.begun, outer: b}
}
