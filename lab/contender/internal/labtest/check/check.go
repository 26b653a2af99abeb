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
	Encoders []string
	Bytes    int      // total length of the first encoder's messages
	Diffs    []string // kinds of changes, each as it was first seen
	Bad      []string // broken promises: errors, broken contracts
}

// Run checks c on vals, which convert turns into c's type. It writes the result as JSON to the
// file.
func Run[T, N any](file string, c worker.Contender[N], vals []T, convert func(*T) (N, error)) {
	r := new(Result)
	defer r.write(file)
	for _, e := range c.Encoders {
		r.Encoders = append(r.Encoders, e.Mode)
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
	for _, e := range c.Encoders {
		messages, err := encoded(e, ns)
		if err != nil {
			r.bad("%s: encode value %d: %v", e.Mode, len(messages), err)
			return
		}
		if r.Bytes == 0 {
			r.Bytes = len(slices.Concat(messages...))
		}
		for _, d := range c.Decoders {
			mode := e.Mode + "/" + d.Mode
			decode, to := d.New(), new(N)
			for i, message := range messages {
				if !d.Reuse {
					to = new(N)
				}
				in := slices.Clone(message)
				err := decode(in, to)
				if !d.Alias { // a value that still points into the input changes now
					for k := range in {
						in[k] ^= 0x55
					}
				}
				var got any
				if err == nil {
					got, err = c.Compare(to)
				}
				if err != nil {
					r.bad("%s: value %d: %v", mode, i, err)
					continue
				}
				for _, x := range fidelity.Compare(vals[i], got, c.Allowed()) {
					if line := x.Kind + " " + x.Pattern + " " + x.Cause; !seen[line] {
						seen[line] = true
						r.Diffs = append(r.Diffs, x.Kind+" "+x.String()+" ("+mode+")")
					}
				}
				if c.Mapped == nil {
					continue
				}
				want, err := c.Mapped(&ns[i]) // the contract: values come back as Mapped returns them
				if err != nil {
					r.bad("mapped: %v", err)
					continue
				}
				for _, x := range fidelity.Compare(want, got, fidelity.Options{}) {
					if x.Kind == fidelity.Lossy {
						r.bad("%s: contract: %s", mode, x)
					}
				}
			}
		}
	}
}

// encoded returns copies of the messages of values. The encoder gets nil in mode fresh, and its
// previous result in the others, as the contract says.
func encoded[N any](e worker.Encoder[N], ns []N) (messages [][]byte, err error) {
	encode := e.New()
	var buf []byte
	for i := range ns {
		if buf = buf[:0]; e.Mode == "fresh" {
			buf = nil
		}
		if buf, err = encode(buf, &ns[i]); err != nil {
			return messages, err
		}
		messages = append(messages, slices.Clone(buf))
	}
	return messages, nil
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
