// Package zmycase has types for tests and benchmarks of the native format, with their generated
// code.
package zmycase

import (
	"math/big"
	"time"

	"github.com/zmylab/zmy"
)

//go:generate zmy gen -type=Order,SSE,Result,Case,Node,Fat,Point3List,Point2List,KeepList,Forms,Drawing,Thin

// Order is the order that the tables of speeds measure.
type Order struct {
	ID        string            `zmy:"0"`
	Items     []Item            `zmy:"1"`
	Metadata  map[string]string `zmy:"2"`
	Timestamp time.Time         `zmy:"3"`
}

// Item is a line of an Order.
type Item struct {
	Sku   string  `zmy:"0"`
	Price float64 `zmy:"1"`
	Qty   int32   `zmy:"2"`
	Attrs []byte  `zmy:"3"`
}

// SSE is an event of a stream.
type SSE struct {
	ID     string            `zmy:"0"`
	Event  string            `zmy:"1"`
	Data   string            `zmy:"2"`
	Replay bool              `zmy:"3"`
	Meta   map[string]string `zmy:"4"`
}

// Result is a block of numbers.
type Result struct {
	ID        uint64    `zmy:"0"`
	Data      []float64 `zmy:"1"`
	Timestamp int64     `zmy:"2"`
}

// Case has one field for each vector.
type Case struct {
	Bool  bool                `zmy:"0"`
	Time  time.Time           `zmy:"1"`
	Text  string              `zmy:"2"`
	Any   any                 `zmy:"3"`
	Ints  []int16             `zmy:"4"`
	Texts []string            `zmy:"5"`
	Index map[string]Point2   `zmy:"6"`
	Codes map[int8]string     `zmy:"7"`
	Flags map[bool]bool       `zmy:"8"`
	Set   map[string]struct{} `zmy:"9"`
	Inner Point2              `zmy:"10"`
	Ptr   *Point2             `zmy:"11"`
	Num   *int32              `zmy:"12"`
	Opt   *string             `zmy:"13"`
	List  []string            `zmy:"14,nilable"`
	Big   *big.Int            `zmy:"15"`
	Real  *big.Float          `zmy:"16"`
	Pair  [2]string           `zmy:"17"`
	Spots [2]Point2           `zmy:"18"`
}

// Point2 has scalars only.
type Point2 struct {
	X int32 `zmy:"0"`
	Y int32 `zmy:"1"`
}

// Point3 is a later version of Point2.
type Point3 struct {
	X    int32  `zmy:"0"`
	Y    int32  `zmy:"1"`
	Name string `zmy:"2"`
}

// Point2List and Point3List are two versions of one message.
type (
	Point2List struct {
		Points []Point2 `zmy:"0"`
	}
	Point3List struct {
		Points []Point3 `zmy:"0"`
	}
)

// KeepList is Point2List for a program that keeps unknown fields.
type KeepList struct {
	Points  []Keep2 `zmy:"0"`
	unknown zmy.Unknown
}

// Keep2 is Point2 for a program that keeps unknown fields.
type Keep2 struct {
	X       int32 `zmy:"0"`
	Y       int32 `zmy:"1"`
	unknown zmy.Unknown
}

// Forms has fields with options, and reserved fields.
//
//zmy:reserved 3 uint16
//zmy:reserved 4 string
type Forms struct {
	Zone time.Time `zmy:"0,zone"`
	Nano time.Time `zmy:"1,unixnano"`
	At   Point2    `zmy:"2,inline"`
}

// Drawing has a union.
type Drawing struct {
	Shapes []Shape `zmy:"0"`
}

// Shape is a Circle or a Line.
//
//zmy:union Circle=1 Line=2
type Shape interface{ isShape() }

// Circle and Line are shapes.
type (
	Circle struct {
		R int32 `zmy:"0"`
	}
	Line struct {
		Name string `zmy:"0"`
	}
)

func (Circle) isShape() {}
func (Line) isShape()   {}

// Thin is sparse.
//
//zmy:sparse
type Thin struct {
	A    int16  `zmy:"0"`
	B    string `zmy:"1"`
	C    bool   `zmy:"2"`
	Kids []Thin `zmy:"3"`

	unknown zmy.Unknown
}

// Node is recursive.
type Node struct {
	Value int32   `zmy:"0"`
	Next  *Node   `zmy:"1"`
	Kids  []*Node `zmy:"2"`
	Any   any     `zmy:"3"`
}

// Fat has elements that take many bytes in memory, though only one byte each in messages of an
// older version.
type Fat struct {
	List []FatElem `zmy:"0"`
}

// FatElem is an element of Fat.
type FatElem struct {
	B    uint8      `zmy:"0"`
	Rest [30]uint64 `zmy:"1"`
	More [30]uint64 `zmy:"2"`
}
