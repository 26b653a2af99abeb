//go:build ignore

// Package check takes every value through a round trip by each of a contender's encoders and
// decoders. It reports what changed.
package check

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"

	"github.com/zmylab/zmy/lab/fidelity"
	"github.com/zmylab/zmy/lab/worker"
)

// Result is the report of Run.
type Result struct {
	Encoders, Decoders []string
	Bytes              int      // of all messages of the first encoder
	Diffs              []string // changes in mode fresh
	Bad                []string // broken promises: errors, modes that disagree, broken contracts
}

// Run checks c on vals, which convert turns into c's type. It writes the result as JSON to the
// file.
func Run[T, N any](file string, c worker.Contender[N], vals []T, convert func(*T) (N, error)) {
	r := new(Result)
	defer r.write(file)
	for _, e := range c.Encoders {
		r.Encoders = append(r.Encoders, e.Mode)
	}
	for _, d := range c.Decoders {
		r.Decoders = append(r.Decoders, d.Mode)
	}
	ns := make([]N, len(vals))
	for i := range vals {
		n, err := convert(&vals[i])
		if err != nil {
			r.bad("convert value %d: %v", i, err)
			return
		}
		ns[i] = n
	}
	if c.Setup != nil {
		if err := c.Setup(ns); err != nil {
			r.bad("setup: %v", err)
		}
	}
	if c.Compare == nil {
		c.Compare = func(n *N) (any, error) { return *n, nil }
	}
	trips(r, c, vals, ns)
}

func trips[T, N any](r *Result, c worker.Contender[N], vals []T, ns []N) {
	seen := map[string]bool{}
	for ei, e := range c.Encoders {
		enc := e.New()
		var buf []byte
		decs := make([]func([]byte, *N) error, len(c.Decoders))
		targets := make([]N, len(c.Decoders))
		for i, d := range c.Decoders {
			decs[i] = d.New()
		}
		for i := range ns {
			var dst []byte // as the contract says: nil in mode fresh, else the previous result
			if e.Mode != "fresh" {
				dst = buf[:0]
			}
			b, err := enc(dst, &ns[i])
			if err != nil {
				r.bad("%s: encode value %d: %v", e.Mode, i, err)
				return
			}
			buf = b
			if ei == 0 {
				r.Bytes += len(b)
			}
			for di, d := range c.Decoders {
				t := new(N)
				if d.Reuse {
					t = &targets[di]
				}
				in := slices.Clone(b)
				if err := decs[di](in, t); err != nil {
					r.bad("%s/%s: decode value %d: %v", e.Mode, d.Mode, i, err)
					continue
				}
				if !d.Alias { // whatever still points into the input now shows as a change
					for k := range in {
						in[k] ^= 0x55
					}
				}
				got, err := c.Compare(t)
				if err != nil {
					r.bad("%s/%s: value %d: %v", e.Mode, d.Mode, i, err)
					continue
				}
				for _, x := range fidelity.Compare(vals[i], got, c.Allowed()) {
					if line := x.Kind + " " + x.Pattern + " " + x.Cause; !seen[line] {
						seen[line] = true
						r.Diffs = append(r.Diffs, x.Kind+" "+x.String()+" ("+e.Mode+"/"+d.Mode+")")
					}
				}
				if c.Mapped != nil { // the family's contract: what its own mapping can carry comes back
					want, err := c.Mapped(&ns[i])
					if err != nil {
						r.bad("mapped: %v", err)
						continue
					}
					for _, x := range fidelity.Compare(want, got, fidelity.Options{}) {
						if x.Kind == fidelity.Lossy {
							r.bad("%s/%s: contract: %s", e.Mode, d.Mode, x)
						}
					}
				}
			}
		}
	}
}

func (r *Result) bad(format string, args ...any) {
	if len(r.Bad) < 20 {
		r.Bad = append(r.Bad, fmt.Sprintf(format, args...))
	}
}

func (r *Result) write(file string) {
	b, err := json.Marshal(r)
	if err == nil {
		err = os.WriteFile(file, b, 0o600)
	}
	if err != nil {
		panic(err)
	}
}
