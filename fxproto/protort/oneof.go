package protort

import (
	"fmt"
	"reflect"

	"github.com/zmylab/zmy/internal/pbreflect"
)

// ArmType is a struct that the interface of a oneof may hold.
type ArmType struct {
	rt     reflect.Type
	number int32
}

// OneofArm returns the arm T. number is its field number, 0 if a field of T has it.
func OneofArm[T any](number int32) ArmType { return ArmType{reflect.TypeFor[T](), number} }

// Oneof registers the arms of the interface I, so that reflection knows them.
func Oneof[I any](arms ...ArmType) {
	t := reflect.TypeFor[I]()
	all := make([]pbreflect.Arm, len(arms))
	for i, a := range arms {
		all[i] = pbreflect.Arm{Text: a.rt.Name(), Type: a.rt, Value: a.rt.Implements(t), Pointer: reflect.PointerTo(a.rt).Implements(t)}
		if a.number != 0 {
			all[i].Text = fmt.Sprintf("%s=%d", a.rt.Name(), a.number)
		}
	}
	pbreflect.RegisterArms(t, all)
}

// Arm returns the T that an interface points to, a copy of the one that it holds, or a new one.
func Arm[T any](held any) *T {
	switch x := held.(type) {
	case *T:
		if x != nil {
			return x
		}
	case T:
		return &x
	}
	return new(T)
}
