package pbtype

import "github.com/zmylab/zmy/internal/zmytype"

// Source describes Go types. T is the source's representation of a type, and F that of a field of a
// struct. Identical types must be equal. Every zmytype.Source that also has IsProtoUnknown, HasOwn and
// ProtoArms is one.
type Source[T, F comparable] interface {
	KindOf(T) zmytype.Kind
	ElemOf(T) T                       // of Bytes, Slice, Array, Map, Pointer
	KeyOf(T) T                        // of Map
	LenOf(T) int64                    // of Array
	FieldsOf(T) []zmytype.Field[F, T] // of Struct, in declaration order, with unexported and embedded ones
	IsNamed(T) bool                   // the type is declared in a package: neither predeclared nor a literal
	IsProtoUnknown(T) bool            // the type is fxproto.Unknown
	Name(T) string                    // the type's name in error messages
	HasOwn(T, Kind) bool              // a pointer to the type has the methods of kind Text or Binary

	// ProtoArms returns the types that an Interface in a struct may hold. Their texts are as in the
	// directive //zmy:union, or without a number. If there are none, hint says what to do.
	ProtoArms(owner, t T) (arms []zmytype.Arm[T], hint string)
}

// UnknownPkg is the package that declares the type Unknown. It is known by its name, since it imports
// this package.
const UnknownPkg = "github.com/zmylab/zmy/fxproto"
