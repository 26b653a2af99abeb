package stdmethods

// Node holds itself in every way there is.
type Node struct {
	Name  string           `json:"name"`
	Next  *Node            `json:"next,omitempty"`
	Kids  []Node           `json:"kids,omitempty"`
	Named map[string]*Node `json:"named,omitempty"`
	List  List             `json:"list"`
}

// List is a slice of itself.
type List []List

// A and B hold each other.
type A struct{ B *B }

// B contains a list of A.
type B struct{ As []A }

var samples = []any{
	&Node{Name: "a", Next: &Node{Name: "b"}, Kids: []Node{{Name: "c"}}, Named: map[string]*Node{"d": nil, "e": {}}, List: List{{}, {{}, nil}}},
	&A{&B{[]A{{}, {&B{}}}}},
}
