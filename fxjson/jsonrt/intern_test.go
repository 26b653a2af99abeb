package jsonrt

import (
	"fmt"
	"hash/maphash"
	"testing"
	"unsafe"
)

// TestInternSets: as many strings as a set has places are all kept, though they come by turns; strings
// that come once displace none of them.
func TestInternSets(t *testing.T) {
	table := &internTable{seed: maphash.MakeSeed()}
	var same [][]byte // of one set
	for i := 0; len(same) < internWays; i++ {
		if s := fmt.Append(nil, "word ", i); maphash.Bytes(table.seed, s)%internSets == 0 {
			same = append(same, s)
		}
	}
	for i := range 10_000 { // strings that come once
		table.get(fmt.Append(nil, "once ", i))
	}
	for range 2 {
		for _, s := range same {
			table.get(s)
		}
	}
	for i := range 10_000 {
		table.get(fmt.Append(nil, "once more ", i))
	}
	for _, s := range same {
		a, known := table.get(s)
		b, again := table.get(s)
		if !known || !again || a != string(s) || unsafe.StringData(a) != unsafe.StringData(b) {
			t.Errorf("%q is not kept", s)
		}
	}
}
