package fxprototest

import (
	"time"

	"github.com/zmylab/zmy/fxproto"
)

// Shapes has interfaces whose directives number their arms.
type Shapes struct {
	Before  int32 `proto:"9"`
	Shape   Shape `proto:"oneof"`
	Other   Other `proto:"oneof"`
	Unknown fxproto.Unknown
}

// Shape is one of several structs. A Label is its text, with the number of its field.
//
//zmy:union Circle=2 Square=3 Label=4 Nothing=1
//zmy:union Ratio=5 Since=6 Part=7
type Shape interface{ isShape() }

// The arms of Shape. Only a pointer to a Square is a Shape.
type (
	Circle struct {
		R    float64 `proto:"1"`
		Name string  `proto:"2"`
	}
	Square struct {
		Side int32             `proto:"1"`
		In   *Shapes           `proto:"2"`
		By   map[string]string `proto:"3"`
	}
	Label struct {
		S string `proto:"14,oneof"`
	}
	Nothing struct{}
	Ratio   struct {
		X float32 `proto:"15,oneof"`
	}
	Since struct {
		T time.Time `proto:"16,oneof"`
	}
	Part struct {
		P *Item `proto:"17,oneof"`
	}
)

func (Circle) isShape()  {}
func (*Square) isShape() {}
func (Label) isShape()   {}
func (Nothing) isShape() {}
func (Ratio) isShape()   {}
func (Since) isShape()   {}
func (Part) isShape()    {}

// Other has an arm that may contain the whole.
//
//zmy:union Tail=100
type Other interface{ isOther() }

// Tail is the only arm of Other.
type Tail struct {
	List []Shapes `proto:"1"`
}

func (*Tail) isOther() {}

// Wrapped is a message as protoc-gen-go declares it.
type Wrapped struct {
	// Types that are valid to be assigned to Kind:
	//
	//	*Wrapped_Text
	//	*Wrapped_Num
	Kind isWrapped_Kind `protobuf_oneof:"kind"`
	Last int32          `protobuf:"varint,10,opt,name=last,proto3"`
}

type isWrapped_Kind interface{ isWrapped_Kind() } //nolint:revive // the name that protoc-gen-go gives it

// The arms of Wrapped.Kind.
type (
	Wrapped_Text struct {
		Text string `protobuf:"bytes,1,opt,name=text,proto3,oneof"`
	}
	Wrapped_Num struct {
		Num int64 `protobuf:"zigzag64,2,opt,name=num,proto3,oneof"`
	}
	Wrapped_Sub struct {
		Sub *Item `protobuf:"bytes,3,opt,name=sub,proto3,oneof"`
	}
	Wrapped_Raw struct {
		Raw []byte `protobuf:"bytes,4,opt,name=raw,proto3,oneof"`
	}
	Wrapped_Level struct {
		Level Level `protobuf:"varint,5,opt,name=level,proto3,enum=x.Level,oneof"`
	}
	Wrapped_Again struct {
		Again *Wrapped `protobuf:"bytes,6,opt,name=again,proto3,oneof"`
	}
	Wrapped_Fixed struct {
		Fixed uint32 `protobuf:"fixed32,7,opt,name=fixed,proto3,oneof"`
	}
	Wrapped_Flag struct {
		Flag bool `protobuf:"varint,8,opt,name=flag,proto3,oneof"`
	}
	Wrapped_Old struct {
		Old *Item `protobuf:"group,9,opt,name=Old,proto3,oneof"`
	}
)

func (*Wrapped_Text) isWrapped_Kind()  {}
func (*Wrapped_Num) isWrapped_Kind()   {}
func (*Wrapped_Sub) isWrapped_Kind()   {}
func (*Wrapped_Raw) isWrapped_Kind()   {}
func (*Wrapped_Level) isWrapped_Kind() {}
func (*Wrapped_Again) isWrapped_Kind() {}
func (*Wrapped_Fixed) isWrapped_Kind() {}
func (*Wrapped_Flag) isWrapped_Kind()  {}
func (*Wrapped_Old) isWrapped_Kind()   {}
