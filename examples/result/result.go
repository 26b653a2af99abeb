// Package result is the subject "one long array of numbers": what a computation
// sends back. 1024 float64 values make its JSON form about 20 KB and its binary
// form 8 KiB, so it shows how a codec treats bulk numbers.
package result

import (
	"math/rand/v2"

	"github.com/zmylab/zmy/examples/internal/sample"
)

//go:generate fxjson -type=Result
//go:generate zmy gen -type Result

// Points is the length of Data in every sampled Result.
const Points = 1024

// Result is the outcome of one computation.
type Result struct {
	ID        uint64    `json:"id" zmy:"0"`
	Data      []float64 `json:"data" zmy:"1"`
	Timestamp int64     `json:"timestamp" zmy:"2"` // Unix time in milliseconds
}

// SampleResult draws a Result of [Points] values in [0, 1) with all bits of their
// mantissa in use: 17 digits each, the hardest case for text formats.
func SampleResult(r *rand.Rand) Result {
	v := Result{
		ID:        r.Uint64(),
		Data:      make([]float64, Points),
		Timestamp: sample.Time(r).UnixMilli(),
	}
	for i := range v.Data {
		v.Data[i] = r.Float64()
	}
	return v
}
