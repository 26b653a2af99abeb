package recursive

// Node holds itself.
type Node struct {
	Name  string           `zmy:"0"`
	Next  *Node            `zmy:"1"`
	Kids  []Node           `zmy:"2"`
	Named map[string]*Node `zmy:"3"`
}

// Plan leads to a pointer that its own list leads to again.
type Plan struct {
	Services *[]Service `zmy:"0"`
}

// Service holds itself behind pointers to a list and to a map.
type Service struct {
	Parts *[]Service           `zmy:"0"`
	Name  string               `zmy:"1"`
	Uses  *map[string]*Service `zmy:"2"`
	Tags  *[]string            `zmy:"3"`
}

var samples = []any{
	&Node{},
	&Node{Name: "a", Next: &Node{Name: "b"}, Kids: []Node{{Name: "c"}}, Named: map[string]*Node{"e": {Name: "f"}}},
	&Plan{},
	&Plan{&[]Service{{Name: "a", Parts: &[]Service{{Name: "b", Tags: &[]string{"c"}}, {Parts: &[]Service{}}}, Uses: &map[string]*Service{"d": {Name: "e"}}}}},
}
