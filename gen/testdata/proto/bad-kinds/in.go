package bad

// Job holds what messages cannot carry.
type Job struct {
	Name  string          `proto:"1"`
	Done  chan bool       `proto:"2"`
	Wave  []complex128    `proto:"3"`
	Steps map[string]Step `proto:"4"`
	Same  int             `proto:"1"`
	Quiet chan int        `proto:"-"`
	Small [4]int8         `proto:"5"`
	Bits  []Octet         `proto:"6"`
	Far   uint32          `proto:"19500"`
}

// Step is reached through a map.
type Step struct {
	Undo func() `proto:"1"`
}

// Octet is a byte.
type Octet byte

// Names has no struct tag.
type Names struct{ A, B string }

// Number is no struct.
type Number int

// Methods has a field with the name of a method, and bytes of another type.
type Methods struct {
	ResetProto int     `proto:"1"`
	Octets     []Octet `proto:"2"`
}

// Choice has interfaces that cannot be oneofs.
type Choice struct {
	Any   any     `proto:"oneof"`
	Error error   `proto:"oneof"`
	Shape Shape   `proto:"oneof"`
	List  []Shape `proto:"9"`
}

// Shape has arms that are none.
//
//zmy:union Circle=1 Text=2 Gone=3 Octet=4 Circle=19000
type Shape interface{ isShape() }

// Circle does not have the method.
type Circle struct{ R int32 }

// Text is no struct.
type Text string

func (Text) isShape() {}
