package fxproto

import (
	"reflect"
	"sync"
	"sync/atomic"

	"github.com/zmylab/zmy/internal/pbreflect"
)

// The methods that are reserved for generated code.
type (
	appender interface {
		AppendProto(dst []byte, o MarshalOptions) ([]byte, error)
	}
	sizer interface {
		SizeProto() (int, error)
	}
	unmarshaler interface {
		UnmarshalProto(b []byte, o UnmarshalOptions) error
	}
	verifier interface {
		VerifyProto(b []byte, o UnmarshalOptions) error
	}
	resetter interface {
		ResetProto()
	}
	owner interface {
		ProtoType() any
	}
)

// verdict says whether the marked methods of a type are its own.
type verdict struct {
	word uintptr // address of the type
	own  bool
}

// owners has the verdicts of types with marked methods. recent has those that were asked for last, by a part
// of the address of the type, since a look there takes a fifth of the time.
var (
	owners sync.Map // of reflect.Type, *verdict
	recent [256]atomic.Pointer[verdict]
)

// own reports whether generated methods of v are its own. A struct inherits those of a struct that it
// embeds, which know only a part of it.
func own(v any) bool {
	if _, marked := v.(owner); !marked {
		return true
	}
	word, _ := pbreflect.Words(v)
	t := reflect.TypeOf(v)
	is, known := owners.Load(t)
	if !known {
		is, _ = owners.LoadOrStore(t, &verdict{word, declares(t)})
	}
	recent[uint8(word>>5)].Store(is.(*verdict))
	return is.(*verdict).own
}

// declares asks a new value of the type: v may be a nil pointer, which an inherited method dereferences.
func declares(t reflect.Type) (is bool) {
	defer func() {
		if recover() != nil { // inherited from a pointer that the struct embeds
			is = false
		}
	}()
	v := reflect.Zero(t)
	if t.Kind() == reflect.Pointer {
		v = reflect.New(t.Elem())
	}
	return reflect.TypeOf(v.Interface().(owner).ProtoType()) == t
}

// The methods together with the mark of generated code, which are looked for first.
type (
	markedAppender interface {
		appender
		owner
	}
	markedUnmarshaler interface {
		unmarshaler
		resetter
		owner
	}
)

// ownMarked is ownAndSet for a value with the mark.
func ownMarked(v any) bool {
	word, value := pbreflect.Words(v)
	if r := recent[uint8(word>>5)].Load(); r != nil && r.word == word {
		return r.own && value != 0
	}
	return ownAndSet(v)
}

// ownAndSet is own for values that are read or set: v must not be a nil pointer.
func ownAndSet(v any) bool {
	x := reflect.ValueOf(v)
	return own(v) && (x.Kind() != reflect.Pointer || !x.IsNil())
}
