// Package canada is the outline of a country as GeoJSON (RFC 7946): 480 rings of coordinates with
// up to 17 digits, some 6,500 points, 250 KB of JSON. It has the shape of canada.json, a document
// with which JSON parsers are compared; the coordinates are random, and nothing is copied from that
// document.
package canada

import (
	"math"
	"math/rand/v2"

	"github.com/zmylab/zmy/examples/internal/sample"
)

//go:generate fxjson -type=Map

// Map is a collection of features.
type Map struct {
	Type     string    `json:"type"`
	Features []Feature `json:"features"`
}

// Feature is one shape with its name.
type Feature struct {
	Type       string     `json:"type"`
	Properties Properties `json:"properties"`
	Geometry   Geometry   `json:"geometry"`
}

// Properties are what a map shows of a feature.
type Properties struct {
	Name string `json:"name"`
}

// Geometry is a polygon: rings of points, each a longitude and a latitude.
type Geometry struct {
	Type        string         `json:"type"`
	Coordinates [][][2]float64 `json:"coordinates"`
}

// SampleMap draws one map. Most rings are islets of a few points; a handful has
// hundreds.
func SampleMap(r *rand.Rand) Map {
	g := Geometry{Type: "Polygon"}
	for range 480 {
		g.Coordinates = append(g.Coordinates, ring(r, 4+int(sample.LogNormal(r, 6.5, 1.15))))
	}
	return Map{Type: "FeatureCollection", Features: []Feature{{Type: "Feature", Properties: Properties{Name: "Canada"}, Geometry: g}}}
}

// ring walks around a centre. Most coordinates are sums of decimals, which float64
// spells with 15 to 17 digits.
func ring(r *rand.Rand, n int) [][2]float64 {
	x, y := -141+88*r.Float64(), 42+41*r.Float64()
	radius := 0.01 + r.Float64()
	out := make([][2]float64, n)
	for i := range out {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(n))
		out[i] = [2]float64{degrees(r, x+radius*cos), degrees(r, y+radius*sin)}
	}
	out[n-1] = out[0] // a ring is closed
	return out
}

func degrees(r *rand.Rand, x float64) float64 {
	short := sample.Round(x, 6)
	if sample.Chance(r, 0.4) {
		return short
	}
	return short + 1e-14*float64(1+r.IntN(6))
}
