// Package shapes has what types may be made of.
package shapes

// All has a member of each shape.
type All struct {
	// ID identifies it.
	//
	// It is never empty.
	ID       string `json:"id"`
	Small    int8   `json:"small"`
	Unsigned uint   `json:"unsigned"`
	Ratio    float32
	Skipped  string            `json:"-"`
	Dash     string            `json:"-,"`
	Odd      bool              `json:"a b/c"`
	List     []*All            `json:"list,omitempty"`
	Array    [2]string         `json:"array"`
	Map      map[string]*Part  `json:"map,omitzero"`
	Numbers  map[int][]float64 `json:"numbers"`
	Unnamed  struct {
		X, Y int
		Deep []struct {
			Z bool `json:"z"`
		} `json:"deep"`
	} `json:"unnamed"`
	Part
	*More
	Labels map[string]string `fxjson:"unknown" json:"-"`
	Pair   Pair[Kind, *Part] `json:"pair"`
	Open   Word              `json:"open"`
	//zmy:breaking-ignore TYPE_CHANGED it is a test
	Alias Words `json:"alias,omitempty"`
	Bytes Blob  `json:"bytes"`
	// Deprecated: nobody reads it.
	Old *int `json:"old,omitempty"`
}

// Part is embedded. Its comment has */ in it.
//
// Deprecated: use More.
type Part struct {
	Kind Kind `json:"kind"`
}

// More is embedded as a pointer.
type More struct {
	Extra string `json:"extra"`
}

// Pair is generic.
type Pair[K, V any] struct {
	Key K `json:"key"`
	Val V `json:"val"`
}

// Kind is an enumeration.
type Kind string

// The kinds.
const (
	Line   Kind = "line"
	Circle Kind = "circle \"round\""
)

// Word has constants, and other values too.
//
//zmy:open users choose them
type Word string

// Some words.
const (
	Hello Word = "hello"
	Bye   Word = "bye"
)

// Words is a list.
type Words []Word

// Blob is bytes.
type Blob []byte
