package zmyvector

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/zmylab/zmy/internal/zmymodel"
)

// Vector is one line of a file in spec/vectors; README.md there explains it.
type Vector struct {
	ID        string          `json:"id"`
	Reader    string          `json:"reader"`
	Hex       string          `json:"hex"`
	Limits    zmymodel.Limits `json:"limits,omitzero"`
	Expect    string          `json:"expect"` // "ok" or the name of an error code
	At        int             `json:"at,omitempty"`
	Path      string          `json:"path,omitempty"`
	Fields    json.RawMessage `json:"fields,omitempty"`
	Reencode  string          `json:"reencode,omitempty"`
	Truncated string          `json:"truncated,omitempty"`
	Flips     string          `json:"flips,omitempty"`
}

// Messages up to these sizes are tried with every truncation, and every flipped bit.
const (
	maxTruncated = 2048
	maxFlips     = 256
	maxText      = 4096 // of fields and of reencode: longer ones are hashed
)

// Bytes is the input.
func (v *Vector) Bytes() []byte { return Unpack(v.Hex) }

// Outcome is what a reader makes of bytes.
type Outcome struct {
	Code     string // "ok" or an error code
	At       int
	Path     string
	Fields   func() string // JSON; nil if not known; valid until the next call
	Reencode []byte
}

// Value is what o.Fields says, "" if it is not known.
func (o *Outcome) Value() string {
	if o.Fields == nil {
		return ""
	}
	return o.Fields()
}

// Implementation reads the bytes b as the type of that name.
type Implementation func(reader string, b []byte, l zmymodel.Limits) (Outcome, error)

// Model is the slow model as an Implementation.
func Model(reader string, b []byte, l zmymodel.Limits) (Outcome, error) {
	if run := frames[reader]; run != nil {
		return run(b, l), nil
	}
	r, ok := Find(reader)
	if !ok {
		return Outcome{}, fmt.Errorf("no reader %s", reader)
	}
	v, f := zmymodel.Decode(r.Type, b, l)
	if f != nil {
		return Outcome{Code: f.Code, At: f.Offset, Path: f.Path}, nil
	}
	spell := func() string { return r.Type.Spell(v) }
	return Outcome{Code: "ok", Fields: spell, Reencode: zmymodel.Encode(r.Type, v)}, nil
}

// Fill sets what the implementation says of the vector's input.
func (v *Vector) Fill(run Implementation) error {
	b := v.Bytes()
	out, err := run(v.Reader, b, v.Limits)
	if err != nil {
		return err
	}
	v.Expect, v.At, v.Path = out.Code, out.At, out.Path
	v.Fields, v.Reencode, v.Truncated, v.Flips = nil, "", "", ""
	if out.Code != "ok" {
		return nil
	}
	fields := out.Value()
	v.Fields = json.RawMessage(fields)
	if len(fields) > maxText {
		v.Fields = json.RawMessage(`"#` + hash([]byte(fields)) + `"`)
	}
	v.Reencode = "same"
	if !bytes.Equal(out.Reencode, b) {
		if v.Reencode = Pack(out.Reencode); len(v.Reencode) > maxText {
			v.Reencode = "#" + hash(out.Reencode)
		}
	}
	if len(b) <= maxTruncated {
		if v.Truncated, err = truncations(run, v, b); err != nil {
			return err
		}
	}
	if len(b) <= maxFlips {
		v.Flips, err = flips(run, v, b)
	}
	return err
}

// hash is the first 8 bytes of the SHA-256 in hexadecimal: what stands, behind #,
// for texts that are too long.
func hash(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:8])
}

// truncations are the codes of all proper prefixes, then that of the input with a
// zero byte behind it, as "TRUNCATED*4 ENDS*9".
func truncations(run Implementation, v *Vector, b []byte) (string, error) {
	var out []string
	last, n := "", 0
	flush := func() {
		if n > 0 {
			out = append(out, last+"*"+strconv.Itoa(n))
		}
	}
	for i := range len(b) + 1 {
		x := b[:i:i]
		if i == len(b) {
			x = append(x, 0)
		}
		o, err := run(v.Reader, x, v.Limits)
		if err != nil {
			return "", err
		}
		if o.Code != last {
			flush()
			last, n = o.Code, 0
		}
		n++
	}
	flush()
	return strings.Join(out, " "), nil
}

// flips is a hash over the outcomes of the input with each bit flipped in turn,
// the lowest of the first byte first: its code and a line feed, or "ok " and the
// message that is written again in hexadecimal.
func flips(run Implementation, v *Vector, b []byte) (string, error) {
	var text bytes.Buffer
	x := bytes.Clone(b)
	for i := range 8 * len(b) {
		x[i/8] ^= 1 << (i % 8)
		o, err := run(v.Reader, x, v.Limits)
		if err != nil {
			return "", err
		}
		text.WriteString(o.Code)
		if o.Code == "ok" {
			fmt.Fprintf(&text, " %x", o.Reencode)
		}
		text.WriteByte('\n')
		x[i/8] ^= 1 << (i % 8)
	}
	return hash(text.Bytes()), nil
}

// Check reports where the implementation does not say what the vector does. An
// outcome without path or fields stands for one that cannot tell them.
func (v *Vector) Check(run Implementation) error {
	got := Vector{ID: v.ID, Reader: v.Reader, Hex: v.Hex, Limits: v.Limits}
	if err := got.Fill(run); err != nil {
		return err
	}
	if got.Path == "" {
		got.Path = v.Path
	}
	if len(got.Fields) == 0 {
		got.Fields = v.Fields
	}
	x, y := got.line(), v.line()
	if x != y {
		return fmt.Errorf("got\n%s\nwant\n%s", x, y)
	}
	return nil
}

func (v *Vector) line() string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err)
	}
	return b.String()
}

// Pack writes bytes in hexadecimal, a long run of one byte as (78)*65536.
func Pack(b []byte) string {
	var s strings.Builder
	for len(b) > 0 {
		n := 1
		for n < len(b) && b[n] == b[0] {
			n++
		}
		if n < 16 {
			s.WriteString(hex.EncodeToString(b[:n]))
		} else {
			fmt.Fprintf(&s, "(%02x)*%d ", b[0], n)
		}
		b = b[n:]
	}
	return strings.TrimSuffix(s.String(), " ")
}

// Unpack is the inverse of Pack; blanks count for nothing.
func Unpack(s string) []byte {
	var out []byte
	for len(s) > 0 {
		part, rest, repeat := strings.Cut(s, "(")
		b, err := hex.DecodeString(strings.Join(strings.Fields(part), ""))
		if err != nil {
			panic(err)
		}
		out = append(out, b...)
		if !repeat {
			return out
		}
		group, rest, _ := strings.Cut(rest, ")*")
		count, rest, _ := strings.Cut(rest, " ")
		n, err := strconv.Atoi(count)
		if err != nil {
			panic(err)
		}
		out = append(out, bytes.Repeat(Unpack(group), n)...)
		s = rest
	}
	return out
}

// Files are the files of vectors: "scalars/Scalars.jsonl", sorted.
func Files() ([]string, error) {
	list, err := filepath.Glob(filepath.Join(Dir(), "*", "*.jsonl"))
	if err != nil {
		return nil, err
	}
	for i := range list {
		if list[i], err = filepath.Rel(Dir(), list[i]); err != nil {
			return nil, err
		}
		list[i] = filepath.ToSlash(list[i])
	}
	slices.Sort(list)
	return list, nil
}

// Load reads one of Files.
func Load(name string) ([]Vector, error) {
	text, err := os.ReadFile(filepath.Join(Dir(), filepath.FromSlash(name)))
	if err != nil {
		return nil, err
	}
	var out []Vector
	lines := bufio.NewScanner(bytes.NewReader(text))
	lines.Buffer(nil, 1<<20)
	for n := 1; lines.Scan(); n++ {
		var v Vector
		d := json.NewDecoder(bytes.NewReader(lines.Bytes()))
		d.DisallowUnknownFields()
		if err := d.Decode(&v); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, n, err)
		}
		out = append(out, v)
	}
	return out, lines.Err()
}
