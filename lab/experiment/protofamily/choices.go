package protofamily

import (
	"cmp"
	"slices"
	"time"

	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/lab/stats"
)

// Change is something that a user of proto.Marshal and proto.Unmarshal could do, and what it
// changes: their time and allocations for one message, encoded and decoded.
type Change struct {
	What   string  `json:"what"`
	How    string  `json:"how,omitempty"` // what to do, where What does not say it
	Kind   string  `json:"kind"`          // one of the kinds below
	Codec  string  `json:"codec"`
	Time   Ratio   `json:"time"`   // of both operations together
	Encode Ratio   `json:"encode"` // each by itself
	Decode Ratio   `json:"decode"`
	Allocs float64 `json:"allocs"`           // of both together
	Wire   float64 `json:"wire"`             // mean bytes of a message
	Advise bool    `json:"advise,omitempty"` // if it saves time: the others are shown only
	Note   string  `json:"note,omitempty"`
}

// Ratio is a time, of what it was before the change, in the same rounds; below 1 is faster.
type Ratio struct {
	run.Estimate
	Verdict string  `json:"verdict"`        // run.Faster … by the rules of the table of codecs
	Need    float64 `json:"need,omitempty"` // where that is run.Inconclusive: how many times longer would decide, about
}

// Kinds of changes, the easiest first.
const (
	KindCode   = "code"   // of one program: others read what it writes
	KindFormat = "format" // other messages: every reader and writer must change
)

// unchecked is the care that generated methods ask for: the specification wants proto3's strings to
// be UTF-8, and proto.Unmarshal of others refuses a message in which one is not.
const unchecked = "strings are not checked for UTF-8, sent or read, and who checks may refuse the message: check text that " +
	"comes from elsewhere"

// choice is a change that could be measured.
type choice struct {
	what, kind     string
	advise         bool
	codec          string
	encode, decode string // modes
	how, note      string // note says what care it asks for
}

// choices are those of the family, beside the variants of the schema.
var choices = []choice{
	{"protobuf-go: buffer, message kept", KindCode, true, base, "append", "reused",
		"proto.MarshalOptions.MarshalAppend into a kept buffer, proto.Unmarshal into a kept message",
		"the message that was decoded before is gone, and nothing of what was below it is used again"},
	{"vtprotobuf: its methods", KindCode, true, "vtprotobuf-native", "fresh", "fresh",
		"protoc-gen-go-vtproto beside protoc-gen-go, MarshalVT and UnmarshalVT",
		unchecked},
	{"vtprotobuf: kept buffer, its pools", KindCode, true, "vtprotobuf-native", "append", "pooled",
		"MarshalToSizedBufferVT into a kept buffer, messages from vtprotobuf's pools",
		"whoever takes a message from a pool gives it back when nobody holds a part of it any more; " + unchecked},
	{"vtprotobuf: kept buffer, aliases", KindCode, true, "vtprotobuf-native", "append", "alias-reused",
		"UnmarshalVTUnsafe into a kept message, whose strings and bytes point into the input",
		"the input must stay as it is while the message lives; " + unchecked},
	{"gogo/protobuf: generated code", KindCode, false, "gogoproto-native", "fresh", "fresh", "", "not maintained any more"},
	{"protobuf-go-lite: generated code", KindCode, true, "protobuf-lite-native", "fresh", "fresh",
		"protoc-gen-go-lite in place of protoc-gen-go, MarshalVT and UnmarshalVT",
		"messages have no reflection, and so neither protojson nor a gRPC codec that is there already; " + unchecked},
}

// changes are all that were measured, the least time first.
func (r *Result) changes() []Change {
	from := r.pair(base, "fresh", "fresh")
	if from == nil {
		return nil
	}
	var out []Change
	var ways []*pair
	add := func(c choice) {
		if to := r.pair(c.codec, c.encode, c.decode); to != nil {
			ways = append(ways, to)
			out = append(out, Change{What: c.what, How: c.how, Kind: c.kind, Codec: c.codec, Advise: c.advise, Note: c.note,
				Allocs: to.encode.Allocs + to.decode.Allocs, Wire: to.encode.Wire})
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
	twin := r.pair(again, "fresh", "fresh")
	for _, op := range []struct {
		of  func(*pair) []run.Sample
		put func(*Change) *Ratio
	}{
		{(*pair).both, func(c *Change) *Ratio { return &c.Time }},
		{func(p *pair) []run.Sample { return p.encode.samples }, func(c *Change) *Ratio { return &c.Encode }},
		{func(p *pair) []run.Sample { return p.decode.samples }, func(c *Change) *Ratio { return &c.Decode }},
	} {
		var samples [][]run.Sample
		for _, p := range ways {
			samples = append(samples, op.of(p))
		}
		var noise []run.Sample
		if twin != nil {
			noise = op.of(twin)
		}
		for i, x := range judged(op.of(from), noise, samples) {
			*op.put(&out[i]) = x
		}
	}
	slices.SortStableFunc(out, func(a, b Change) int { return cmp.Compare(a.Time.Median, b.Time.Median) })
	return out
}

// assumedFloor is the noise floor without a second process to tell it, as in the table of codecs.
const assumedFloor = 0.15

// judged compares samples with those of before, as the table of codecs does: a difference is
// proven beyond what two processes of one program differ by, after Holm's correction.
func judged(from, twin []run.Sample, list [][]run.Sample) []Ratio {
	const clock, seed = "cpu", 1
	floor := assumedFloor
	noise := stats.Ratio(from, twin, clock, seed)
	if noise.N > 0 && noise.Lo > 0 {
		floor = max(noise.Hi, 1/noise.Lo) - 1
	}
	out, found, p := make([]Ratio, len(list)), make([]stats.Result, len(list)), make([]float64, len(list))
	for i, x := range list {
		found[i] = stats.RatioBy([]stats.Result{noise}, from, x, clock, seed)
		p[i] = found[i].P
	}
	p = stats.Holm(p)
	for i, x := range found {
		if x.N > 0 {
			out[i].Verdict, out[i].Need = stats.Judge(x, p[i], floor)
			out[i].Estimate = run.Estimate{Median: 1 / x.Point, Lo: 1 / x.Hi, Hi: 1 / x.Lo, N: x.N}
		}
	}
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
