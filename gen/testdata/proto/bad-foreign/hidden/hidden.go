package hidden

type level int32

type item struct {
	N int `proto:"1"`
}

// Line has fields of types that have no name here.
type Line struct {
	Level level  `proto:"1"`
	Items []item `proto:"2"`
}
