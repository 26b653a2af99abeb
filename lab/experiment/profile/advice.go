package profile

import (
	"fmt"
	"math"

	"github.com/zmylab/zmy/lab/quantity"
)

// hotSpot is a kind of work whose share of an operation exceeds its rule.
type hotSpot struct {
	codec, op, kind string
	share           float64 // its share of the operation's CPU time
	ns              float64
	function        string // the function that causes most of it
	hook            string // the user's own method in which most of it is spent, or ""
	advice          string
}

// rules lists the kinds of work that can be hot spots, the share of CPU time above which each is
// reported, and advice for encode and decode.
var rules = []struct {
	kind   string
	above  float64
	encode string
	decode string
}{
	{kindAlloc, 0.35, "reuse the buffer: append to one that is kept, or take it from a sync.Pool",
		"decode into a value that is reused; slices of values instead of pointers, and lists that know their length, need fewer objects"},
	{kindGC, 0.15, "the garbage is collected on this clock: reuse buffers, or give the collector room by GOGC or GOMEMLIMIT",
		"the garbage is collected on this clock: fewer pointers in the type, reused targets, or room by GOGC or GOMEMLIMIT"},
	{kindReflect, 0.10, "the codec asks the type anew for every value: generated code knows it",
		"the codec asks the type anew for every value: generated code knows it"},
	{kindNumber, 0.20, "numbers become decimal text: fixed decimals, integers instead of floats, or a binary format for long lists of them",
		"decimal text becomes numbers: integers instead of floats, or a binary format for long lists of them"},
	{kindTime, 0.10, "times become text: an integer (Unix nanoseconds) costs a fraction",
		"times are read from text: an integer (Unix nanoseconds) costs a fraction"},
	{kindMap, 0.10, "walking maps is slow and sorting their keys slower: a struct, or a sorted slice of pairs",
		"filling maps is slow: a struct where the keys are known, or a slice of pairs"},
	{kindSort, 0.05, "keys are sorted for each message: a slice of pairs that is sorted once, or a codec that need not sort", ""},
	{kindText, 0.35, "text is looked through byte by byte for what must be escaped: bytes that need no escaping belong into a binary format",
		"text is looked through byte by byte: a format with length prefixes jumps over it"},
	{kindBinary, 0.10, "bytes become base64: a binary format writes them as they are",
		"base64 becomes bytes: a binary format reads them as they are"},
	{kindFormat, 0.02, "package fmt builds texts by reflection: strconv.Append", "package fmt reads by reflection: package strconv"},
	{kindCopy, 0.35, "most of the time is copying: write into the final buffer, or send large blobs beside the message",
		"most of the time is copying: a codec that lets values point into the input (mode alias, a view) copies nothing"},
	{kindLock, 0.15, "goroutines wait for each other, or fill and drain pools: see zmy lab contention",
		"goroutines wait for each other, or fill and drain pools: see zmy lab contention"},
	{kindIface, 0.10, "values of type any are asked for their type one by one: concrete types",
		"values are boxed into any one by one: concrete types"},
}

// hotSpots returns the kinds of work of an operation that exceed their rule.
func (p *opProfile) hotSpots(codec string) []hotSpot {
	var out []hotSpot
	for _, r := range rules {
		ns, advice := p.kinds[r.kind], r.encode
		if p.op != "encode" {
			advice = r.decode
		}
		if p.total <= 0 || advice == "" || !p.exceeds(ns/p.total, r.above) {
			continue
		}
		out = append(out, hotSpot{codec: codec, op: p.op, kind: r.kind, share: ns / p.total, ns: ns, function: p.top[r.kind],
			hook: p.hooks[r.kind], advice: advice})
	}
	return out
}

// exceeds reports whether a share above the limit is supported by the samples: the share must rest
// on at least five of them, and its 95% interval must stay above half of the limit.
func (p *opProfile) exceeds(share, limit float64) bool {
	n := float64(p.samples)
	return share >= limit && share*n >= 5 && share-1.96*math.Sqrt(share*(1-share)/n) > limit/2
}

func (h *hotSpot) sentence() string {
	in := ""
	switch {
	case h.hook != "":
		in = ", most in your own " + h.hook
	case h.function != "":
		in = ", most for " + h.function
	}
	return fmt.Sprintf("%s, %s: %s of the CPU time is %s%s → %s.", h.codec, h.op, quantity.Share(h.share), h.kind, in, h.advice)
}

// fewSamples is a number of samples with which a share of a third is uncertain by about a tenth (in
// absolute terms). Below it the report warns.
const fewSamples = 100
