package zmyvector

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/zmylab/zmy/internal/zmymodel"
)

// Vector is one line of a file in spec/vectors. The README.md there describes its fields.
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

// A vector has the expected outcomes for its input, for every truncation of the input, and for the
// input with any one bit flipped. The outcomes for truncations are stored as run lengths, and those
// for flipped bits as a hash, because they would take many lines. Fill computes the outcomes with
// one implementation: with the model when vectors are made. Check fills a copy of a vector with
// another implementation and compares.

// Limits on the sizes of vectors, in bytes. An input that is longer than maxTruncated is not tried
// with truncations, and one that is longer than maxFlips not with flipped bits.
const (
	maxTruncated = 2048
	maxFlips     = 256
	maxText      = 4096 // of Fields and Reencode: a longer text is replaced by its hash
)

// Bytes returns the input.
func (v *Vector) Bytes() []byte { return Unpack(v.Hex) }

// Outcome is the result of reading bytes.
type Outcome struct {
	Code     string // "ok" or an error code
	At       int
	Path     string
	Fields   func() string // returns the value as JSON, and is valid until the next call; nil if the reader makes no value
	Reencode []byte
}

// Value returns the result of o.Fields, "" if that is nil.
func (o *Outcome) Value() string {
	if o.Fields == nil {
		return ""
	}
	return o.Fields()
}

// Implementation reads the bytes b as the type whose name is reader.
type Implementation func(reader string, b []byte, l zmymodel.Limits) (Outcome, error)

// Model is an Implementation that reads with the slow model.
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

// Ask sends requests, many at once, and yields their outcomes in the same order. The caller must
// not leave the loop early.
type Ask func(list []Request) iter.Seq2[Outcome, error]

// Each is an Ask that makes one request after the other.
func (run Implementation) Each(list []Request) iter.Seq2[Outcome, error] {
	return func(yield func(Outcome, error) bool) {
		for _, r := range list {
			if !yield(run(r.Reader, r.Input, r.Limits)) {
				return
			}
		}
	}
}

// each calls f with the outcome of each input. It returns the first error.
func (v *Vector) each(ask Ask, f func(Outcome), inputs ...[]byte) (failed error) {
	list := make([]Request, len(inputs))
	for i, b := range inputs {
		list[i] = Request{v.Reader, b, v.Limits}
	}
	for out, err := range ask(list) {
		if failed == nil {
			failed = err
		}
		if failed == nil {
			f(out)
		}
	}
	return failed
}

// Fill sets the expectations of v to the outcomes that ask returns for its input.
func (v *Vector) Fill(ask Ask) error {
	b := v.Bytes()
	if err := v.each(ask, func(out Outcome) { v.set(b, out) }, b); err != nil || v.Expect != "ok" {
		return err
	}
	if len(b) <= maxTruncated {
		if err := v.truncate(ask, b); err != nil {
			return err
		}
	}
	if len(b) <= maxFlips {
		return v.flip(ask, b)
	}
	return nil
}

// set sets the expectations of v to the outcome for its input b.
func (v *Vector) set(b []byte, out Outcome) {
	v.Expect, v.At, v.Path = out.Code, out.At, out.Path
	v.Fields, v.Reencode, v.Truncated, v.Flips = nil, "", "", ""
	if out.Code != "ok" {
		return
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
}

// hash returns the first 8 bytes of b's SHA-256 in hex. Vector files have # and the hash in place
// of a long text.
func hash(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:8])
}

// truncate sets v.Truncated to the outcomes for all proper prefixes of the input, and for the input
// with a zero byte appended. Equal neighbours are counted: "TRUNCATED*4 ENDS*9".
func (v *Vector) truncate(ask Ask, b []byte) error {
	var inputs [][]byte
	for i := range b {
		inputs = append(inputs, b[:i:i])
	}
	inputs = append(inputs, append(b[:len(b):len(b)], 0))
	var codes []string
	if err := v.each(ask, func(out Outcome) { codes = append(codes, out.Code) }, inputs...); err != nil {
		return err
	}
	var runs []string
	for len(codes) > 0 {
		n := slices.IndexFunc(codes, func(c string) bool { return c != codes[0] })
		if n < 0 {
			n = len(codes)
		}
		runs = append(runs, codes[0]+"*"+strconv.Itoa(n))
		codes = codes[n:]
	}
	v.Truncated = strings.Join(runs, " ")
	return nil
}

// flip sets v.Flips to a hash over the outcomes for the input with one bit flipped: each bit in
// turn, starting with the lowest bit of the first byte. The text of an outcome is its code, for
// "ok" a blank and the marshalled value in hex, and a line feed.
func (v *Vector) flip(ask Ask, b []byte) error {
	var inputs [][]byte
	for i := range 8 * len(b) {
		x := bytes.Clone(b)
		x[i/8] ^= 1 << (i % 8)
		inputs = append(inputs, x)
	}
	var text bytes.Buffer
	err := v.each(ask, func(out Outcome) {
		text.WriteString(out.Code)
		if out.Code == "ok" {
			fmt.Fprintf(&text, " %x", out.Reencode)
		}
		text.WriteByte('\n')
	}, inputs...)
	v.Flips = hash(text.Bytes())
	return err
}

// Check returns an error if the outcomes that ask returns differ from the vector. If an outcome has
// no path or no fields, these are not compared, since some implementations do not return them.
func (v *Vector) Check(ask Ask) error {
	got := Vector{ID: v.ID, Reader: v.Reader, Hex: v.Hex, Limits: v.Limits}
	if err := got.Fill(ask); err != nil {
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

// Pack returns bytes in hex, with (78)*65536 in place of a long run of one byte.
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

// Unpack is the inverse of Pack. It ignores blanks.
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

// Files returns the names of the files with vectors, sorted: "scalars/Scalars.jsonl".
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

// Load reads the vectors in one of the Files.
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
