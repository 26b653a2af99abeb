// Package other declares types that package kinds uses.
package other

// Point is a foreign struct.
type Point struct {
	X, Y  int
	Label string
	note  string
}

// Level is a foreign named kind.
type Level int8

// Labels is a foreign named map.
type Labels map[string]string

// Note keeps the unexported field in use.
func (p Point) Note() string { return p.note }
