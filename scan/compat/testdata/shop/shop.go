package shop

import (
	"encoding/json"
	"fmt"
	"os"
	"time"
)

// Plain is the same everywhere.
type Plain struct {
	ID    int64    `json:"id"`
	Ratio float64  `json:"ratio"`
	Items []Item   `json:"items,omitempty"`
	Next  *Plain   `json:"next,omitempty"`
	Tags  []string `json:"tags,omitempty"`
}

// Item is an element of Plain.
type Item struct {
	SKU string `json:"sku"`
	Qty int    `json:"qty"`
}

// Clock writes the time of the call.
type Clock struct{ N int }

// MarshalJSON is not deterministic.
func (Clock) MarshalJSON() ([]byte, error) { return fmt.Appendf(nil, "%d", time.Now().UnixNano()), nil }

// Address writes something that depends on the process.
type Address struct{ N int }

// MarshalJSON writes the process's number.
func (Address) MarshalJSON() ([]byte, error) { return fmt.Appendf(nil, "%d", os.Getpid()), nil }

// Deadly ends the process for one value.
type Deadly struct {
	Name string `json:"name"`
	Code Code   `json:"code"`
}

// Code cannot be read from 7.
type Code int

// UnmarshalJSON ends the process.
func (c *Code) UnmarshalJSON(b []byte) error {
	if string(b) == "7" {
		os.Exit(3)
	}
	return json.Unmarshal(b, (*int)(c))
}

// Sealed has nothing that could be drawn.
type Sealed struct{ n int }

// Shape is an interface without an implementation that anybody knows.
type Shape interface{ Area() float64 }

// Drawing has a field that nobody can fill.
type Drawing struct {
	Name  string `json:"name"`
	Shape Shape  `json:"shape"`
}
