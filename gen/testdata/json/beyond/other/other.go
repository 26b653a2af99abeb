// Package other plays the part of another module.
package other

type kind int

type inner struct{ A, B string }

// Kinds has exported fields with unexported types.
type Kinds struct {
	Kind  kind
	Kinds []kind
	By    map[kind]inner
	Ptr   *inner
	Twice [][]inner
}

// New returns a Kinds with values in all fields.
func New() Kinds {
	return Kinds{1, []kind{2}, map[kind]inner{3: {"a", "b"}}, &inner{A: "p"}, [][]inner{{{B: "q"}}}}
}

type left struct {
	A int `json:"a"`
}

type right struct {
	A int `json:"b"`
}

// Two has two promoted fields A, so Go promotes neither.
type Two struct {
	left
	right
}

// Far embeds a pointer that other packages cannot compare with nil.
type Far struct{ *inner }

// Named embeds structs under names of their own, so that their fields are not promoted in JSON.
type Named struct {
	inner  `json:"inner"`
	*right `json:"right,omitempty"`
}

// Alias is an exported name of an unexported type.
type Alias = inner
