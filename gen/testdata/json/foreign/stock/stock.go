// Package stock has types of its own.
package stock

import "encoding/hex"

// Item has a field that only this package sees.
type Item struct {
	Sku   string `json:"sku"`
	Size  Size
	count int
}

// Size is a number.
type Size int16

// Place is embedded elsewhere.
type Place struct{ Row, Col int }

// Code is a map key that marshals itself.
type Code [2]byte

// MarshalText returns the code in hexadecimal.
func (c Code) MarshalText() ([]byte, error) { return []byte(hex.EncodeToString(c[:])), nil }

// UnmarshalText is MarshalText's inverse.
func (c *Code) UnmarshalText(b []byte) error {
	_, err := hex.Decode(c[:], b)
	return err
}
