// Package kinds has one field of each kind that the native format carries.
package kinds

import (
	"encoding/json"
	"math/big"
	"time"

	"github.com/zmylab/zmy/gen/emit/gobin/testdata/kinds/other"
)

// Scalars has the kinds of the scalar section.
type Scalars struct {
	B    bool          `zmy:"0"`
	I    int           `zmy:"1"`
	I8   int8          `zmy:"2"`
	I16  int16         `zmy:"3"`
	I32  int32         `zmy:"4"`
	I64  int64         `zmy:"5"`
	U    uint          `zmy:"6"`
	U8   uint8         `zmy:"7"`
	U16  uint16        `zmy:"8"`
	U32  uint32        `zmy:"9"`
	U64  uint64        `zmy:"10"`
	Ptr  uintptr       `zmy:"11"`
	F32  float32       `zmy:"12"`
	F64  float64       `zmy:"13"`
	C64  complex64     `zmy:"14"`
	C128 complex128    `zmy:"15"`
	T    time.Time     `zmy:"16"`
	D    time.Duration `zmy:"17"`
	S    Status        `zmy:"18"`
	On   Flag          `zmy:"19"`
	ID   [16]byte      `zmy:"20"`
	Grid [2][3]int16   `zmy:"21"`
	Ends [2]time.Time  `zmy:"22"`
	Bits [5]bool       `zmy:"23"`
}

// Status and the next are named types.
type (
	Status int32
	Flag   bool
	Text   string
	Blob   []byte
	Tags   []Text
	Index  map[Text]int32
	Thing  any
)

// Tails has the kinds that stand in tails.
type Tails struct {
	S     string          `zmy:"0"`
	B     []byte          `zmy:"1"`
	Raw   json.RawMessage `zmy:"2"`
	Num   json.Number     `zmy:"3"`
	Any   any             `zmy:"4"`
	Int   *big.Int        `zmy:"5"`
	Float *big.Float      `zmy:"6"`
	Text  Text            `zmy:"7"`
	Blob  Blob            `zmy:"8"`
	Tags  Tags            `zmy:"9"`
	Val   big.Int         `zmy:"10"`
	Real  big.Float       `zmy:"11"`
	Far   other.Money     `zmy:"12"`
	Code  other.Code      `zmy:"13"`
	Thing Thing           `zmy:"14"`
	Page  Page[Point]     `zmy:"15"`
	Anon  struct {
		X int    `zmy:"0"`
		Y string `zmy:"1"`
	} `zmy:"16"`
	None struct{} `zmy:"17"`
}

// Page is generic.
type Page[T any] struct {
	Items []T `zmy:"0"`
	Next  int `zmy:"1"`
}

// Point has scalars only: lists of it have no words.
type Point struct {
	X int32 `zmy:"0"`
	Y int32 `zmy:"1"`
}

// Item has both sections.
type Item struct {
	Sku   string  `zmy:"0"`
	Price float64 `zmy:"1"`
	Qty   int32   `zmy:"2"`
	Attrs []byte  `zmy:"3"`
}

// Lists has slices and arrays.
type Lists struct {
	Ints     []int           `zmy:"0"`
	Floats   []float64       `zmy:"1"`
	Bools    []bool          `zmy:"2"`
	Times    []time.Time     `zmy:"3"`
	IDs      [][16]byte      `zmy:"4"`
	States   []Status        `zmy:"5"`
	Strings  []string        `zmy:"6"`
	Blobs    [][]byte        `zmy:"7"`
	Anys     []any           `zmy:"8"`
	Points   []Point         `zmy:"9"`
	Items    []Item          `zmy:"10"`
	Ptrs     []*Item         `zmy:"11"`
	Deep     [][]string      `zmy:"12"`
	Bigs     []*big.Int      `zmy:"13"`
	Opts     []*string       `zmy:"14"`
	Nums     []*int32        `zmy:"15"`
	Names    [3]string       `zmy:"16"`
	Pair     [2]Item         `zmy:"17"`
	Corners  [4]Point        `zmy:"18"`
	Long     [100]float64    `zmy:"19"`
	Maps     []Index         `zmy:"20"`
	Complex  []complex64     `zmy:"21"`
	Things   []Thing         `zmy:"22"`
	Lapses   []time.Duration `zmy:"23"`
	Switches [300]bool       `zmy:"24"`
}

// Maps has maps.
type Maps struct {
	SS     map[string]string             `zmy:"0"`
	SA     map[string]any                `zmy:"1"`
	SI     Index                         `zmy:"2"`
	SP     map[string]Point              `zmy:"3"`
	SItem  map[string]Item               `zmy:"4"`
	SPtr   map[string]*Item              `zmy:"5"`
	Set    map[string]struct{}           `zmy:"6"`
	IS     map[int64]string              `zmy:"7"`
	U8T    map[uint8]time.Time           `zmy:"8"`
	BF     map[bool]float64              `zmy:"9"`
	ID     map[[4]byte]string            `zmy:"10"`
	Deep   map[string]map[int32][]string `zmy:"11"`
	IP     map[Status]*Item              `zmy:"12"`
	IntSet map[uint16]struct{}           `zmy:"13"`
	SB     map[string][]byte             `zmy:"14"`
	Flags  map[string]bool               `zmy:"15"`
	TS     map[Text]Text                 `zmy:"16"`
	Lapse  map[time.Duration]int8        `zmy:"17"`
}

// Options has what can be nil without being empty.
type Options struct {
	Item  *Item             `zmy:"0"`
	Int   *int              `zmy:"1"`
	Time  *time.Time        `zmy:"2"`
	Str   *string           `zmy:"3"`
	ID    *[16]byte         `zmy:"4"`
	List  []int32           `zmy:"5,nilable"`
	Bytes []byte            `zmy:"6,nilable"`
	Map   map[string]string `zmy:"7,nilable"`
	Names []string          `zmy:"8,nilable"`
	Long  *[64]int64        `zmy:"9"`
	Flag  *Flag             `zmy:"10,deprecated"`
	Rows  []Item            `zmy:"11,nilable"`
}

// Node is recursive.
type Node struct {
	Name     string           `zmy:"0"`
	Next     *Node            `zmy:"1"`
	Children []Node           `zmy:"2"`
	ByName   map[string]*Node `zmy:"3"`
	Any      any              `zmy:"4"`
}

// Base is embedded.
type Base struct {
	ID   uint64 `zmy:"0"`
	Kind string `zmy:"1"`
}

// All holds all of them.
type All struct {
	Base    `zmy:"0"`
	*Point  `zmy:"1"`
	Scalars Scalars         `zmy:"2"`
	Tails   Tails           `zmy:"3"`
	Lists   Lists           `zmy:"4"`
	Maps    Maps            `zmy:"5"`
	Options Options         `zmy:"6"`
	Node    Node            `zmy:"7"`
	Skipped chan int        `zmy:"-"`
	Hook    func(int) error `zmy:"-"`
	hidden  int
}

// Hidden returns a field that no format carries.
func (a *All) Hidden() int { return a.hidden }

// Every has all of that, and what options, methods and directives bring.
type Every struct {
	All    All    `zmy:"0"`
	Forms  Forms  `zmy:"1"`
	Unions Unions `zmy:"2"`
	Thin   Thin   `zmy:"3"`
	Nests  Nests  `zmy:"4"`
}

// Visible is Every without what only the source says.
type Visible struct {
	All   All   `zmy:"0"`
	Forms Forms `zmy:"1"`
	Thin  Thin  `zmy:"2"`
	Nests Nests `zmy:"3"`
}
