package serve

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/zmylab/zmy/lab/worker"
)

type capableMsg struct {
	At   time.Time
	Any  any
	Tags map[string]string
	More map[string]any
}

func capableBench(c worker.Contender[capableMsg]) *binding[capableMsg, capableMsg] {
	s := worker.Subject[capableMsg]{Name: "worker.capableMsg", Sample: func(r *rand.Rand) capableMsg {
		return capableMsg{At: time.Unix(r.Int64N(1e9), 0).UTC(), Any: "x", Tags: map[string]string{"a": "1", "b": "2", "c": "3"}}
	}, SampleName: "sample"}
	return newBinding(s, c, nil)
}

// unsorted writes the keys of maps in Go's order, and times in milliseconds.
func unsorted(v any) ([]byte, error) {
	m := *v.(*capableMsg)
	m.At = m.At.Truncate(time.Millisecond)
	tags := m.Tags
	m.Tags = nil
	out, err := json.Marshal(m)
	for k, x := range tags {
		out = append(out, k+"="+x+";"...)
	}
	return out, err
}

func readUnsorted(b []byte, v any) error {
	end := strings.LastIndex(string(b), "}") + 1
	doc, tags := b[:end], string(b[end:])
	if err := json.Unmarshal(doc, v); err != nil {
		return err
	}
	m := v.(*capableMsg)
	m.Tags = map[string]string{}
	for pair := range strings.SplitSeq(strings.TrimSuffix(tags, ";"), ";") {
		k, x, _ := strings.Cut(pair, "=")
		m.Tags[k] = x
	}
	return nil
}

// gently keeps integers in interfaces.
func gently(b []byte, v any) error {
	if err := json.Unmarshal(b, v); err != nil {
		return err
	}
	dec := json.NewDecoder(strings.NewReader(string(b)))
	dec.UseNumber()
	var m struct{ Any any }
	if err := dec.Decode(&m); err != nil {
		return err
	}
	if n, ok := m.Any.(json.Number); ok {
		i, err := n.Int64()
		if err != nil {
			return err
		}
		v.(*capableMsg).Any = i
	}
	return nil
}

// TestCapable: what the subject's values tell of a codec.
func TestCapable(t *testing.T) {
	codec := func(marshal func(any) ([]byte, error), unmarshal func([]byte, any) error) worker.Contender[capableMsg] {
		return worker.Contender[capableMsg]{Name: "x", Family: "json",
			Encoders: []worker.Encoder[capableMsg]{worker.Marshal[capableMsg]("fresh", marshal)}, Decoders: worker.Unmarshal[capableMsg](unmarshal)}
	}
	for _, c := range []struct {
		name  string
		codec worker.Contender[capableMsg]
		want  string // same, times, any
	}{
		{"json", codec(json.Marshal, json.Unmarshal), "yes | yes nanoseconds | no"},
		{"unsorted, milliseconds", codec(unsorted, readUnsorted), "no | no milliseconds | no"},
		{"integers", codec(json.Marshal, gently), "yes | yes nanoseconds | yes"},
		{"panics", codec(json.Marshal, func([]byte, any) error { panic("no") }), "yes | n/a panic: no | n/a panic: no"},
	} {
		b := capableBench(c.codec)
		talk(t, b, makeValues)
		var got []string
		for i, k := range b.capable() {
			text := k.Result
			if i == 1 || k.Result == "n/a" {
				text += " " + k.Detail
			}
			got = append(got, text)
		}
		if g := strings.Join(got, " | "); g != c.want {
			t.Errorf("%s: got %s, want %s", c.name, g, c.want)
		}
	}
	for _, k := range testBench(jsonCodec()).capable() { // no values at all
		if k.Result != "n/a" {
			t.Errorf("%+v", k)
		}
	}
}
