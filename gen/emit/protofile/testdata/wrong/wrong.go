// Package wrong has types that have no .proto file.
package wrong

import "context"

type Untagged struct{ ID string }

type ZMY struct {
	ID string `zmy:"0"`
}

type Names struct {
	UserID  string `proto:"1"`
	User_ID string `proto:"2"`
	A       int32  `proto:"3" json:"b"`
	B       int32  `proto:"4"`
	C       *int32 `proto:"5,oneof:a"`
}

//zmy:proto-reserved four
type Reserved struct {
	A int32 `proto:"1"`
}

type Kinds struct {
	C chan int `proto:"1"`
}

type Service interface {
	Get(context.Context, *Names) (*ZMY, error)
}

type Form interface {
	Get(int) error
}

type Word int

type Arms struct {
	Text string `proto:"1"`
	Arm  Arm    `proto:"oneof"`
	More Arm2   `proto:"oneof"`
}

type Arm interface{ isArm() }

type Text struct {
	S string `proto:"2,oneof,name:text"`
}

func (*Text) isArm() {}

//zmy:union Text2=3
type Arm2 interface{ isArm2() }

type Text2 struct{}

func (*Text2) isArm2() {}

type Named struct {
	A Arm `proto:"oneof,name:a-b"`
	B Arm `proto:"oneof,raw"`
}

//zmy:proto-value A_X
type A int32

const AX A = 1

//zmy:proto-value BX A_X
type B int32

const BX B = 1

type Enums struct {
	A A `proto:"1"`
	B B `proto:"2"`
}
