// Package shapes holds subjects that differ in one respect only, so that the
// difference between two of them is the cost of that respect: a list of 100
// elements as objects or as columns, and one instant as [time.Time], as text or
// as a number.
package shapes

import (
	"math/rand/v2"
	"time"

	"github.com/zmylab/zmy/examples/internal/sample"
)

//go:generate fxjson -type=Array100
//go:generate zmy gen -type Array100
//go:generate fxjson -type=Columns100
//go:generate zmy gen -type Columns100
//go:generate fxjson -type=TimeNative
//go:generate zmy gen -type TimeNative
//go:generate fxjson -type=TimeISO
//go:generate zmy gen -type TimeISO
//go:generate fxjson -type=TimeUnixMS
//go:generate zmy gen -type TimeUnixMS

// Length is the number of points in Array100 and Columns100.
const Length = 100

// Array100 is a list of 100 small objects.
type Array100 struct {
	Points []Point `json:"points" zmy:"0"`
}

// Point is one element of [Array100].
type Point struct {
	X     float64 `json:"x" zmy:"0"`
	Y     float64 `json:"y" zmy:"1"`
	Label string  `json:"label" zmy:"2"`
}

// Columns100 holds the same points as three lists.
type Columns100 struct {
	X     []float64 `json:"x" zmy:"0"`
	Y     []float64 `json:"y" zmy:"1"`
	Label []string  `json:"label" zmy:"2"`
}

// SampleArray100 draws 100 points with coordinates of two decimals.
func SampleArray100(r *rand.Rand) Array100 {
	a := Array100{Points: make([]Point, Length)}
	for i := range a.Points {
		a.Points[i] = Point{
			X:     sample.Round(1000*r.Float64(), 2),
			Y:     sample.Round(1000*r.Float64(), 2),
			Label: sample.Noun(r),
		}
	}
	return a
}

// SampleColumns100 draws the points that SampleArray100 draws from the same state of r.
func SampleColumns100(r *rand.Rand) Columns100 {
	var c Columns100
	for _, p := range SampleArray100(r).Points {
		c.X, c.Y, c.Label = append(c.X, p.X), append(c.Y, p.Y), append(c.Label, p.Label)
	}
	return c
}

// TimeNative has three instants as [time.Time].
type TimeNative struct {
	ID      uint64    `json:"id" zmy:"0"`
	Created time.Time `json:"created" zmy:"1"`
	Updated time.Time `json:"updated" zmy:"2"`
	Expires time.Time `json:"expires" zmy:"3"`
}

// TimeISO has three instants as ISO 8601 text: 2025-03-09T17:21:05.123Z.
type TimeISO struct {
	ID      uint64 `json:"id" zmy:"0"`
	Created string `json:"created" zmy:"1"`
	Updated string `json:"updated" zmy:"2"`
	Expires string `json:"expires" zmy:"3"`
}

// TimeUnixMS has three instants as Unix time in milliseconds.
type TimeUnixMS struct {
	ID      uint64 `json:"id" zmy:"0"`
	Created int64  `json:"created" zmy:"1"`
	Updated int64  `json:"updated" zmy:"2"`
	Expires int64  `json:"expires" zmy:"3"`
}

// SampleTimeNative draws instants of whole milliseconds, which all three types can hold.
func SampleTimeNative(r *rand.Rand) TimeNative {
	created := sample.Time(r).Truncate(time.Millisecond)
	return TimeNative{
		ID:      r.Uint64() >> 1,
		Created: created,
		Updated: created.Add(time.Duration(r.IntN(1e7)) * time.Millisecond),
		Expires: created.Add(90 * 24 * time.Hour),
	}
}

const iso = "2006-01-02T15:04:05.000Z07:00"

// SampleTimeISO draws the instants that SampleTimeNative draws from the same state of r.
func SampleTimeISO(r *rand.Rand) TimeISO {
	n := SampleTimeNative(r)
	return TimeISO{n.ID, n.Created.Format(iso), n.Updated.Format(iso), n.Expires.Format(iso)}
}

// SampleTimeUnixMS draws the instants that SampleTimeNative draws from the same state of r.
func SampleTimeUnixMS(r *rand.Rand) TimeUnixMS {
	n := SampleTimeNative(r)
	return TimeUnixMS{n.ID, n.Created.UnixMilli(), n.Updated.UnixMilli(), n.Expires.UnixMilli()}
}
