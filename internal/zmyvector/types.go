// Package zmyvector has the types of the vectors in spec/vectors, with their generated code, and
// runs the vectors.
package zmyvector

import (
	"encoding/json"
	"math/big"
	"time"

	"github.com/zmylab/zmy"
)

//go:generate zmy gen -type=Scalars,Lists,Maps,Optional,Numbers,Raw,Dynamic,Tree,Cast,V1,V2,V3,Keep1,Keep2,Sparse1,Sparse2,SparseDrop,Retired,RetiredKeep,Wide,Empty,Order,Tables
//go:generate zmy gen -lang=rust -package=vectors -o=../../rust/testee/src -type=Scalars,Lists,Maps,Optional,Numbers,Raw,Dynamic,Tree,Cast,V1,V2,V3,Keep1,Keep2,Sparse1,Sparse2,SparseDrop,Retired,RetiredKeep,Wide,Empty,Order,Tables

// Scalars has one field of each scalar type.
type Scalars struct {
	Bool       bool          `zmy:"0"`
	Int8       int8          `zmy:"1"`
	Int16      int16         `zmy:"2"`
	Int32      int32         `zmy:"3"`
	Int64      int64         `zmy:"4"`
	Uint8      uint8         `zmy:"5"`
	Uint16     uint16        `zmy:"6"`
	Uint32     uint32        `zmy:"7"`
	Uint64     uint64        `zmy:"8"`
	Float32    float32       `zmy:"9"`
	Float64    float64       `zmy:"10"`
	Complex64  complex64     `zmy:"11"`
	Complex128 complex128    `zmy:"12"`
	Time       time.Time     `zmy:"13"`
	Zone       time.Time     `zmy:"14,zone"`
	Nano       time.Time     `zmy:"15,unixnano"`
	Duration   time.Duration `zmy:"16"`
	Grid       [2][2]int16   `zmy:"17"`
	Flags      [3]bool       `zmy:"18"`
	Times      [2]time.Time  `zmy:"19"`
	At         Spot          `zmy:"20,inline"`
}

// Spot stands inline.
type Spot struct {
	X    int32     `zmy:"0"`
	On   bool      `zmy:"1"`
	When time.Time `zmy:"2"`
}

// Point has scalars only.
type Point struct {
	X int32 `zmy:"0"`
	Y int32 `zmy:"1"`
}

// Line has both sections.
type Line struct {
	Sku   string `zmy:"0"`
	Qty   int32  `zmy:"1"`
	Attrs []byte `zmy:"2"`
}

// Lists has lists and arrays in each form.
type Lists struct {
	Ints      []int16         `zmy:"0"`
	Longs     []uint64        `zmy:"1"`
	Floats    []float32       `zmy:"2"`
	Pairs     []complex64     `zmy:"3"`
	Bools     []bool          `zmy:"4"`
	Times     []time.Time     `zmy:"5"`
	Zones     []time.Time     `zmy:"6,zone"`
	Keys      [][4]byte       `zmy:"7"`
	Texts     []string        `zmy:"8"`
	Blobs     [][]byte        `zmy:"9"`
	Grid      [][]int32       `zmy:"10"`
	Points    []Point         `zmy:"11"`
	Lines     []Line          `zmy:"12"`
	Refs      []*Line         `zmy:"13"`
	Nums      []*int32        `zmy:"14"`
	Anys      []any           `zmy:"15"`
	Bigs      []*big.Int      `zmy:"16"`
	Table     [300]uint8      `zmy:"17"`
	Ticks     [30]time.Time   `zmy:"18"`
	Names     [2]string       `zmy:"19"`
	Spots     [2]Point        `zmy:"20"`
	Rows      [2]Line         `zmy:"21"`
	Boxes     [2][2]string    `zmy:"22"`
	Spans     []Sparse1       `zmy:"23"`
	Marks     []*Sparse1      `zmy:"24"`
	Sets      []map[int8]bool `zmy:"25"`
	Optionals []*string       `zmy:"26"`
}

// Maps has maps with each kind of key and value.
type Maps struct {
	Text    map[string]string           `zmy:"0"`
	Any     map[string]any              `zmy:"1"`
	Signed  map[int8]string             `zmy:"2"`
	Large   map[uint64]int32            `zmy:"3"`
	Bool    map[bool]bool               `zmy:"4"`
	Span    map[time.Duration][]byte    `zmy:"5"`
	Key     map[[2]byte]Point           `zmy:"6"`
	Lines   map[string]Line             `zmy:"7"`
	Refs    map[string]*Line            `zmy:"8"`
	Times   map[string]time.Time        `zmy:"9"`
	Set     map[string]struct{}         `zmy:"10"`
	Numbers map[int32]struct{}          `zmy:"11"`
	Nested  map[string]map[uint8]string `zmy:"12"`
	Lists   map[string][]int32          `zmy:"13"`
	Spans   map[string]Sparse1          `zmy:"14"`
	Cast    map[string]Actor            `zmy:"15"`
}

// Optional has what may be nil.
type Optional struct {
	Bool  *bool             `zmy:"0"`
	Int   *int64            `zmy:"1"`
	Time  *time.Time        `zmy:"2"`
	Text  *string           `zmy:"3"`
	Point *Point            `zmy:"4"`
	Line  *Line             `zmy:"5"`
	Span  *Sparse1          `zmy:"6"`
	Table *[300]uint8       `zmy:"7"`
	Names *[2]string        `zmy:"8"`
	List  []string          `zmy:"9,nilable"`
	Bytes []byte            `zmy:"10,nilable"`
	Map   map[string]string `zmy:"11,nilable"`
	Key   *[4]byte          `zmy:"12"`
	Raw   json.RawMessage   `zmy:"13,nilable"`
}

// Numbers has big numbers.
type Numbers struct {
	Int      big.Int      `zmy:"0"`
	Float    big.Float    `zmy:"1"`
	IntPtr   *big.Int     `zmy:"2"`
	FloatPtr *big.Float   `zmy:"3"`
	Ints     []*big.Int   `zmy:"4"`
	Floats   []*big.Float `zmy:"5"`
}

// Raw has JSON that is not parsed.
type Raw struct {
	JSON   json.RawMessage            `zmy:"0"`
	Number json.Number                `zmy:"1"`
	List   []json.RawMessage          `zmy:"2"`
	Map    map[string]json.RawMessage `zmy:"3"`
}

// Dynamic has a value of any kind.
type Dynamic struct {
	Value any `zmy:"0"`
}

// Tree is recursive.
type Tree struct {
	Value int32  `zmy:"0"`
	Left  *Tree  `zmy:"1"`
	Kids  []Tree `zmy:"2"`
	Any   any    `zmy:"3"`
}

// Cast holds unions.
type Cast struct {
	Lead   Actor   `zmy:"0"`
	Actors []Actor `zmy:"1"`
}

// Actor is one of three.
//
//zmy:union Human=1 Robot=2 Ghost=7
type Actor interface{ isActor() }

// Human, Robot and Ghost are actors.
type (
	Human struct {
		Name  string `zmy:"0"`
		Enemy Actor  `zmy:"1"`
	}
	Robot struct {
		Serial int32 `zmy:"0"`
	}
	// Ghost is sparse.
	//
	//zmy:sparse
	Ghost struct {
		Age  int32  `zmy:"0"`
		Name string `zmy:"1"`
	}
)

func (Human) isActor() {}
func (Robot) isActor() {}
func (Ghost) isActor() {}

// V1, V2 and V3 are versions of one type.
type (
	V1 struct {
		ID   uint32  `zmy:"0"`
		Name string  `zmy:"1"`
		List []Part1 `zmy:"2"`
		One  Part1   `zmy:"3"`
	}
	V2 struct {
		ID    uint32  `zmy:"0"`
		Name  string  `zmy:"1"`
		List  []Part2 `zmy:"2"`
		One   Part2   `zmy:"3"`
		Price float64 `zmy:"4"`
		Note  string  `zmy:"5"`
	}
	V3 struct {
		ID    uint32           `zmy:"0"`
		Name  string           `zmy:"1"`
		List  []Part3          `zmy:"2"`
		One   Part3            `zmy:"3"`
		Price float64          `zmy:"4"`
		Note  string           `zmy:"5"`
		Flag  bool             `zmy:"6"`
		More  map[string]Part1 `zmy:"7"`
	}
	Part1 struct {
		A uint16 `zmy:"0"`
	}
	Part2 struct {
		A uint16 `zmy:"0"`
		B string `zmy:"1"`
	}
	Part3 struct {
		A uint16 `zmy:"0"`
		B string `zmy:"1"`
		C uint8  `zmy:"2"`
		D []byte `zmy:"3"`
	}
)

// Keep1 and Keep2 are V1 and V2 for programs that pass on what they do not know.
type (
	Keep1 struct {
		ID   uint32      `zmy:"0"`
		Name string      `zmy:"1"`
		List []KeepPart1 `zmy:"2"`
		One  KeepPart1   `zmy:"3"`

		unknown zmy.Unknown
	}
	Keep2 struct {
		ID    uint32      `zmy:"0"`
		Name  string      `zmy:"1"`
		List  []KeepPart2 `zmy:"2"`
		One   KeepPart2   `zmy:"3"`
		Price float64     `zmy:"4"`
		Note  string      `zmy:"5"`

		unknown zmy.Unknown
	}
	KeepPart1 struct {
		A uint16 `zmy:"0"`

		unknown zmy.Unknown
	}
	KeepPart2 struct {
		A uint16 `zmy:"0"`
		B string `zmy:"1"`

		unknown zmy.Unknown
	}
)

// Sparse1 and Sparse2 are versions of a sparse type; the second passes on what
// it does not know.
type Sparse1 struct {
	_ struct{} `zmy:"sparse"`

	A    int16     `zmy:"0"`
	B    string    `zmy:"1"`
	C    bool      `zmy:"2"`
	When time.Time `zmy:"3"`
}

// Sparse2 is a later version.
type Sparse2 struct {
	_ struct{} `zmy:"sparse"`

	A    int16     `zmy:"0"`
	B    string    `zmy:"1"`
	C    bool      `zmy:"2"`
	When time.Time `zmy:"3"`
	Kids []Sparse2 `zmy:"4"`
	At   Spot      `zmy:"5,inline"`
	D    uint8     `zmy:"6"`
	E    uint8     `zmy:"7"`
	F    []byte    `zmy:"8"`

	unknown zmy.Unknown
}

// SparseDrop is Sparse2 without the first unknown fields, and drops others.
type SparseDrop struct {
	_ struct{} `zmy:"sparse"`

	A    int16        `zmy:"0"`
	B    string       `zmy:"1"`
	C    bool         `zmy:"2"`
	When time.Time    `zmy:"3"`
	Kids []SparseDrop `zmy:"4"`
}

// Retired and RetiredKeep no longer have two fields of V2.
type Retired struct {
	_ struct{} `zmy:"reserved 0 uint32"`
	_ struct{} `zmy:"reserved 1 string"`

	List  []Part2 `zmy:"2"`
	One   Part2   `zmy:"3"`
	Price float64 `zmy:"4"`
	Note  string  `zmy:"5"`
}

// RetiredKeep passes them on.
type RetiredKeep struct {
	_ struct{} `zmy:"reserved 0 uint32"`
	_ struct{} `zmy:"reserved 1 string"`

	List  []Part2 `zmy:"2"`
	One   Part2   `zmy:"3"`
	Price float64 `zmy:"4"`
	Note  string  `zmy:"5"`

	unknown zmy.Unknown
}

// Wide has what may be longer than 65,535 bytes.
type Wide struct {
	Text  string            `zmy:"0"`
	Bytes []byte            `zmy:"1"`
	Lines []Line            `zmy:"2"`
	Texts []string          `zmy:"3"`
	Map   map[string]string `zmy:"4"`
	Ints  []int32           `zmy:"5"`
	Fat   []Fat             `zmy:"6"`
	Next  *Wide             `zmy:"7"`
}

// Fat takes one byte when an older version wrote it, and many in memory.
type Fat struct {
	B    uint8      `zmy:"0"`
	Rest [30]uint64 `zmy:"1"`
	More [30]uint64 `zmy:"2"`
}

// Empty has no fields.
type Empty struct{}

// Order is the worked vector of spec/FORMAT.md.
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

// Tables has arrays of arrays that are too long for the scalars.
type Tables struct {
	Pages [2][300]byte    `zmy:"0"`
	Deep  [2][2][40]int64 `zmy:"1"`
	Maybe *[2][300]byte   `zmy:"2"`
	List  [][2][300]byte  `zmy:"3"`
}
