package fit

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// largest is the size of the largest file that Read reads, in bytes.
const largest = 256 << 20

// maxLength is the largest length of a text, a list or a map that a fit may name: the same on 32 bits, where a fit
// of another machine may be read. What is longer counts as this long.
const maxLength = 1 << 30

// Marshal writes a fit as indented JSON.
func (f *Fit) Marshal() ([]byte, error) {
	whole := Merge(f) // members and subjects in their order
	text, err := json.Marshal(whole)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	if err := json.Indent(&out, text, "", " "); err != nil {
		return nil, err
	}
	return append(joined(out.Bytes()), '\n'), nil
}

// joined puts the pairs of histograms, which json.Indent spreads over lines, back into one line.
func joined(text []byte) []byte {
	out := make([]byte, 0, len(text))
	depth := 0 // of arrays of numbers
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case c == '"':
			end := i + 1
			for text[end] != '"' {
				if text[end] == '\\' {
					end++
				}
				end++
			}
			out = append(out, text[i:end+1]...)
			i = end
			continue
		case c == '[' && (depth > 0 || pairs(text[i+1:])):
			depth++
		case c == ']' && depth > 0:
			depth--
		case depth > 0 && (c == '\n' || c == ' '):
			continue
		}
		out = append(out, c)
	}
	return out
}

// pairs reports whether an array of arrays follows.
func pairs(text []byte) bool {
	rest := bytes.TrimLeft(text, " \n")
	return len(rest) > 0 && rest[0] == '['
}

// WriteFile writes a fit to a file. The file is complete at any time: the fit is written beside it
// and then takes its name. Only the owner may read it.
func (f *Fit) WriteFile(name string) error {
	text, err := f.Marshal()
	if err != nil {
		return fmt.Errorf("fit: write %s: %w", name, err)
	}
	tmp, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+"-*")
	if err != nil {
		return fmt.Errorf("fit: write %s: %w", name, err)
	}
	_, err = tmp.Write(text)
	if err = errors.Join(err, tmp.Sync(), tmp.Close()); err == nil {
		err = os.Rename(tmp.Name(), name)
	}
	if err != nil {
		_ = os.Remove(tmp.Name())
		return fmt.Errorf("fit: write %s: %w", name, err)
	}
	return nil
}

// ErrNoFit says that a file holds JSON, or anything else, that is no fit.
var ErrNoFit = errors.New("fit: not a fit")

// Parse reads a fit from JSON. The error is ErrNoFit if the text is something else.
func Parse(text []byte) (*Fit, error) {
	var head struct {
		Format int `json:"zmy_fit"`
	}
	if json.Unmarshal(text, &head) != nil || head.Format == 0 {
		return nil, ErrNoFit
	}
	if head.Format != Format {
		return nil, fmt.Errorf("fit: this fit has format %d and this program reads format %d: capture it anew, or learn it anew "+
			"from the documents (zmy lab -sample DOCUMENTS -fit)", head.Format, Format)
	}
	f := new(Fit)
	if err := json.Unmarshal(text, f); err != nil {
		return nil, fmt.Errorf("fit: the file is damaged: %w", err)
	}
	if err := f.check(); err != nil {
		return nil, fmt.Errorf("fit: the file is damaged: %w", err)
	}
	return f, nil
}

// ReadFile reads a fit from a file. The error is ErrNoFit if the file holds something else.
func ReadFile(name string) (*Fit, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if info.IsDir() || !strings.HasSuffix(name, ".json") || info.Size() > largest {
		return nil, ErrNoFit
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	f, err := Parse(text)
	if err != nil && !errors.Is(err, ErrNoFit) {
		err = fmt.Errorf("%s: %w", name, err)
	}
	return f, err
}

// check refuses what drawing could not bear: missing parts, and bins out of order or range.
func (f *Fit) check() error {
	for _, s := range f.Subjects {
		if s == nil || s.Root == nil {
			return errors.New("a subject without root")
		}
		if err := s.Root.check(); err != nil {
			return fmt.Errorf("subject %s: %w", s.Name, err)
		}
	}
	return nil
}

func (n *Node) check() error {
	if n == nil {
		return errors.New("a path without a node")
	}
	err := errors.Join(n.Number.check(), n.String.check())
	if l := n.List; l != nil {
		err = errors.Join(err, l.Length.checkLengths())
		if l.Elem != nil {
			err = errors.Join(err, l.Elem.check())
		}
	}
	if o := n.Object; o != nil {
		err = errors.Join(err, o.Size.checkLengths())
		for _, m := range o.Members {
			if e := m.Node.check(); e != nil {
				err = errors.Join(err, fmt.Errorf("%s: %w", m.Name, e))
			}
		}
		if o.Map != nil {
			err = errors.Join(err, o.Map.Size.checkLengths(), o.Map.Keys.check())
			if o.Map.Elem != nil {
				err = errors.Join(err, o.Map.Elem.check())
			}
		}
	}
	return err
}

func (f *Number) check() error {
	if f == nil {
		return nil
	}
	return errors.Join(f.Bits.check(0, 1100), f.Exponent.check(-1100, 1100), f.Decimals.check(0, scientific))
}

func (f *String) check() error {
	if f == nil {
		return nil
	}
	var err error
	for class, c := range f.Classes {
		if c == nil {
			return fmt.Errorf("class %s is null", class)
		}
		if !slices.Contains(allClasses, class) {
			return fmt.Errorf("class %q is unknown", class)
		}
		err = errors.Join(err, c.Length.checkLengths(), c.Steps.check(0, lastStep), c.Numbers.check())
		if t := c.Times; t != nil {
			err = errors.Join(err, t.Digits.check(0, 9))
			if t.From > t.To || t.From < -9999 || t.To > 99999 {
				err = errors.Join(err, fmt.Errorf("years %d to %d", t.From, t.To))
			}
		}
	}
	return err
}

// checkLengths checks a histogram of lengths.
func (h Hist) checkLengths() error {
	for _, b := range h {
		if b.At >= 0 && b.At != lengthBin(b.At) {
			return fmt.Errorf("no bin of lengths begins at %d", b.At)
		}
	}
	return h.check(0, maxLength)
}

func (h Hist) check(least, most int) error {
	for i := 1; i < len(h); i++ {
		if h[i].At <= h[i-1].At {
			return errors.New("the bins of a histogram are out of order")
		}
	}
	if len(h) > 0 && (h[0].At < least || h[len(h)-1].At > most) {
		return fmt.Errorf("a histogram has bins beyond %d to %d", least, most)
	}
	return nil
}
