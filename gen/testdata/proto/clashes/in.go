package clashes

// Names that generated code would use itself.
type (
	v struct {
		B       float64 `proto:"1"`
		i       int
		Left    map[string]math `proto:"2"`
		Sorted  map[bool]uint64 `proto:"3,val:fixed"`
		Fxproto protort         `proto:"4"`
		W       V               `proto:"5"`
		VLeft   map[int32]int32 `proto:"6"`
	}
	V struct {
		Left  map[int32]int64 `proto:"1"`
		VLeft map[int32]bool  `proto:"2"`
	}
	math struct {
		N float32 `proto:"1"`
		D []b     `proto:"2,sint"`
	}
	protort struct {
		X *v   `proto:"1"`
		Y uint `proto:"2"`
	}
	b int32
)

func encodeVProto() {}

const sorted, left, tag = 1, 2, 3

var samples = []any{
	&v{}, &math{},
	&v{B: 1, Left: map[string]math{"a": {N: 2, D: []b{-1, 3}}}, Sorted: map[bool]uint64{true: 1, false: 2},
		Fxproto: protort{X: &v{B: 2}, Y: 9},
		W:       V{Left: map[int32]int64{1: 2}, VLeft: map[int32]bool{3: true}}, VLeft: map[int32]int32{4: 5}},
}
