package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"sync"

	"github.com/zmylab/zmy/internal/zmymodel"
	"github.com/zmylab/zmy/internal/zmyvector"
)

const (
	batch       = 512  // mutants that travel together
	maxMutated  = 1024 // bytes of a vector that is damaged
	maxReported = 20
)

// mutant is a damaged vector, and what the model makes of it.
type mutant struct {
	zmyvector.Request
	want zmyvector.Outcome
}

// mutate sends n damaged vectors to all testees and holds what they say against the
// model: the verdict, its place, and what is written again.
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
	accepted, wrong := 0, 0
	for done := 0; done < n; {
		list, err := m.next(min(batch, n-done))
		if err != nil {
			return false, err
		}
		done += len(list)
		for _, x := range list {
			if x.want.Code == "ok" {
				accepted++
			}
		}
		faults, err := ask(running, list)
		if err != nil {
			return false, err
		}
		for _, f := range faults {
			if wrong++; wrong <= maxReported {
				fmt.Fprintln(w, f)
			}
		}
	}
	modes := 0
	for _, t := range running {
		modes += len(t.modes)
	}
	fmt.Fprintf(w, "%d mutants of %d vectors (seed %d), %d accepted: in %d modes %d disagree with the model\n", n, len(m.seeds), seed, accepted, modes, wrong)
	return wrong == 0, nil
}

// ask sends mutants to all testees at once.
func ask(running []*testee, list []mutant) (faults []string, err error) {
	var wg sync.WaitGroup
	all := make([][]string, len(running))
	errs := make([]error, len(running))
	for i, t := range running {
		wg.Go(func() { all[i], errs[i] = t.ask(list) })
	}
	wg.Wait()
	for _, f := range all {
		faults = append(faults, f...)
	}
	return faults, errors.Join(errs...)
}

// ask sends mutants in each mode and returns where the testee disagrees.
func (t *testee) ask(list []mutant) (faults []string, err error) {
	requests := make([]zmyvector.Request, len(list))
	for i := range list {
		requests[i] = list[i].Request
	}
	for mode, name := range t.modes {
		i := 0
		for got, err := range t.Batch(mode, requests) {
			x := list[i]
			i++
			if errors.Is(err, zmyvector.ErrUnsupported) {
				continue
			}
			if err != nil {
				return faults, fmt.Errorf("%s %s: %s %x: %w", t.name, name, x.Reader, x.Input, err)
			}
			if !agrees(got, x.want) {
				faults = append(faults, fmt.Sprintf("%s %s: reader %s, exact %t, %x\n  says %s\n  model %s", t.name, name, x.Reader, x.Limits.Exact, x.Input, outcome(got), outcome(x.want)))
			}
		}
	}
	return faults, nil
}

// agrees compares outcomes. A testee that tells no path knows no names.
func agrees(got, want zmyvector.Outcome) bool {
	return got.Code == want.Code && got.At == want.At && (got.Path == "" || got.Path == want.Path) && bytes.Equal(got.Reencode, want.Reencode)
}

func outcome(o zmyvector.Outcome) string {
	if o.Code == "ok" {
		return fmt.Sprintf("ok %x", o.Reencode)
	}
	return fmt.Sprintf("%s at %d (%s)", o.Code, o.At, o.Path)
}

// mutator draws mutants.
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
		v := m.seeds[m.r.IntN(len(m.seeds))]
		x := zmyvector.Request{Reader: v.Reader, Limits: v.Limits, Input: zmymodel.Damage(m.r, v.Bytes())}
		if _, ok := zmyvector.Find(v.Reader); ok && m.r.IntN(16) == 0 {
			x.Reader = m.readers[m.r.IntN(len(m.readers))].Name // another type's message
		}
		x.Limits.Exact = m.r.IntN(4) == 0
		want, err := zmyvector.Model(x.Reader, x.Input, x.Limits)
		if err != nil {
			return nil, err
		}
		out[i] = mutant{x, want}
	}
	return out, nil
}
