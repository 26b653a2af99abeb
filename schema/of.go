package schema

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/zmylab/zmy"
	"github.com/zmylab/zmy/internal/zmyreflect"
	"github.com/zmylab/zmy/internal/zmytype"
)

// For returns the schema of the type T: see Of.
func For[T any]() (*Schema, error) { return Of(reflect.TypeFor[T]()) }

// Of returns the schema of t, a struct type. It numbers fields as the generator does: by struct
// tags zmy, or in order of declaration if the struct has none. It takes time, so keep the result.
// Of cannot see comments: directives count if they are struct tags of blank fields, as in _
// struct{} `zmy:"sparse"`. Only the generator describes unions, named values and deprecated types.
func Of(t reflect.Type) (*Schema, error) {
	if t.Kind() != reflect.Struct {
		return nil, fmt.Errorf("schema: a message is a struct, not %v", t)
	}
	plan, err := zmyreflect.Types(t, isGenerated, true)
	if err != nil {
		return nil, fmt.Errorf("schema: %v: %w", t, err)
	}
	s, _ := Describe(plan.Roots, func(out *Type, t *zmytype.Type[reflect.Type, *reflect.StructField]) {
		if out.Kind == Struct {
			out.Name, _, _ = strings.Cut(t.Type.Name(), "[") // without type arguments
		}
	})
	s.Limits = Limits(plan.Roots[0].Limits)
	if err := s.Check(); err != nil {
		return nil, err
	}
	return s, nil
}

var (
	marshalerType   = reflect.TypeFor[zmy.Marshaler]()
	unmarshalerType = reflect.TypeFor[zmy.Unmarshaler]()
)

// isGenerated reports whether t is a struct with generated code of its own.
func isGenerated(t reflect.Type) bool {
	return t.Kind() == reflect.Struct &&
		zmyreflect.Declares(t, marshalerType, "AppendZMYOptions") && zmyreflect.Declares(t, unmarshalerType, "UnmarshalZMYOptions")
}
