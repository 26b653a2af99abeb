package sse_test

import (
	"flag"
	"math/rand/v2"
	"testing"
)

var (
	mutants     = flag.Int("mutants", 20_000, "inputs of TestMutants")
	mutantsSeed = flag.Uint64("mutants.seed", 20261121, "their seed")
)

// scraps are what streams are made of, and what might break them.
var scraps = []string{
	"data", "data: ", "data:", "event: ", "event:", "id: ", "id:", "id", "retry: ", "retry:", "retry", ":",
	": ", " ", "\n", "\n", "\n\n", "\r", "\r\n", "\r\n\r\n", "\n\r",
	"\x00", "\uFEFF", "\xef\xbb", "\xbf", "\xff", "\xc0\x80", "\xe2\x82", "\xf0\x9f\x98", "\xed\xa0\x80",
	"\xf4\x90\x80\x80", "\xc2", "é", "€", "😀", "\u2028", "\u0085", "\v", "\x1f",
	"1", "42", "9999999999999999999", "message", "reset", "x", "y", "{\"a\":1}", "data: evil\n\n",
	"\nevent: evil\ndata: x\n\n", "=", "\\n", "%0A",
}

// TestMutants holds writer and reader against the oracle on streams that are put together at
// random, without the cost of a fuzzer's instrumentation: every second input is a body for the
// reader, the others are an event's fields.
func TestMutants(t *testing.T) {
	r := rand.New(rand.NewPCG(*mutantsSeed, 7))
	for range *mutants / 2 {
		compareReader(t, scrap(r, 24), string(scrap(r, 1)), 1+r.IntN(40))
		var id, typ string
		if r.IntN(2) == 0 { // fields that are refused end the check
			id, typ = "5f-7", "order"
		} else {
			id, typ = string(scrap(r, 2)), string(scrap(r, 2))
		}
		checkFrames(t, id, typ, scrap(r, 12))
	}
}

// scrap joins up to most scraps, some of them damaged.
func scrap(r *rand.Rand, most int) (b []byte) {
	for range r.IntN(most + 1) {
		b = append(b, scraps[r.IntN(len(scraps))]...)
		if len(b) > 0 && r.IntN(8) == 0 {
			b[r.IntN(len(b))] = byte(r.Uint32())
		}
	}
	return b
}
