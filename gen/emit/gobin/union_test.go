package gobin_test

import (
	"errors"
	"reflect"
	"testing"

	"github.com/zmylab/zmy"
	"github.com/zmylab/zmy/gen/emit/gobin/testdata/kinds"
)

func TestUnionErrors(t *testing.T) {
	for name, c := range map[string]struct {
		shape kinds.Shape
		want  error
	}{
		"nil pointer":        {(*kinds.Group)(nil), zmy.ErrNil},
		"no number":          {kinds.ShapeUnknown{}, zmy.ErrDomain},
		"known as other":     {kinds.ShapeUnknown{Disc: 300}, zmy.ErrDomain},
		"pointer to unknown": {&kinds.ShapeUnknown{Disc: 9}, zmy.ErrNoWireType},
	} {
		if _, err := zmy.Marshal(&kinds.Every{Unions: kinds.Unions{One: c.shape}}); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
	ring := &kinds.Group{}
	ring.Parts = []kinds.Shape{ring}
	if _, err := zmy.Marshal(&kinds.Every{Unions: kinds.Unions{One: ring}}); !errors.Is(err, zmy.ErrDepth) {
		t.Errorf("a ring: %v", err)
	}
}

// An arm comes back as the type itself where that is a Shape; a pointer to it is
// the same arm.
func TestUnionPointers(t *testing.T) {
	var out kinds.Every
	mustUnmarshal(t, mustMarshal(t, &kinds.Every{Unions: kinds.Unions{Many: []kinds.Shape{&kinds.Circle{Radius: 2}, nil,
		&kinds.Nothing{}}}}), &out)
	if want := []kinds.Shape{kinds.Circle{Radius: 2}, nil, kinds.Nothing{}}; !reflect.DeepEqual(out.Unions.Many, want) {
		t.Errorf("%#v", out.Unions.Many)
	}
}

// Arms that a program does not know have the methods, which do nothing.
func TestUnionUnknown(t *testing.T) {
	var s kinds.Shape = kinds.ShapeUnknown{Disc: 5}
	if x, err := s.Scale(2, "a"); x != nil || err != nil || s.Area() != 0 {
		t.Errorf("%v, %v, %v", x, err, s.Area())
	}
}
