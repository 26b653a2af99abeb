// Package wide has values that would make an absent one large.
package wide

// Shapes has slots that may be empty.
type Shapes struct {
	List  []Shape     `zmy:"0"`
	Keys  []*[32]byte `zmy:"1"`
	Codes []*[4]byte  `zmy:"2"`
	One   Shape       `zmy:"3"`
}

// Shape is one of two.
//
//zmy:union Bitmap=1 Dot=2
type Shape interface{ isShape() }

// Bitmap stands in a box.
type Bitmap struct {
	Pixels [4096]uint32 `zmy:"0"`
}

// Dot does not need one.
type Dot struct {
	X int32 `zmy:"0"`
	Y int32 `zmy:"1"`
}

func (Bitmap) isShape() {}
func (Dot) isShape()    {}
