package bench

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"

	"github.com/zmylab/zmy/lab/worker"
)

// respell returns a JSON document in another spelling with the same meaning. Strings and numbers
// are not changed. Objects with repeated keys keep their order, since the last member counts.
func respell(doc []byte, input string, r *rand.Rand) ([]byte, error) {
	var out bytes.Buffer
	switch input {
	case worker.InputIndented:
		err := json.Indent(&out, doc, "", "  ")
		return out.Bytes(), err
	case worker.InputShuffled:
		if err := shuffleMembers(&out, json.RawMessage(doc), r); err != nil {
			return nil, err
		}
		return out.Bytes(), nil
	}
	return nil, fmt.Errorf("input %q: choose one of %q", input, worker.Inputs)
}

// shuffleMembers writes a value with the members of its objects in random order.
func shuffleMembers(out *bytes.Buffer, v json.RawMessage, r *rand.Rand) error {
	v = bytes.TrimSpace(v)
	if len(v) == 0 || v[0] != '{' && v[0] != '[' {
		out.Write(v)
		return nil
	}
	d := json.NewDecoder(bytes.NewReader(v))
	if _, err := d.Token(); err != nil {
		return err
	}
	var keys []string // as they are written; empty for an array
	var parts []json.RawMessage
	for d.More() {
		if v[0] == '{' {
			from := d.InputOffset()
			if _, err := d.Token(); err != nil {
				return err
			}
			keys = append(keys, string(bytes.TrimLeft(v[from:d.InputOffset()], ", \t\r\n")))
		}
		var part json.RawMessage
		if err := d.Decode(&part); err != nil {
			return err
		}
		parts = append(parts, part)
	}
	order := make([]int, len(parts))
	for i := range order {
		order[i] = i
	}
	if v[0] == '{' && !repeated(keys) {
		r.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	}
	out.WriteByte(v[0])
	for n, i := range order {
		if n > 0 {
			out.WriteByte(',')
		}
		if v[0] == '{' {
			out.WriteString(keys[i])
			out.WriteByte(':')
		}
		if err := shuffleMembers(out, parts[i], r); err != nil {
			return err
		}
	}
	out.WriteByte(v[0] + 2) // in ASCII a closing bracket comes two after its opening one
	if _, err := d.Token(); err != nil {
		return err
	}
	if _, err := d.Token(); err != io.EOF {
		return fmt.Errorf("something follows the document")
	}
	return nil
}

func repeated(keys []string) bool {
	seen := map[string]bool{}
	for _, k := range keys {
		if seen[k] {
			return true
		}
		seen[k] = true
	}
	return false
}

// RespellAll makes the input of decoders from the output of the first encoder.
func (b *Bench[N]) RespellAll(input string, seed uint64) error {
	if input == worker.InputAsWritten {
		return nil
	}
	wire, err := b.Encoded()
	if err != nil {
		return err
	}
	r := rand.New(rand.NewPCG(seed, 0x7370656c6c)) // "spell"
	b.Respelled = make([][]byte, len(wire))
	for i, doc := range wire {
		if b.Respelled[i], err = respell(doc, input, r); err != nil {
			return fmt.Errorf("value %d: %w", i, err)
		}
	}
	return nil
}
