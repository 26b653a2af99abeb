package protofamily

import (
	"cmp"
	"slices"
	"time"

	"github.com/zmylab/zmy/lab/experiment"
	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/lab/stats"
)

// Change is something that a user of proto.Marshal and proto.Unmarshal could do, with the time and
// the allocations that encoding and decoding one message would then take.
type Change struct {
	What   string  `json:"what"`
	How    string  `json:"how,omitempty"` // what to do, if What does not say it
	Kind   string  `json:"kind"`          // one of the kinds below
	Codec  string  `json:"codec"`
	Time   Ratio   `json:"time"`   // encode and decode together
	Encode Ratio   `json:"encode"` // each operation alone
	Decode Ratio   `json:"decode"`
	Allocs float64 `json:"allocs"`           // encode and decode together
	Wire   float64 `json:"wire"`             // mean bytes per message
	Advise bool    `json:"advise,omitempty"` // findings advise the change if it saves time; tables show it in any case
	Note   string  `json:"note,omitempty"`
}

// Ratio is the time after a change ÷ the time before it, in the same rounds; below 1 is faster.
type Ratio struct {
	run.Estimate
	Verdict string  `json:"verdict"`        // run.Faster and so on, by the rules of the table of codecs
	Need    float64 `json:"need,omitempty"` // if Verdict is run.Inconclusive: about how many times longer a run must be to decide
}

// The kinds of changes, the easiest first.
const (
	KindCode   = "code"   // changes one program only: others can read the messages that it writes
	KindFormat = "format" // changes the messages, so all readers and writers must change
)

// onOwn is the end of the name of a change to a codec that needs no generated messages.
const onOwn = " on your own type"

// unchecked is the warning for generated methods that skip a check: the specification wants
// proto3's strings to be UTF-8, and proto.Unmarshal in another program refuses a message with any
// other string.
const unchecked = "strings are not checked for UTF-8, sent or read, and who checks may refuse the message: check text that " +
	"comes from elsewhere"

// choice is a change, with the row and the modes that measure it.
type choice struct {
	what, kind     string
	advise         bool
	codec          string
	encode, decode string // modes
	how, note      string // note says what the user must take care of
}

// choices are the changes that need no other schema.
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

// changes returns all changes that were measured, the fastest first.
func (r *Result) changes() []*Change {
	from := r.pair(base, "fresh", "fresh")
	if from == nil {
		return nil
	}
	var out []*Change
	var ways []*pair
	add := func(c choice) {
		if to := r.pair(c.codec, c.encode, c.decode); to != nil {
			ways = append(ways, to)
			out = append(out, &Change{What: c.what, How: c.how, Kind: c.kind, Codec: c.codec, Advise: c.advise, Note: c.note,
				Allocs: to.encode.Allocs + to.decode.Allocs, Wire: to.encode.Wire})
		}
	}
	for _, c := range choices {
		add(c)
	}
	for _, codec := range r.Beside {
		add(choice{what: codec + onOwn, kind: KindFormat, codec: codec, encode: "fresh", decode: "fresh"})
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
	judge := func(of func(*pair) []run.Sample) []Ratio {
		var samples [][]run.Sample
		for _, p := range ways {
			samples = append(samples, of(p))
		}
		var noise []run.Sample
		if twin != nil {
			noise = of(twin)
		}
		return judged(of(from), noise, samples)
	}
	both := judge((*pair).both)
	encode := judge(func(p *pair) []run.Sample { return p.encode.samples })
	decode := judge(func(p *pair) []run.Sample { return p.decode.samples })
	for i, c := range out {
		c.Time, c.Encode, c.Decode = both[i], encode[i], decode[i]
	}
	slices.SortStableFunc(out, func(a, b *Change) int { return cmp.Compare(a.Time.Median, b.Time.Median) })
	return out
}

// assumedFloor is the noise floor if no second process shows it, as in the table of codecs.
const assumedFloor = 0.15

// judged compares each of the samples with those of from, as the table of codecs does. A difference
// is proven if it exceeds what two processes of one program differ by, after Holm's correction. The
// correction is needed because a dozen changes are compared, and a reader acts on the one that
// looks best.
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

// pair is encoding and decoding a message with one codec.
type pair struct{ encode, decode *Line }

func (r *Result) pair(codec, encode, decode string) *pair {
	p := &pair{r.line(codec, "encode", encode), r.line(codec, "decode", decode)}
	if p.encode == nil || p.decode == nil {
		return nil
	}
	return p
}

// both adds the times of encode and decode, round by round. Within a round the machine was equally
// fast for all codecs, so the sums of two codecs can be compared like the times of one operation.
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

// variant returns the variant of the schema, or the option of protobuf-go, that a row measures. It
// returns nil for other rows.
func (r *Result) variant(codec string) *Spelling {
	return experiment.First(r.Names, func(s *Spelling) bool { return s.Codec == codec })
}

// change returns the change of this name that was measured, or nil.
func (r *Result) change(what string) *Change {
	return experiment.First(r.Change, func(c *Change) bool { return c.What == what })
}

// part returns a share of a budget.
func part(d time.Duration, share float64) time.Duration { return time.Duration(float64(d) * share) }
