package fidelity

import (
	"math/rand/v2"
	"testing"
)

func BenchmarkCompare(b *testing.B) {
	x := randomValue(rand.New(rand.NewPCG(1, 1)), 20)
	y := randomValue(rand.New(rand.NewPCG(1, 1)), 20)
	for b.Loop() {
		if Compare(x, y, Options{}) != nil {
			b.Fatal("they differ")
		}
	}
}
