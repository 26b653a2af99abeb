package worker

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
)

// The inputs: how the JSON is spelled that decoders and accessors read.
const (
	InputAsWritten = ""         // as mode fresh of the codec wrote it
	InputIndented  = "indented" // by two blanks a level, as pretty printers do
	InputShuffled  = "shuffled" // the members of every object in an order drawn anew
)

// Inputs are those that can be asked for by name.
var Inputs = []string{InputIndented, InputShuffled}

// respell returns a JSON document with the same meaning in another spelling. Strings and
// numbers keep theirs, and an object with repeated keys its order, since the last one counts.
func respell(doc []byte, input string, r *rand.Rand) ([]byte, error) {
	var out bytes.Buffer
	switch input {
	case InputIndented:
		err := json.Indent(&out, doc, "", "  ")
		return out.Bytes(), err
	case InputShuffled:
		if err := shuffleMembers(&out, json.RawMessage(doc), r); err != nil {
			return nil, err
		}
		return out.Bytes(), nil
	}
	return nil, fmt.Errorf("input %q: choose one of %q", input, Inputs)
}

// shuffleMembers writes a value with the members of its objects in another order.
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
	var keys []string // as they are written; none in an array
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
	out.WriteByte(v[0] + 2) // the closing bracket stands two after the opening one in ASCII
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

// respellAll makes what decoders read from what the first encoder writes.
func (b *bench[T, N]) respellAll(input string, seed uint64) error {
	if input == InputAsWritten {
		return nil
	}
	wire, err := b.encoded()
	if err != nil {
		return err
	}
	r := rand.New(rand.NewPCG(seed, 0x7370656c6c)) // "spell"
	b.respelled = make([][]byte, len(wire))
	for i, doc := range wire {
		if b.respelled[i], err = respell(doc, input, r); err != nil {
			return fmt.Errorf("value %d: %w", i, err)
		}
	}
	return nil
}
