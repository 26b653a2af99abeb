package zmyvector

import (
	"bytes"
	"fmt"
	"reflect"

	"github.com/zmylab/zmy"
	"github.com/zmylab/zmy/internal/zmymodel"
	"github.com/zmylab/zmy/internal/zmyreflect"
)

// Mode is a set of options with which generated code reads.
type Mode struct {
	Name   string
	NoCopy bool
	Each   bool // the option CopyEach
	Reuse  bool // the option Reuse; each value is read into the same variable as the one before
}

// Modes lists all modes.
var Modes = []Mode{{Name: "safe"}, {Name: "alias", NoCopy: true}, {Name: "copy-each", Each: true}, {Name: "reuse", Reuse: true}}

// Generated returns an Implementation that reads with generated code.
func Generated(m Mode, compressors []zmy.Compressor) Implementation {
	targets := map[string]Message{}
	return func(reader string, b []byte, l zmymodel.Limits) (Outcome, error) {
		if frames[reader] != nil {
			return goFrame(b, l, reader == "stream", compressors)
		}
		r, ok := Find(reader)
		if !ok {
			return Outcome{}, fmt.Errorf("no reader %s", reader)
		}
		o := Options(l)
		o.NoCopy, o.CopyEach, o.Reuse = m.NoCopy, m.Each, m.Reuse
		v := r.New()
		if m.Reuse && targets[reader] != nil {
			v = targets[reader]
		}
		targets[reader] = v
		in := b
		if !m.NoCopy {
			in = bytes.Clone(b)
		}
		if f := Wire(v.UnmarshalZMYOptions(in, o)); f != nil {
			return Outcome{Code: f.Code, At: f.Offset, Path: f.Path}, nil
		}
		if !m.NoCopy {
			clear(in) // the value must not point into in
		}
		return written(r, v, l)
	}
}

func written(r Reader, v Message, l zmymodel.Limits) (Outcome, error) {
	again, err := v.AppendZMYOptions(nil, zmy.MarshalOptions{MaxWire: 1 << 30, MaxDepth: max(l.MaxDepth, zmy.DefaultMaxDepth)})
	spell := func() string { return r.Type.Spell(r.Value(v)) }
	return Outcome{Code: "ok", Fields: spell, Reencode: again}, err
}

// Verifier is an Implementation that reads with the verifier. The verifier has no budget, does not
// know the option Exact, makes no values, and does not read envelopes and streams. In these
// respects the outcome is that of the model.
func Verifier(reader string, b []byte, l zmymodel.Limits) (Outcome, error) {
	want, err := Model(reader, b, l)
	if err != nil || frames[reader] != nil || want.Code == "BUDGET" || want.Code == "VERSION" {
		return want, err
	}
	r, _ := Find(reader)
	if f := Wire(r.Verify(b, Options(l))); f != nil {
		return Outcome{Code: f.Code, At: f.Offset}, nil
	}
	if want.Code != "ok" {
		return Outcome{Code: "ok"}, nil
	}
	return want, nil
}

// Implementations returns, by name, all ways in which this repository's Go code reads messages.
func Implementations() map[string]Implementation {
	reflected, _ := Reflected()
	out := map[string]Implementation{"model": Model, "verify": Verifier, "reflect": reflected}
	for _, m := range Modes {
		out[m.Name] = Generated(m, Stored)
	}
	return out
}

// Reflected returns an Implementation that reads by reflection. Some types need generated code, for
// example those with unions. For them, and for envelopes and streams, the outcome is that of the
// model. known has the names of the readers that reflection can read.
func Reflected() (run Implementation, known map[string]bool) {
	plans, known := map[string]*zmyreflect.Plan{}, map[string]bool{}
	generated := func(t reflect.Type) bool {
		_, ok := reflect.New(t).Interface().(Message)
		return ok && t.Kind() == reflect.Struct
	}
	for _, r := range Readers() {
		if p, err := zmyreflect.Compile(reflect.TypeOf(r.New()).Elem(), generated, func(reflect.Type) bool { return false }); err == nil {
			plans[r.Name], known[r.Name] = p, true
		}
	}
	return func(reader string, b []byte, l zmymodel.Limits) (Outcome, error) {
		p := plans[reader]
		if p == nil {
			return Model(reader, b, l)
		}
		r, _ := Find(reader)
		v := r.New()
		d, left, failed := Options(l).Decoder(len(b))
		if failed == nil {
			failed = p.Decode(&d, b, v, left)
		}
		if f := Wire(zmy.Decoded(reader, failed)); f != nil {
			return Outcome{Code: f.Code, At: f.Offset, Path: f.Path}, nil
		}
		e, left := zmy.MarshalOptions{MaxWire: 1 << 30, MaxDepth: l.MaxDepth}.Encoder(nil)
		again, failed := p.Append(&e, nil, v, left)
		again, err := zmy.Encoded(reader, &e, nil, again, failed)
		spell := func() string { return r.Type.Spell(r.Value(v)) }
		return Outcome{Code: "ok", Fields: spell, Reencode: again}, err
	}, known
}
