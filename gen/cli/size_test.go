package cli

import (
	"slices"
	"testing"
)

func TestSizes(t *testing.T) {
	const src = `package p

import "x"

const _ = x.Gen

var codeA = x.Code[A]{
	Encode: encodeA,
}

func (v A) Append() {
}

func (*A) Code() any { return &codeA }

func encodeA(e *x.Enc, b []byte, v *A) []byte {
	return b
}

var namesA = 1

func encodeA_B(e *x.Enc, b []byte, v *B) []byte {
	return b
}

func findB(k string) int {
	return 0
}

func decodeC(d *x.Dec, i int, v *y.C[int]) int { return i }

var _ A = struct{}{}
`
	want := []size{{"A", 8}, {"B", 6}, {"C", 1}}
	if got := sizes([]byte(src)); !slices.Equal(got, want) {
		t.Errorf("have %v, want %v", got, want)
	}
}
