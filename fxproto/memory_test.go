package fxproto_test

import (
	"bytes"
	"errors"
	"runtime"
	"testing"

	"github.com/zmylab/zmy/fxproto"
)

// large is a struct of 1 KiB, of which a message needs no byte.
type large struct {
	Pad  [1024]byte        `proto:"1"`
	All  []large           `proto:"2"`
	Some []*large          `proto:"3"`
	Map  map[string]string `proto:"4"`
	Nums []int64           `proto:"5"`
	Text []string          `proto:"6"`
	By   map[int32]large   `proto:"7"`

	Unknown fxproto.Unknown
}

// hostile has messages whose values need much more memory than the messages.
var hostile = map[string][]byte{
	"lists of structs":   bytes.Repeat([]byte("\x12\x00"), 20000),
	"lists of pointers":  bytes.Repeat([]byte("\x1a\x00"), 20000),
	"maps of one entry":  bytes.Repeat([]byte("\x12\x02\x22\x00"), 20000),
	"maps of structs":    bytes.Repeat([]byte("\x3a\x00"), 20000),
	"packed numbers":     append([]byte("\x2a\x80\x89\x7a"), make([]byte, 2000000)...),
	"numbers by turns":   bytes.Repeat([]byte("\x28\x01\x32\x00"), 200000),
	"unknown fields":     bytes.Repeat([]byte("\x78\x01"), 2000000),
	"empty map of texts": bytes.Repeat([]byte("\x22\x00\x32\x00"), 50000),
}

// TestMemory unmarshals hostile messages with a budget. The memory that is allocated, with all that
// is garbage already, stays below four times the budget, and Verify agrees with Unmarshal.
func TestMemory(t *testing.T) {
	const budget = 4 << 20
	o := fxproto.UnmarshalOptions{MaxMemory: budget}
	for name, b := range hostile {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		err := o.Unmarshal(b, new(large))
		runtime.ReadMemStats(&after)
		if used := after.TotalAlloc - before.TotalAlloc; used > 4*budget {
			t.Errorf("%s: %d bytes for a budget of %d", name, used, budget)
		}
		if !errors.Is(err, fxproto.ErrMemory) {
			t.Errorf("%s: %v, want ErrMemory", name, err)
		}
		if verify := o.Verify(b, large{}); verify == nil || verify.Error() != err.Error() {
			t.Errorf("%s: Verify: %v, Unmarshal: %v", name, verify, err)
		}
		if err := fxproto.Verify(b, large{}); err != nil {
			t.Errorf("%s: with the default budget: %v", name, err)
		}
	}
}

// TestVerifyAllocates shows that Verify allocates no more for a larger message.
func TestVerifyAllocates(t *testing.T) {
	one := []byte("\x0a\x02id\x12\x04\x0a\x02ab\x1a\x05\x0a\x01k\x12\x00\x2a\x00" +
		"\x31\x00\x00\x00\x00\x00\x00\xf0\x3f\x5a\x02\x08\x01\xc2\x3e\x01a\x73\x74\x7a\x00")
	allocs := func(n int) float64 {
		b := bytes.Repeat(one, n)
		return testing.AllocsPerRun(10, func() {
			if err := fxproto.Verify(b, (*order)(nil)); err != nil {
				t.Fatal(err)
			}
		})
	}
	if small, big := allocs(1), allocs(1000); big > small {
		t.Errorf("%v allocations for a thousand times the message, %v for one", big, small)
	}
}
