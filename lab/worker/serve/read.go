package serve

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/zmylab/zmy/lab/fidelity"
	"github.com/zmylab/zmy/lab/worker"
)

// oddMost bounds the number of odd messages that are reported.
const oddMost = 64

// readFile decodes the messages in a file of another process.
func (b *binding[T, N]) readFile(q *worker.Request) (*worker.Read, error) {
	d, r := &b.Codec.Decoders[0], &worker.Read{}
	if d.Input != nil { // the decoder does not read what encoders write
		return r, nil
	}
	messages, err := b.messages(q.Args)
	dec := d.New()
	for _, m := range messages {
		r.N++
		if odd, ok := b.readOne(dec, m.Mode, m.Value, m.Data); ok && len(r.Odd) < oddMost {
			r.Odd = append(r.Odd, odd)
		}
	}
	return r, err
}

// messages reads a file of another process that has the same values.
func (b *binding[T, N]) messages(file string) ([]worker.Message, error) {
	all, err := worker.ReadMessages(file)
	for _, m := range all {
		if m.Value < 0 || m.Value >= len(b.Vals) {
			err = errors.Join(err, fmt.Errorf("%d values do not include number %d", len(b.Vals), m.Value))
		}
	}
	if err != nil {
		return nil, fmt.Errorf("%s is damaged: %w", file, err)
	}
	return all, nil
}

func (b *binding[T, N]) readOne(dec func([]byte, *N) error, mode string, i int, msg []byte) (worker.Odd, bool) {
	odd := worker.Odd{Op: "encode", Mode: mode, Value: i, Check: worker.CheckReader}
	after, err := b.decoded(dec, bytes.Clone(msg))
	if err != nil {
		odd.Text = "decoding fails: " + err.Error()
		return odd, true
	}
	if b.Codec.Family == "json" && b.Codec.Mapped == nil {
		if ref, err := json.Marshal(&b.Vals[i]); err == nil {
			if same, path := fidelity.SameJSON(ref, msg); !same {
				odd.Check, odd.Text = worker.CheckDocument, fmt.Sprintf("it is not what encoding/json writes (%s): %s", path, short(msg))
				return odd, true
			}
		}
	}
	diffs := fidelity.Compare(b.original(i), after, b.later())
	if len(diffs) == 0 {
		return odd, false
	}
	odd = oddOf("encode", mode, i, diffs)
	odd.Check = worker.CheckReader
	return odd, true
}
