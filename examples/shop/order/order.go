// Package order has the types of a shop.
package order

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Order is what a customer bought.
type Order struct {
	ID       string    `json:"id"`
	Customer Customer  `json:"customer"`
	Items    []Item    `json:"items"`
	Placed   time.Time `json:"placed"`
	Notes    []string  `json:"notes,omitempty"`
}

// Customer is who bought it.
type Customer struct {
	Name  string `json:"name"`
	Email string `json:"email"`
	City  string `json:"city"`
}

// Item is a line of an order.
type Item struct {
	SKU   string `json:"sku"`
	Title string `json:"title"`
	Qty   int    `json:"qty"`
	Price Money  `json:"price"`
}

// Money is an amount in cents. Its JSON is a string: "4.50".
type Money int64

// MarshalJSON implements json.Marshaler.
func (m Money) MarshalJSON() ([]byte, error) {
	return fmt.Appendf(nil, `"%d.%02d"`, m/100, m%100), nil
}

// UnmarshalJSON implements json.Unmarshaler.
func (m *Money) UnmarshalJSON(b []byte) error {
	n, err := strconv.ParseInt(strings.ReplaceAll(strings.Trim(string(b), `"`), ".", ""), 10, 64)
	*m = Money(n)
	return err
}
