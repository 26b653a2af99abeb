// Package stock is what a shop has.
package stock

// Place is where a thing lies.
type Place struct {
	Row, Col int // both from 1
	secret   string
	hidden
}

type hidden struct{ Depth int }

type pin uint16

// Pin is a pin.
type Pin = pin

// Code names itself.
type Code [4]byte

func (c Code) MarshalText() ([]byte, error) { return c[:], nil }

func (c *Code) UnmarshalText(b []byte) error { copy(c[:], b); return missing }
