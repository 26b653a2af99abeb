package ir

import "github.com/zmylab/zmy/internal/zmytype"

// Kind is the shape of a type. No codec carries Chan, Func and Unsafe; these kinds exist for error
// messages and generated assertions.
type Kind = zmytype.Kind

// The kinds.
const (
	Invalid    = zmytype.Invalid
	Bool       = zmytype.Bool
	Int        = zmytype.Int
	Int8       = zmytype.Int8
	Int16      = zmytype.Int16
	Int32      = zmytype.Int32
	Int64      = zmytype.Int64
	Uint       = zmytype.Uint
	Uint8      = zmytype.Uint8
	Uint16     = zmytype.Uint16
	Uint32     = zmytype.Uint32
	Uint64     = zmytype.Uint64
	Uintptr    = zmytype.Uintptr
	Float32    = zmytype.Float32
	Float64    = zmytype.Float64
	Complex64  = zmytype.Complex64
	Complex128 = zmytype.Complex128
	String     = zmytype.String
	Bytes      = zmytype.Bytes
	Slice      = zmytype.Slice
	Array      = zmytype.Array
	Map        = zmytype.Map
	Pointer    = zmytype.Pointer
	Struct     = zmytype.Struct
	Any        = zmytype.Any
	Interface  = zmytype.Interface
	Chan       = zmytype.Chan
	Func       = zmytype.Func
	Time       = zmytype.Time
	Duration   = zmytype.Duration
	BigInt     = zmytype.BigInt
	BigFloat   = zmytype.BigFloat
	BigRat     = zmytype.BigRat
	RawJSON    = zmytype.RawJSON
	Number     = zmytype.Number
	Unsafe     = zmytype.Unsafe
)
