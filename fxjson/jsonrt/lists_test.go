package jsonrt

import (
	"encoding/json"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/zmylab/zmy/internal/jsonprint"
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

// TestDecodeInts compares with encoding/json: lists of every length behind strings of
// every length, and so with all sorts of room, into fresh and used targets.
func TestDecodeInts(t *testing.T) {
	type target struct {
		S string
		A []int
		B []int16
		C []any
	}
	decode := func(d *Dec, i int, v *target) int {
		for _, step := range []func(int) int{
			func(i int) int { return DecodeString(d, i, &v.S) }, func(i int) int { return DecodeInts(d, i, &v.A) },
			func(i int) int { return DecodeInts(d, i, &v.B) }, func(i int) int { return DecodeSlice(d, i, &v.C, DecodeAny) },
		} {
			i = step(i + 1) // behind a bracket or comma
		}
		return i + 1
	}
	c := Code[target]{Decode: decode, Alias: true, Print: printOf[target]()}
	for n := range 130 {
		for _, ints := range []string{"null", "[]", "[1]", "[ -7 , null,300 ]", "[1,2,3,4,5,6,7,8]",
			"[0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,9]"} {
			doc := `["` + strings.Repeat("x", n) + `",` + ints + "," + ints + `,[1.5,2,"x",3]]`
			var got, want target
			for range 2 {
				if err := c.Unmarshal([]byte(doc), &got); err != nil {
					t.Fatal(err)
				}
				if err := json.Unmarshal([]byte(doc), &[]any{&want.S, &want.A, &want.B, &want.C}); err != nil {
					t.Fatal(err)
				}
				if !reflect.DeepEqual(got, want) || len(got.A) > 0 && cap(got.A) < len(got.A) {
					t.Fatalf("%s: have %v, want %v", doc, got, want)
				}
			}
			for i := range got.A {
				got.A[i] = -1 // its own memory
			}
			if got.A = append(got.A, -1); !reflect.DeepEqual(got.B, want.B) || !reflect.DeepEqual(got.C, want.C) || got.S != want.S {
				t.Fatalf("%s: neighbours have changed: %v", doc, got)
			}
		}
	}
}

// printOf is the fingerprint that the generator would give the code of a T.
func printOf[T any]() uint64 { return jsonprint.Of[reflect.Type](printSource{}, reflect.TypeFor[T]()) }
