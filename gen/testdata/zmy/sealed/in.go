package sealed

// Drawing has interfaces whose types are all known, and others.
type Drawing struct {
	Shapes []Shape
	Named  map[string]Shape
	Expr   Expr
	Unit   Unit
	Maybe  Maybe
	Opaque Opaque
	Writer Writer
	Ptr    *Shape
	Cause  error
}

// Shape is a union of the structs below: no other package can implement it.
type Shape interface {
	Area() float64
	isShape()
}

// Square is a Shape.
type Square struct{ Side float64 }

// Circle is a Shape by its pointer only.
type Circle struct {
	Radius float64
	Inside []Shape
}

// Point is a Shape without fields.
type Point struct{}

func (s Square) Area() float64  { return s.Side * s.Side }
func (c *Circle) Area() float64 { return 3 * c.Radius * c.Radius }
func (Point) Area() float64     { return 0 }
func (Square) isShape()         {}
func (*Circle) isShape()        {}
func (Point) isShape()          {}

// Expr is a union with an arm that contains Exprs.
type Expr interface{ expr() }

// Const is an Expr.
type Const struct{ Value int64 }

// Add is an Expr, and has fields of type Expr only.
type Add struct{ Left, Right Expr }

func (Const) expr() {}
func (Add) expr()   {}

// Unit is implemented by a type that is no struct.
type Unit interface{ unit() }

// Meter is a Unit.
type Meter struct{ Scale float64 }

// Name is a Unit.
type Name string

func (Meter) unit() {}
func (Name) unit()  {}

// Maybe is implemented by a type with type parameters.
type Maybe interface{ maybe() }

// Some is a Maybe.
type Some[T any] struct{ Value T }

func (Some[T]) maybe() {}

// Opaque is implemented by a struct of which nothing is carried.
type Opaque interface{ opaque() }

// Secret is an Opaque.
type Secret struct{ text string }

func (Secret) opaque() {}

// Writer can be implemented by any package.
type Writer interface{ Write(text string) error }

var samples = []any{
	new(Drawing),
	&Drawing{Shapes: []Shape{Square{2}, nil, Point{}, &Circle{Radius: 1, Inside: []Shape{Square{}}}}},
	&Drawing{Shapes: []Shape{ShapeUnknown{Disc: 9, Raw: []byte("raw")}}},
	&Drawing{Named: map[string]Shape{"a": &Circle{}, "b": nil}, Expr: Add{Const{1}, Add{Const{2}, nil}}},
}
