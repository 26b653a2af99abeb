package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"

	"github.com/zmylab/zmy/internal/zmymodel"
	"github.com/zmylab/zmy/internal/zmyvector"
)

const (
	batch       = 2048 // mutants that are sent together
	maxMutated  = 1024 // largest vector, in bytes, that is damaged
	maxReported = 20
)

// mutant is a damaged message, and the model's outcome for it.
type mutant struct {
	zmyvector.Request
	want   zmyvector.Outcome
	fields string // the value in JSON, if it is accepted
}

// mutate sends n messages, most of them damaged, to all testees, and compares the answers with the
// model: the verdict, its position, the value, and the bytes that the value is marshalled to. A
// testee gets each batch in one of its modes; the modes take turns.
func mutate(w io.Writer, args []string, n int, seed uint64, vectors []zmyvector.Vector) (good bool, err error) {
	var running []*testee
	defer func() {
		for _, t := range running {
			err = errors.Join(err, t.stop())
		}
	}()
	for _, arg := range args {
		t, err := start(arg)
		if err != nil {
			return false, err
		}
		running = append(running, t)
	}
	m := newMutator(seed, vectors)
	list, err := m.next(min(batch, n))
	accepted, wrong := 0, 0
	for turn, left := 0, n; err == nil && left > 0; turn++ {
		left -= len(list)
		for _, x := range list {
			if x.want.Code == "ok" {
				accepted++
			}
		}
		var after []mutant // made while the testees work
		var failed error
		var wg sync.WaitGroup
		wg.Go(func() { after, failed = m.next(min(batch, left)) })
		faults, asked := ask(running, list, turn)
		wg.Wait()
		err = errors.Join(failed, asked)
		for _, f := range faults {
			if wrong++; wrong <= maxReported {
				fmt.Fprintln(w, f)
			}
		}
		list = after
	}
	if err != nil {
		return false, err
	}
	fmt.Fprintf(w, "%d mutants of %d vectors (seed %d), %d accepted: of the answers of %s %d disagree with the model\n", n,
		len(m.seeds), seed, accepted, names(running), wrong)
	return wrong == 0, nil
}

// names lists the testees with the number of their modes.
func names(running []*testee) string {
	var list []string
	for _, t := range running {
		list = append(list, fmt.Sprintf("%s (%d modes)", t.name, len(t.modes)))
	}
	return strings.Join(list, ", ")
}

// ask sends mutants to all testees at the same time.
func ask(running []*testee, list []mutant, turn int) (faults []string, err error) {
	var wg sync.WaitGroup
	all := make([][]string, len(running))
	errs := make([]error, len(running))
	for i, t := range running {
		wg.Go(func() { all[i], errs[i] = t.ask(list, turn%len(t.modes)) })
	}
	wg.Wait()
	return slices.Concat(all...), errors.Join(errs...)
}

// ask sends mutants in one mode and returns the answers that differ from the model.
func (t *testee) ask(list []mutant, mode int) (faults []string, err error) {
	requests := make([]zmyvector.Request, len(list))
	for i := range list {
		requests[i] = list[i].Request
	}
	i := 0
	for got, err := range t.Batch(mode, requests) {
		x := &list[i]
		i++
		if errors.Is(err, zmyvector.ErrUnsupported) {
			err = nil
			got = zmyvector.Outcome{Code: "unsupported"}
		}
		if err != nil {
			return faults, fmt.Errorf("%s %s: %s %x: %w", t.name, t.modes[mode], x.Reader, x.Input, err)
		}
		if f := x.fault(got); f != "" {
			faults = append(faults, fmt.Sprintf("%s %s: reader %s, exact %t, limits %+v, %x\n  %s", t.name, t.modes[mode], x.Reader,
				x.Limits.Exact, x.Limits, x.Input, f))
		}
	}
	return faults, nil
}

// fault describes how an answer differs from the model, or returns "". A path or a value that the
// testee does not report is not compared.
func (x *mutant) fault(got zmyvector.Outcome) string {
	same := got.Code == x.want.Code && got.At == x.want.At && (got.Path == "" || got.Path == x.want.Path) &&
		bytes.Equal(got.Reencode, x.want.Reencode)
	if !same {
		return fmt.Sprintf("says %s\n  model %s", outcome(got), outcome(x.want))
	}
	if fields := got.Value(); fields != "" && fields != x.fields {
		return fmt.Sprintf("reads %s\n  model %s", fields, x.fields)
	}
	return ""
}

func outcome(o zmyvector.Outcome) string {
	if o.Code == "ok" {
		return fmt.Sprintf("ok %x", o.Reencode)
	}
	return fmt.Sprintf("%s at %d (%s)", o.Code, o.At, o.Path)
}

// mutator makes random mutants.
type mutator struct {
	r       *rand.Rand
	seeds   []zmyvector.Vector
	readers []zmyvector.Reader
}

func newMutator(seed uint64, vectors []zmyvector.Vector) *mutator {
	m := &mutator{r: rand.New(rand.NewPCG(seed, 0)), readers: zmyvector.Readers()}
	for _, v := range vectors {
		if len(v.Bytes()) <= maxMutated {
			m.seeds = append(m.seeds, v)
		}
	}
	return m
}

func (m *mutator) next(n int) ([]mutant, error) {
	out := make([]mutant, n)
	for i := range out {
		x := m.draw()
		want, err := zmyvector.Model(x.Reader, x.Input, x.Limits)
		if err != nil {
			return nil, err
		}
		out[i] = mutant{x, want, zmyvector.Canonical(want.Value())}
	}
	return out, nil
}

// draw makes a request. It is a damaged vector, or a message of a random value, which is damaged in
// half of the cases. Some requests name another type, or have limits that the message may exceed.
func (m *mutator) draw() (x zmyvector.Request) {
	r := m.r
	if r.IntN(4) == 0 {
		of := m.readers[r.IntN(len(m.readers))]
		x.Reader = of.Name
		x.Input = zmymodel.Encode(of.Type, zmymodel.Random(of.Type, r, 1+r.IntN(4), 1+r.IntN(4)))
		if r.IntN(2) == 0 {
			x.Input = zmymodel.Damage(r, x.Input)
		}
	} else {
		v := m.seeds[r.IntN(len(m.seeds))]
		x = zmyvector.Request{Reader: v.Reader, Limits: v.Limits, Input: zmymodel.Damage(r, v.Bytes())}
	}
	if _, message := zmyvector.Find(x.Reader); message && r.IntN(16) == 0 {
		x.Reader = m.readers[r.IntN(len(m.readers))].Name
	}
	x.Limits.Exact = r.IntN(4) == 0
	switch r.IntN(16) {
	case 0:
		x.Limits.Budget = 1 + r.Int64N(1<<r.IntN(14))
	case 1:
		x.Limits.MaxDepth = 1 + r.IntN(6)
	case 2:
		x.Limits.MaxWire = 1 + r.IntN(1+2*len(x.Input))
	}
	return x
}
