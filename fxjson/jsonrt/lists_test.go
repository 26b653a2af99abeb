package jsonrt

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
)

// TestLists compares the encoders of whole lists with encoding/json, with no room
// to begin with and much.
func TestLists(t *testing.T) {
	type small int8
	type name string
	type bits uint
	checkList(t, EncodeInts, [][]int{nil, {}, {0}, {-1, 9, 10, 99, 100, 99999999, 100000000, math.MaxInt, math.MinInt}})
	checkList(t, EncodeInts, [][]small{nil, {}, {-128, 127, 0}})
	checkList(t, EncodeUints, [][]uint64{nil, {}, {0, 1, math.MaxUint64, 1e8, 1e16, 1e16 - 1}})
	checkList(t, EncodeUints, [][]bits{nil, {}, {7, 77}})
	checkList(t, EncodeStrings, [][]string{nil, {}, {""}, {"a", "<b>", strings.Repeat("long", 50), "\xff"}})
	checkList(t, EncodeStrings, [][]name{nil, {}, {"x", "y"}})
}

func checkList[E any](t *testing.T, f func(*Enc, []byte, *[]E) []byte, lists [][]E) {
	t.Helper()
	for _, l := range lists {
		want, err := json.Marshal(l)
		if err != nil {
			t.Fatal(err)
		}
		for _, room := range []int{0, 1 << 10} {
			e := NewEnc(true)
			got := f(e, make([]byte, 0, room), &l)
			if !e.Done() || string(got) != string(want) {
				t.Errorf("%v: have %s, want %s", l, got, want)
			}
		}
	}
}
