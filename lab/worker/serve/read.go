package serve

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"github.com/zmylab/zmy/lab/fidelity"
	"github.com/zmylab/zmy/lab/worker"
)

// oddMost bounds the number of odd messages that are reported.
const oddMost = 64

// keep writes the messages of timed calls to a file: for each the mode after its length, the index
// of the value, and the bytes after their length, with numbers as uvarints.
func (p *proof) keep(name string) error {
	var out []byte
	for _, m := range p.modes {
		for _, k := range m.items {
			out = binary.AppendUvarint(out, uint64(len(m.mode)))
			out = append(out, m.mode...)
			out = binary.AppendUvarint(out, uint64(k.i))
			out = binary.AppendUvarint(out, uint64(len(k.data)))
			out = append(out, k.data...)
		}
	}
	return os.WriteFile(name, out, 0o600)
}

// readFile decodes the messages in a file of another process. If q.Op is OpWire, the file holds the
// values in order, as sizes writes them; otherwise keep has written it.
func (b *binding[T, N]) readFile(q *worker.Request) (*worker.Read, error) {
	data, err := os.ReadFile(q.Args)
	if err != nil {
		return nil, err
	}
	d := &b.Codec.Decoders[0]
	r := &worker.Read{}
	if d.Input != nil { // the decoder does not read what encoders write
		return r, nil
	}
	dec := d.New()
	for len(data) > 0 {
		mode, i, msg, rest, err := record(data, q.Op == worker.OpWire, r.N)
		if err != nil || i >= len(b.Vals) {
			return nil, errors.Join(err, fmt.Errorf("%s is damaged", q.Args))
		}
		data = rest
		r.N++
		if odd, ok := b.readOne(dec, mode, i, msg); ok && len(r.Odd) < oddMost {
			r.Odd = append(r.Odd, odd)
		}
	}
	return r, nil
}

var errCut = errors.New("a record is cut short")

// record splits the next message off data.
func record(data []byte, wire bool, n int) (mode string, i int, msg, rest []byte, err error) {
	number := func() int {
		x, k := binary.Uvarint(data)
		if k <= 0 || x > uint64(len(data)) && x > 1<<31 {
			err, k = errCut, len(data)
		}
		data = data[k:]
		return int(x)
	}
	part := func() []byte {
		k := number()
		if err != nil || k > len(data) {
			err = errCut
			return nil
		}
		p := data[:k:k]
		data = data[k:]
		return p
	}
	mode, i = "fresh", n
	if !wire {
		mode = string(part())
		i = number()
	}
	msg = part()
	return mode, i, msg, data, err
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
	diffs := fidelity.Compare(b.original(i), after, b.allowed())
	if len(diffs) == 0 {
		return odd, false
	}
	odd = oddOf("encode", mode, i, diffs)
	odd.Check = worker.CheckReader
	return odd, true
}
