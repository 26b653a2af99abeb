// Package stock has types of its own.
package stock

// Item has a field that only this package sees.
type Item struct {
	Sku   string `zmy:"0"`
	Size  Size   `zmy:"1"`
	count int
}

// Size is a number.
type Size int16
