// Package padded has a type for measuring the cost of padding: its fields are in the order in which
// somebody happened to add them.
package padded

import "math/rand/v2"

// Reading is a sample of a sensor. In this order it takes 64 bytes, 31 of them padding; with fields
// by falling alignment it takes 40.
type Reading struct {
	Valid    bool
	At       int64 // Unix time in ns
	Channel  uint8
	Value    float64
	Alarm    bool
	Sequence uint32
	Final    bool
	Delta    float64
	Unit     uint8
}

// SampleReading draws a Reading.
func SampleReading(r *rand.Rand) Reading {
	return Reading{Valid: r.IntN(20) > 0, At: 1_700_000_000_000_000_000 + r.Int64N(1e15), Channel: uint8(r.IntN(16)),
		Value: 100 * r.NormFloat64(),
		Alarm: r.IntN(50) == 0, Sequence: r.Uint32(), Final: r.IntN(100) == 0, Delta: r.NormFloat64(), Unit: uint8(r.IntN(4))}
}
