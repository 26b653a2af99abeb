package in

type T struct {
	S Shape `zmy:"0"`
}

//zmy:union Circle=1 Square=5
type Shape interface{ isShape() }

type Circle struct {
	R float64 `zmy:"0"`
}

func (Circle) isShape() {}

type Square struct {
	A float64 `zmy:"0"`
}

func (Square) isShape() {}
