package recursive

// Node holds itself.
type Node struct {
	Name  string           `zmy:"0"`
	Next  *Node            `zmy:"1"`
	Kids  []Node           `zmy:"2"`
	Named map[string]*Node `zmy:"3"`
}

var samples = []any{
	&Node{},
	&Node{Name: "a", Next: &Node{Name: "b"}, Kids: []Node{{Name: "c"}}, Named: map[string]*Node{"e": {Name: "f"}}},
}
