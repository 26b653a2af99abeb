package side

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"os"
	"reflect"
	"slices"
	"time"

	"github.com/zmylab/zmy/lab/values"
	"github.com/zmylab/zmy/lab/worker"
)

// Open returns the functions of a codec that works by reflection, with the given pins set.
type Open func(pins []string) (marshal func(any) ([]byte, error), unmarshal func([]byte, any) error, err error)

// Codec returns the contender of a codec that works by reflection. pins are the names that open
// accepts.
func Codec[T any](open Open, pins []string) worker.Contender[T] {
	s := &server[T]{pins: pins}
	s.open = func(pins []string) (codec[T], error) {
		marshal, unmarshal, err := open(pins)
		return codec[T]{
			marshal: func(v *T, form string) ([]byte, error) {
				if form == ByValue {
					return marshal(*v)
				}
				return marshal(v)
			},
			unmarshal: func(b []byte, v *T) error { return unmarshal(b, v) },
		}, err
	}
	return s.contender(worker.Contender[T]{})
}

// Contender returns contender c with the commands of this package. Its first encoder and its first
// decoder are used.
func Contender[T any](c worker.Contender[T]) worker.Contender[T] {
	s := &server[T]{}
	s.open = func([]string) (codec[T], error) {
		enc, dec := c.Encoders[0].New(), c.Decoders[0].New()
		return codec[T]{
			marshal:   func(v *T, _ string) ([]byte, error) { return enc(nil, v) },
			unmarshal: dec,
		}, nil
	}
	return s.contender(c)
}

// codec marshals and unmarshals values of T.
type codec[T any] struct {
	marshal   func(v *T, form string) ([]byte, error)
	unmarshal func(b []byte, v *T) error
}

// server answers the commands.
type server[T any] struct {
	open  func(pins []string) (codec[T], error)
	pins  []string
	drawn []T
	dense *T
	taken []bool     // of the adversarial cases
	held  map[int]*T // copies of the cases that were asked for by number
}

func (s *server[T]) contender(c worker.Contender[T]) worker.Contender[T] {
	setup := c.Setup
	c.Setup = func(vals []T) error {
		s.drawn = vals
		if setup != nil {
			return setup(vals)
		}
		return nil
	}
	c.Commands = map[string]func(string) (json.RawMessage, error){
		CmdList:  answer(s.list),
		CmdProbe: answer(s.probe),
	}
	return c
}

func answer[A, R any](do func(*A) (R, error)) func(string) (json.RawMessage, error) {
	return func(args string) (json.RawMessage, error) {
		a := new(A)
		if err := json.Unmarshal([]byte(args), a); err != nil {
			return nil, fmt.Errorf("arguments: %w", err)
		}
		r, err := do(a)
		if err != nil {
			return nil, err
		}
		return json.Marshal(r)
	}
}

// list makes the adversarial cases once, to number them.
func (s *server[T]) list(a *List) (*Listed, error) {
	l := &Listed{Drawn: len(s.drawn), Names: Names(reflect.TypeFor[T]()), Pins: s.pins, Shape: Shape(reflect.TypeFor[T]())}
	for i := range s.drawn {
		l.Sums = append(l.Sums, digest(&s.drawn[i]))
	}
	all := slices.Clip(s.drawn)
	if dense, err := values.Dense[T](); err != nil {
		l.Why = err.Error()
	} else {
		s.dense, l.Dense = &dense, true
		l.Sums = append(l.Sums, digest(&dense))
		all = append(all, dense)
	}
	l.Untested = values.Untested(all)
	s.taken, s.held = a.Taken, map[int]*T{}
	var deciding codec[T]
	if a.Taken == nil {
		c, err := s.open(nil)
		if err != nil {
			return nil, err
		}
		deciding, s.taken = c, []bool{}
	}
	s.cases(func(i int, c *values.Case[T]) bool {
		if a.Taken == nil {
			o := try(func() error { _, err := deciding.marshal(c.Value, Pointer); return err })
			s.taken = append(s.taken, o.OK() && !separate[c.Name])
		}
		took := i < len(s.taken) && s.taken[i]
		l.Cases = append(l.Cases, Case{Name: c.Name, Where: c.Where(), Taken: took})
		l.Sums = append(l.Sums, digest(c.Value))
		return took
	})
	return l, nil
}

// probe makes the calls of a file.
func (s *server[T]) probe(a *Probe) ([]Outcome, error) {
	data, err := os.ReadFile(a.File)
	if err != nil {
		return nil, err
	}
	var items []Item
	if err := json.Unmarshal(data, &items); err != nil {
		return nil, err
	}
	out := make([]Outcome, len(items))
	wanted := map[int][]int{} // number of the case → items that marshal it
	for i := range items {
		switch it := &items[i]; {
		case it.Read:
			out[i] = s.decode(it)
		case s.value(it.Value) != nil:
			out[i] = s.encode(it, s.value(it.Value))
		default:
			wanted[s.number(it.Value)] = append(wanted[s.number(it.Value)], i)
		}
	}
	if len(wanted) == 0 {
		return out, nil
	}
	s.cases(func(n int, c *values.Case[T]) bool {
		for _, i := range wanted[n] {
			it := &items[i]
			if it.Full || it.List || it.Cuts != nil || it.Pins != nil {
				s.held[n] = Copy(c.Value)
			}
			out[i] = s.encode(it, c.Value)
		}
		return n < len(s.taken) && s.taken[n]
	})
	return out, nil
}

// number returns the number of the adversarial case that a value is.
func (s *server[T]) number(value int) int {
	value -= len(s.drawn)
	if s.dense != nil {
		value--
	}
	return value
}

// value returns a drawn value, the dense one or a held case; nil for other cases.
func (s *server[T]) value(i int) *T {
	switch {
	case i < len(s.drawn):
		return &s.drawn[i]
	case i == len(s.drawn) && s.dense != nil:
		return s.dense
	}
	return s.held[s.number(i)]
}

// Numbers of calls that have to agree, and the time after which no further call is made. Two
// members of a map come in the order of their names seven times of eight, which would hide that
// there is no order.
const (
	repeats      = 2
	repeatsFully = 96
	repeatsTime  = 20 * time.Millisecond
)

func (s *server[T]) encode(it *Item, v *T) Outcome {
	if len(it.Cuts) > 0 || it.List {
		v = Copy(v)
		for _, c := range it.Cuts {
			Cut(reflect.ValueOf(v).Elem(), c)
		}
	}
	c, err := s.open(it.Pins)
	if err != nil {
		return Outcome{Err: err.Error()}
	}
	n := repeats
	if it.Full || it.Pins != nil || it.Cuts != nil {
		n = repeatsFully
	}
	var o Outcome
	start := time.Now()
	for i := range n {
		if i >= repeats && time.Since(start) > repeatsTime {
			break
		}
		var out []byte
		next := try(func() (err error) { out, err = c.marshal(v, it.Form); return err })
		if next.OK() {
			next.Sum, next.Len = sum(out), len(out)
			if it.Full {
				next.Out = bytes.Clone(out)
			}
		}
		if i == 0 {
			o = next
		} else if next.Sum != o.Sum || next.OK() != o.OK() {
			o.Unstable, o.Other = true, next.Out
			break
		}
	}
	if it.Full {
		o.Value = Spell(reflect.ValueOf(v).Elem())
	}
	if it.List {
		o.Places = Places(reflect.ValueOf(v).Elem())
	}
	return o
}

func (s *server[T]) decode(it *Item) Outcome {
	c, err := s.open(it.Pins)
	if err != nil {
		return Outcome{Err: err.Error()}
	}
	n := repeats
	if it.Full {
		n = repeatsFully
	}
	var o Outcome
	start := time.Now()
	for i := range n {
		if i >= repeats && time.Since(start) > repeatsTime {
			break
		}
		v := new(T)
		if it.Into != nil {
			_ = try(func() error { return c.unmarshal(bytes.Clone(it.Into), v) })
		}
		next := try(func() error { return c.unmarshal(bytes.Clone(it.Doc), v) })
		if next.OK() {
			lines := Lines(reflect.ValueOf(v).Elem())
			next.Sum = sumLines(lines)
			if it.Full {
				next.Lines = lines
			}
		}
		if i == 0 {
			o = next
		} else if next.Sum != o.Sum || next.OK() != o.OK() {
			o.Unstable = true
			break
		}
	}
	return o
}

// try calls f and describes its error or its panic.
func try(f func() error) (o Outcome) {
	defer func() {
		if p := recover(); p != nil {
			o = Outcome{Panic: true, Err: fmt.Sprint("panic: ", p)}
		}
	}()
	if err := f(); err != nil {
		o.Err, o.Types = err.Error(), types(err)
		if o.Err == "" {
			o.Err = "an error without text"
		}
	}
	return o
}

// types lists the types in the tree of an error that errors.As could find, with import paths, and
// the sentinels that errors.Is finds.
func types(err error) (out []string) {
	var walk func(err error)
	walk = func(err error) {
		if err == nil {
			return
		}
		t, star := reflect.TypeOf(err), ""
		for t.Kind() == reflect.Pointer {
			t, star = t.Elem(), star+"*"
		}
		if name := star + t.PkgPath() + "." + t.Name(); !slices.Contains(out, name) {
			out = append(out, name)
		}
		switch x := err.(type) {
		case interface{ Unwrap() error }:
			walk(x.Unwrap())
		case interface{ Unwrap() []error }:
			for _, e := range x.Unwrap() {
				walk(e)
			}
		}
	}
	walk(err)
	for _, known := range []error{io.EOF, io.ErrUnexpectedEOF} {
		if errors.Is(err, known) {
			out = append(out, "io: "+known.Error())
		}
	}
	return out
}

func sum(b []byte) uint64 {
	h := fnv.New64a()
	_, _ = h.Write(b)
	return h.Sum64() | 1 // never 0
}

func sumLines(lines []string) uint64 {
	h := fnv.New64a()
	for _, l := range lines {
		_, _ = io.WriteString(h, l)
		_, _ = h.Write([]byte{'\n'})
	}
	return h.Sum64() | 1
}

func digest[T any](v *T) uint64 { return sumLines(Lines(reflect.ValueOf(v).Elem())) }
