package zmyvector

import (
	"math"
	"time"

	"github.com/zmylab/zmy/internal/zmymodel"
)

var (
	lateZone = []time.Time{noon.In(time.FixedZone("", 64_800))}
	lots     = map[uint64]int32{1: 1, 2: 2, math.MaxUint64: 3}
)

func v1Message() []byte {
	_, b := message(&V1{1, "n", []Part1{{1}, {2}}, Part1{3}})
	return b
}

// passedOn are messages of one version read as another.
func passedOn() map[string][]raw {
	_, v1 := message(&V1{1, "n", []Part1{{1}, {2}}, Part1{3}})
	_, v2 := message(&V2{1, "n", []Part2{{1, "a"}, {2, ""}}, Part2{3, "b"}, 1.5, "note"})
	_, v3 := message(&V3{1, "n", []Part3{{1, "a", 4, []byte{5}}, {}}, Part3{0, "", 9, []byte{6}}, 1.5, "note", true,
		map[string]Part1{"k": {7}}})
	_, s2 := message(&Sparse2{A: 1, B: "b", Kids: []Sparse2{{A: 2, D: 3, F: []byte{4}}, {E: 1}}, At: Spot{X: 1}, D: 5, F: []byte{6}})
	var evolution, unknown, sparse []raw
	for _, c := range []struct {
		id string
		b  []byte
	}{{"v1", v1}, {"v2", v2}, {"v3", v3}} {
		for _, reader := range []string{"V1", "V2", "V3"} {
			if "v"+reader[1:] != c.id {
				evolution = append(evolution, raw{id: c.id + " read as " + reader, reader: reader, b: c.b})
			}
		}
		for _, reader := range []string{"Keep1", "Keep2", "Retired", "RetiredKeep"} {
			unknown = append(unknown, raw{id: c.id + " read as " + reader, reader: reader, b: c.b},
				raw{id: c.id + " read as " + reader + ", exact", reader: reader, b: c.b, limits: zmymodel.Limits{Exact: true}})
		}
	}
	for _, c := range []struct{ id, hex string }{
		{"unknown scalar of the message", "05c00000 01000000 07 0f00 0f00 0f00"},
		{"unknown tail of the message", "04000100 01000000 1000 1000 1000 1200 77ff"},
		{"unknown empty tail", "04000100 01000000 1000 1000 1000 1000"},
		{"unknown scalars that are zero", "08c00000 01000000 00000000 1200 1200 1200"},
		{"unknown scalar of elements", "04c00000 01000000 0e00 1800 1800 03000000 0100 07 0200 00"},
		{"unknown tail of elements", "04c00000 01000000 0e00 2000 2000 02400000 0a00 0f00 1300 0100 0500 77 0200 0400"},
		{"unknown in a zero struct", "04c00000 01000000 0e00 0e00 1500 03000000 0000 07"},
		{"all zero, unknown too", "04c00000 01000000 0e00 0e00 1500 03000000 0000 00"},
		{"half of the next version", "08c00000 01000000 02000000 1200 1200 1200"},
	} {
		for _, reader := range []string{"V1", "Keep1"} {
			unknown = append(unknown, raw{id: c.id + ", " + reader, reader: reader, b: unhex(c.hex)})
		}
	}
	for _, reader := range []string{"Sparse1", "SparseDrop"} {
		sparse = append(sparse, raw{id: "newer read as " + reader, reader: reader, b: s2},
			raw{id: "exact, newer read as " + reader, reader: reader, b: s2, limits: zmymodel.Limits{Exact: true}})
	}
	// A reserved slot has content as soon as a scalar is not zero or a tail not empty.
	var reserved []raw
	for _, c := range []struct{ id, hex string }{
		{"nothing", "0c000100 00000000 000000000000f83f 1800 1800 1800 1800"},
		{"scalar", "0c000100 00000001 000000000000f83f 1800 1800 1800 1800"},
		{"tail", "0c000100 00000000 000000000000f83f 1900 1900 1900 1900 61"},
		{"tail of zero bytes", "0c000100 00000000 000000000000f83f 1a00 1a00 1a00 1a00 0000"},
		{"tail of zero bytes, then a bad list", "0c000100 00000000 000000000000f83f 1a00 1b00 1b00 1b00 0000 01"},
		{"both", "0c000100 01000000 000000000000f83f 1a00 1a00 1a00 1a00 0000"},
	} {
		for _, reader := range []string{"Retired", "RetiredKeep"} {
			reserved = append(reserved, raw{id: c.id, reader: reader, b: unhex(c.hex)},
				raw{id: c.id + ", exact", reader: reader, b: unhex(c.hex), limits: zmymodel.Limits{Exact: true}})
		}
	}
	grown := growing()
	return map[string][]raw{"reserved": reserved, "evolution": evolution, "unknown": append(unknown, grown...), "sparse": sparse}
}

// growing are narrow unknown parts in wide messages.
func growing() []raw {
	v := &V3{Name: string(make([]byte, 65_500)), List: []Part3{{1, "a", 4, []byte{5}}}, Note: "note", More: map[string]Part1{"k": {7}}}
	_, b := message(v)
	v.Name += string(make([]byte, 100))
	_, wide := message(v)
	return []raw{{id: "almost wide", reader: "Keep1", b: b}, {id: "wide", reader: "Keep1", b: wide},
		{id: "wide, two versions", reader: "Keep2", b: wide}}
}
