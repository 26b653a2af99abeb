package kinds

// Unions has a union wherever one can stand.
type Unions struct {
	One   Shape              `zmy:"0"`
	Many  []Shape            `zmy:"1"`
	Two   [2]Shape           `zmy:"2"`
	ByKey map[string]Shape   `zmy:"3"`
	Lists map[string][]Shape `zmy:"4"`
}

// Shape is one of several structs.
//
//zmy:union Circle=1 Group=300
//zmy:union Nothing=2
type Shape interface {
	isShape()
	Area() float64
	Scale(by float64, note ...string) (Shape, error)
}

// Circle is an arm with scalars.
type Circle struct {
	Radius float64 `zmy:"0"`
}

// Nothing is an arm without fields.
type Nothing struct{}

// Group holds others; only its pointer is a Shape.
type Group struct {
	Name  string  `zmy:"0"`
	Parts []Shape `zmy:"1"`
}

func (Circle) isShape()  {}
func (Nothing) isShape() {}
func (*Group) isShape()  {}

// Area and Scale are what shapes do.
func (c Circle) Area() float64                               { return 3 * c.Radius * c.Radius }
func (c Circle) Scale(x float64, _ ...string) (Shape, error) { return Circle{c.Radius * x}, nil }
func (Nothing) Area() float64                                { return 0 }
func (n Nothing) Scale(float64, ...string) (Shape, error)    { return n, nil }
func (g *Group) Area() float64                               { return float64(len(g.Parts)) }
func (g *Group) Scale(float64, ...string) (Shape, error)     { return g, nil }
