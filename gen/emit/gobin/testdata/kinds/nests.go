package kinds

import (
	"math/big"
	"time"

	"github.com/zmylab/zmy/gen/emit/gobin/testdata/kinds/other"
)

// Nests has kinds inside of each other.
type Nests struct {
	MapSlicePtr map[string][]*Item         `zmy:"0"`
	SliceSlice  [][]Item                   `zmy:"1"`
	MapSliceMap map[string][]map[int]Item  `zmy:"2"`
	ArraySlice  [3][]string                `zmy:"3"`
	Dirs        Dir                        `zmy:"4"`
	Foreign     other.Box[Item]            `zmy:"5"`
	ForeignPtrs []*other.Box[other.Money]  `zmy:"6"`
	Pages       map[Text]Page[Page[*Item]] `zmy:"7"`
	Outer       Outer                      `zmy:"8"`
	MapMapPtr   map[int]map[string]*Item   `zmy:"9"`
	PtrArray    *[2][]Item                 `zmy:"10"`
	ArrayArray  [2][3]Item                 `zmy:"11"`
	SliceArray  [][2]Text                  `zmy:"12"`
	AnyMaps     []map[string]any           `zmy:"13"`
	PackedLists [][]float64                `zmy:"14"`
	TimeMaps    map[int8][]time.Time       `zmy:"15"`
	BigLists    map[string][]*big.Int      `zmy:"16"`
	OptMaps     map[string]*string         `zmy:"17"`
	ThinLists   map[string][]*Thin         `zmy:"18"`
	Anonymous   []struct {
		X struct {
			Y []int `zmy:"0"`
		} `zmy:"0"`
	} `zmy:"19"`
	MethodLists  map[string][]Label  `zmy:"20"`
	InlineLists  [][]Box             `zmy:"21"`
	NilableLists []map[string]Index  `zmy:"22,nilable"`
	SetLists     []map[Text]struct{} `zmy:"23"`
}

// Dir is recursive through maps and slices only.
type Dir struct {
	Subs  map[string]Dir   `zmy:"0"`
	Links map[string][]Dir `zmy:"1"`
	Up    []*Dir           `zmy:"2"`
	Size  int64            `zmy:"3"`
}

// Outer embeds by value, by pointer and without exporting.
type Outer struct {
	Inner        `zmy:"0"`
	*other.Money `zmy:"1"`
	inward       `zmy:"2"`
	Name         string `zmy:"3"`
	secret       string `zmy:"4"`
}

// Inner is embedded, and embeds.
type Inner struct {
	*Base `zmy:"0"`
	Level int `zmy:"1"`
}

type inward struct {
	Depth int16 `zmy:"0"`
	Note  Text  `zmy:"1"`
}

// Secret returns an unexported field that has a number.
func (o *Outer) Secret() string { return o.secret }
