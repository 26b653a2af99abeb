package bad

import "time"

// Order does not compile.
type Order struct {
	At    time.Tine
	Items []Item
	Note  string
}
