package experiment

import (
	"bytes"
	"errors"
	"runtime"

	"github.com/zmylab/zmy/lab/worker"
	"github.com/zmylab/zmy/lab/worker/bench"
)

var errNoSettings = errors.New("the settings were not published")

var errNoGob = errors.New("this worker was built without encoding/gob")

// depth is the number of messages that a channel holds.
const depth = 8

// viewed is the form in which a receiver reads one string in place. Its sender sends messages that
// were encoded before.
const viewed = "view, already encoded"

// form is one form in which messages are handed over. send and receive are each called by one
// goroutine, with the index of a value.
type form struct {
	name string
	make func() (send, receive func(i int) error)
}

// handOff compares the forms.
func (b *Bench[N]) handOff(a *worker.HandOff) (*worker.Readings, error) {
	if b.Codec.Gob == nil {
		return nil, errNoGob
	}
	forms := bigForms(b.Codec.Gob)
	if !a.MiB {
		var err error
		if forms, err = b.forms(); err != nil {
			return nil, err
		}
	}
	names, failed := make([]string, len(forms)), make([]error, len(forms))
	for i := range forms {
		names[i] = forms[i].name
	}
	out, err := inTurns(a.Repeats, names, func(i, _ int, m *bench.Meter) (int, error) {
		if failed[i] != nil {
			return 0, nil
		}
		send, receive := forms[i].make()
		runtime.GC()
		m.Start()
		failed[i] = b.pass(a.N, send, receive)
		m.Stop()
		return a.N, nil
	})
	for i, why := range failed {
		if why != nil { // the other forms can be compared without it
			out.Ways[i] = worker.Way{Name: names[i], None: why.Error()}
		}
	}
	return out, err
}

// pass hands n messages over. It first calls each side once on the calling goroutine, so that a
// form that does not work returns an error there.
func (b *Bench[N]) pass(n int, send, receive func(i int) error) error {
	if err := bench.Try(func() error { return errors.Join(send(0), receive(0)) }); err != nil {
		return err
	}
	failed := make(chan error, 1)
	go func() { failed <- b.each(n, send) }()
	return errors.Join(b.each(n, receive), <-failed)
}

// each calls one side n times, even after an error, since the other side waits for it.
func (b *Bench[N]) each(n int, do func(i int) error) (first error) {
	for k := range n {
		err := bench.Try(func() error { return do(int(b.Order[k%len(b.Order)])) })
		if first == nil {
			first = err
		}
	}
	return first
}

// slots hand over values by copying them in and out, as a channel of values does, with one channel
// operation at each end. They are used because elements of a channel are limited to 64 KiB. There
// must be one sender and one receiver.
//
// A slot is written again depth+2 messages later. By then the receiver has taken the index of the
// following slot, since otherwise the channel would be full. So it has already copied this slot.
type slots[V any] struct {
	values []V
	full   chan int
	next   int // next slot to send
}

func newSlots[V any]() *slots[V] {
	return &slots[V]{values: make([]V, depth+2), full: make(chan int, depth)}
}

func (s *slots[V]) send(v *V) {
	i := s.next
	s.next = (i + 1) % len(s.values)
	s.values[i] = *v
	s.full <- i
}

func (s *slots[V]) receive(v *V) { *v = s.values[<-s.full] }

// forms returns the forms for the subject's values.
func (b *Bench[N]) forms() ([]form, error) {
	wire, err := b.Encoded()
	if err != nil {
		return nil, err
	}
	enc, dec := &b.Codec.Encoders[0], &b.Codec.Decoders[0]
	forms := []form{
		{"by value", func() (func(int) error, func(int) error) {
			s, got := newSlots[N](), new(N)
			return func(i int) error { s.send(&b.Vals[i]); return nil }, func(int) error { s.receive(got); return nil }
		}},
		{"pointer", func() (func(int) error, func(int) error) {
			c := make(chan *N, depth)
			return func(i int) error { c <- &b.Vals[i]; return nil }, func(int) error { <-c; return nil }
		}},
		{"gob bytes", b.gobForm},
		{"encoded bytes", func() (func(int) error, func(int) error) {
			c, e, d := make(chan []byte, depth), b.EncodeBytes(enc), b.DecodeOne(dec)
			return func(i int) error {
				out, err := e(i)
				c <- out
				return err
			}, func(int) error { return d(<-c) }
		}},
	}
	if dec.Input != nil { // the decoder does not read the encoder's output
		forms = forms[:3]
	}
	if len(b.Codec.Accessors) > 0 && b.Codec.Accessors[0].New != nil {
		forms = append(forms, form{viewed, func() (func(int) error, func(int) error) {
			c, get := make(chan []byte, depth), b.Codec.Accessors[0].New()
			return func(i int) error { c <- wire[i]; return nil }, func(int) error {
				_, err := get(<-c)
				return err
			}
		}})
	}
	return forms, nil
}

// gobForm encodes each message on its own, since any goroutine may be the receiver.
func (b *Bench[N]) gobForm() (send, receive func(int) error) {
	c, got, gob := make(chan []byte, depth), new(N), b.Codec.Gob
	known := false
	return func(i int) error {
			if !known { // gob must be told the types in interfaces
				known = true
				for _, v := range worker.Dynamic(b.Vals) {
					gob.Register(v)
				}
			}
			out, err := gob.Marshal(&b.Vals[i])
			c <- out
			return err
		}, func(int) error {
			var zero N
			*got = zero
			return gob.Unmarshal(<-c, got)
		}
}

// mebibyte is a value that is itself large.
type mebibyte = [1 << 20]byte

// bigForms returns the forms for arrays of 1 MiB.
func bigForms(gob *worker.Gob) []form {
	v := new(mebibyte)
	for i := range v {
		v[i] = byte(i * 7)
	}
	return []form{
		{"by value", func() (func(int) error, func(int) error) {
			s, got := newSlots[mebibyte](), new(mebibyte)
			return func(int) error { s.send(v); return nil }, func(int) error { s.receive(got); return nil }
		}},
		{"pointer", func() (func(int) error, func(int) error) {
			c := make(chan *mebibyte, depth)
			return func(int) error { c <- v; return nil }, func(int) error { <-c; return nil }
		}},
		{"gob bytes", func() (func(int) error, func(int) error) {
			c := make(chan []byte, depth)
			return func(int) error {
					out, err := gob.Marshal(v[:])
					c <- out
					return err
				}, func(int) error {
					var got []byte
					return gob.Unmarshal(<-c, &got)
				}
		}},
		{"encoded bytes", func() (func(int) error, func(int) error) {
			c := make(chan []byte, depth)
			return func(int) error { c <- bytes.Clone(v[:]); return nil }, func(int) error { <-c; return nil }
		}},
	}
}
