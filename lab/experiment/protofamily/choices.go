package protofamily

import (
	"slices"
	"time"

	"github.com/zmylab/zmy/lab/experiment/synthetic"
	"github.com/zmylab/zmy/lab/run"
)

// Change is something that a user of proto.Marshal and proto.Unmarshal could do, and what it
// changes: their time and allocations for one message, encoded and decoded.
type Change struct {
	What   string       `json:"what"`
	How    string       `json:"how,omitempty"` // what to do, where What does not say it
	Kind   string       `json:"kind"`          // one of the kinds below
	Codec  string       `json:"codec"`
	Time   run.Estimate `json:"time"`   // of what both operations took before
	Encode run.Estimate `json:"encode"` // each by itself
	Decode run.Estimate `json:"decode"`
	Allocs float64      `json:"allocs"` // of both together
	Wire   float64      `json:"wire"`   // mean bytes of a message
	Advice string       `json:"advice,omitempty"`
	Note   string       `json:"note,omitempty"`
}

// Kinds of changes, the easiest first.
const (
	KindCode   = "code"   // of one program: others read what it writes
	KindFormat = "format" // other messages: every reader and writer must change
)

// When a change is advised, if it saves time. Changes without advice are shown only.
const (
	AdviseFirst = "first" // it asks for no new care
	AdviseThen  = "then"  // it does, as its note says
)

// choice is a change that could be measured.
type choice struct {
	what, kind, advice string
	codec              string
	encode, decode     string // modes
	how, note          string
}

// choices are those of the family, beside the variants of the schema.
var choices = []choice{
	{"protobuf-go: buffer, message kept", KindCode, AdviseThen, base, "append", "reused", "proto.MarshalOptions.MarshalAppend into a kept buffer, proto.Unmarshal into a kept message",
		"the message that was decoded before is gone, and nothing of what was below it is used again"},
	{"vtprotobuf: its methods", KindCode, AdviseFirst, "vtprotobuf-native", "fresh", "fresh", "protoc-gen-go-vtproto beside protoc-gen-go, MarshalVT and UnmarshalVT",
		"they do not look whether strings are UTF-8"},
	{"vtprotobuf: kept buffer, its pools", KindCode, AdviseThen, "vtprotobuf-native", "append", "pooled", "MarshalToSizedBufferVT into a kept buffer, messages from vtprotobuf's pools",
		"whoever takes a message from a pool gives it back when nobody holds a part of it any more"},
	{"vtprotobuf: kept buffer, aliases", KindCode, AdviseThen, "vtprotobuf-native", "append", "alias-reused", "UnmarshalVTUnsafe into a kept message, whose strings and bytes point into the input",
		"the input must stay as it is while the message lives"},
	{"gogo/protobuf: generated code", KindCode, "", "gogoproto-native", "fresh", "fresh", "", "not maintained any more"},
	{"protobuf-go-lite: generated code", KindCode, AdviseFirst, "protobuf-lite-native", "fresh", "fresh", "protoc-gen-go-lite in place of protoc-gen-go, MarshalVT and UnmarshalVT",
		"messages have no reflection, and so neither protojson nor a gRPC codec that is there already"},
}

// changes are all that were measured, the least time first.
func (r *Result) changes() []Change {
	from := r.pair(base, "fresh", "fresh")
	if from == nil {
		return nil
	}
	var out []Change
	add := func(c choice) {
		if to := r.pair(c.codec, c.encode, c.decode); to != nil {
			x := Change{What: c.what, How: c.how, Kind: c.kind, Codec: c.codec, Advice: c.advice, Note: c.note, Allocs: to.encode.Allocs + to.decode.Allocs, Wire: to.encode.Wire}
			x.Time = synthetic.Against(to.both(), from.both(), 1)
			x.Encode = synthetic.Against(to.encode.samples, from.encode.samples, 1)
			x.Decode = synthetic.Against(to.decode.samples, from.decode.samples, 1)
			out = append(out, x)
		}
	}
	for _, c := range choices {
		add(c)
	}
	for _, codec := range r.Beside {
		add(choice{what: codec + " on your own type", kind: KindFormat, codec: codec, encode: "fresh", decode: "fresh"})
		add(choice{what: codec + ": kept buffer and value", kind: KindFormat, codec: codec, encode: "append", decode: "reused"})
	}
	for _, v := range r.Names {
		kind := KindCode
		if v.Breaks {
			kind = KindFormat
		}
		add(choice{what: v.Name, kind: kind, codec: v.Codec, encode: "fresh", decode: "fresh"})
	}
	slices.SortStableFunc(out, func(a, b Change) int {
		switch {
		case a.Time.Median < b.Time.Median:
			return -1
		case a.Time.Median > b.Time.Median:
			return 1
		}
		return 0
	})
	return out
}

// pair is the way of a message there and back.
type pair struct{ encode, decode *Line }

func (r *Result) pair(codec, encode, decode string) *pair {
	p := &pair{r.line(codec, "encode", encode), r.line(codec, "decode", decode)}
	if p.encode == nil || p.decode == nil {
		return nil
	}
	return p
}

// both are the times of encode and decode together, round by round.
func (p *pair) both() []run.Sample {
	var out []run.Sample
	for _, e := range p.encode.samples {
		for _, d := range p.decode.samples {
			if e.Launch == d.Launch && e.Round == d.Round && e.CPU > 0 && d.CPU > 0 {
				out = append(out, run.Sample{Launch: e.Launch, Round: e.Round, CPU: e.CPU + d.CPU})
			}
		}
	}
	return out
}

// variant reports a change of the schema or of an option, and not of the library.
func (r *Result) variant(c *Change) *Spelling {
	for i := range r.Names {
		if r.Names[i].Codec == c.Codec {
			return &r.Names[i]
		}
	}
	return nil
}

// part is a share of a budget.
func part(d time.Duration, share float64) time.Duration { return time.Duration(float64(d) * share) }
