package zmyvector

import (
	"bytes"
	"fmt"

	"github.com/zmylab/zmy"
	"github.com/zmylab/zmy/internal/zmymodel"
)

// Mode is how generated code reads.
type Mode struct {
	Name   string
	NoCopy bool
	Each   bool // strings are copied one by one
	Reuse  bool // into a value that held another before
}

// Modes are all of them.
var Modes = []Mode{{Name: "safe"}, {Name: "alias", NoCopy: true}, {Name: "copy-each", Each: true}, {Name: "reuse", Reuse: true}}

// Generated is generated code as an Implementation.
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
			clear(in) // nothing of the value may point there
		}
		return written(r, v, l)
	}
}

func written(r Reader, v Message, l zmymodel.Limits) (Outcome, error) {
	again, err := v.AppendZMYOptions(nil, zmy.MarshalOptions{MaxWire: 1 << 30, MaxDepth: max(l.MaxDepth, zmy.DefaultMaxDepth)})
	spell := func() string { return r.Type.Spell(r.Value(v)) }
	return Outcome{Code: "ok", Fields: spell, Reencode: again}, err
}

// Verifier is the verifier as an Implementation. It knows neither the budget nor
// that only one version may be; values are not its business, so that the model
// says what they are.
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

// Implementations are all ways in which this repository reads messages, by name.
func Implementations() map[string]Implementation {
	reflected, _ := Reflected()
	out := map[string]Implementation{"model": Model, "verify": Verifier, "reflect": reflected}
	for _, m := range Modes {
		out[m.Name] = Generated(m, Stored)
	}
	return out
}
