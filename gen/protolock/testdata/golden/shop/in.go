// Package shop has types whose edits the tests judge.
package shop

import "time"

// Order is one order.
//
//zmy:proto-reserved 40, 50 to 59
//zmy:proto-reserved "older"
type Order struct {
	ID     string            `proto:"1"`
	Qty    int32             `proto:"2"`
	Wide   int64             `proto:"3"`
	Count  uint32            `proto:"4"`
	Total  int64             `proto:"5,sint"`
	CRC    uint32            `proto:"6,fixed"`
	Big    uint64            `proto:"7,fixed"`
	Price  float64           `proto:"8"`
	Weight float32           `proto:"9"`
	Paid   bool              `proto:"10"`
	Data   []byte            `proto:"11"`
	Raw    string            `proto:"12,raw"`
	Hash   [16]byte          `proto:"13"`
	State  State             `proto:"14"`
	Level  Level             `proto:"15"`
	Items  []Item            `proto:"16"`
	Ship   Address           `proto:"17"`
	Bill   *Address          `proto:"18"`
	Labels map[string]string `proto:"19"`
	Stock  map[int32]Item    `proto:"20"`
	Tags   []string          `proto:"21"`
	Nums   []int64           `proto:"22"`
	Marks  []int32           `proto:"23,unpacked"`
	Note   *string           `proto:"24"`
	Card   *string           `proto:"25,oneof:pay"`
	Bank   *int64            `proto:"26,oneof:pay"`
	Gift   *Address          `proto:"27,oneof:pay"`
	Placed time.Time         `proto:"28"`
	Took   time.Duration     `proto:"29"`
	Extra  any               `proto:"30"`
	Maybe  *int64            `proto:"31,wrapper"`
	Alt    *string           `proto:"32"`
	Boxed  Address           `proto:"33,group"`
	Small  int32             `proto:"34,sint"`
	Signed int64             `proto:"35,fixed"`
	Shown  string            `proto:"36,name:shown_as" json:"shown"`
	Pairs  []Pair            `proto:"37"`
	Only   *int32            `proto:"38,oneof:single"`
	Method Method            `proto:"oneof"`
	Inner  struct {
		Depth int32 `proto:"1"`
	} `proto:"39"`
}

// Item is one line.
type Item struct {
	SKU  string  `proto:"1"`
	Size int32   `proto:"2"`
	Made Address `proto:"3"`
}

// Address is a place.
type Address struct {
	City string `proto:"1"`
	Zip  string `proto:"2"`
}

// Pair is an entry of a map.
type Pair struct {
	Name string `proto:"1"`
	Of   int64  `proto:"2"`
}

// Spare is in no message.
type Spare struct {
	City string `proto:"1"`
	Zip  string `proto:"2"`
}

// State is an enum.
//
//zmy:proto-reserved 9
type State int32

// The states.
const (
	Open   State = 1
	Sold   State = 2
	Closed State = 3
)

// Level is a number.
type Level int32

// Method is how an order is delivered.
//
//zmy:union Courier=60 Locker=61
type Method interface{ isMethod() }

// Courier is an arm.
type Courier struct {
	Firm string `proto:"1"`
}

func (Courier) isMethod() {}

// Locker is an arm.
type Locker struct {
	Box int32 `proto:"1"`
}

func (Locker) isMethod() {}
