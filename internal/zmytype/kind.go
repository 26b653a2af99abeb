package zmytype

import "github.com/zmylab/zmy/wire"

// Kind is the kind of a Go type. A named type has the kind of its underlying type: `type Status
// int32` is Int32. Types of the standard library with a form of their own in messages have kinds of
// their own.
type Kind uint8

// The kinds.
const (
	Invalid Kind = iota
	Bool
	Int
	Int8
	Int16
	Int32
	Int64
	Uint
	Uint8
	Uint16
	Uint32
	Uint64
	Uintptr
	Float32
	Float64
	Complex64
	Complex128
	String
	Bytes     // a slice whose element has kind Uint8
	Slice     //
	Array     //
	Map       //
	Pointer   //
	Struct    //
	Any       // an interface without methods
	Interface // an interface with methods
	Chan      //
	Func      //
	Time      // time.Time
	Duration  // time.Duration
	BigInt    // math/big.Int, the struct itself: *big.Int is Pointer to BigInt
	BigFloat  // math/big.Float
	BigRat    // math/big.Rat
	RawJSON   // encoding/json.RawMessage
	Number    // encoding/json.Number
	Unsafe    // unsafe.Pointer
)

// kindNames has Go's names of the kinds, if Go has any.
var kindNames = [...]string{
	Invalid: "invalid", Bool: "bool",
	Int: "int", Int8: "int8", Int16: "int16", Int32: "int32", Int64: "int64",
	Uint: "uint", Uint8: "uint8", Uint16: "uint16", Uint32: "uint32", Uint64: "uint64", Uintptr: "uintptr",
	Float32: "float32", Float64: "float64", Complex64: "complex64", Complex128: "complex128",
	String: "string", Bytes: "[]byte", Slice: "slice", Array: "array", Map: "map", Pointer: "pointer",
	Struct: "struct", Any: "any", Interface: "interface", Chan: "chan", Func: "func",
	Time: "time.Time", Duration: "time.Duration",
	BigInt: "big.Int", BigFloat: "big.Float", BigRat: "big.Rat",
	RawJSON: "json.RawMessage", Number: "json.Number", Unsafe: "unsafe.Pointer",
}

// String returns the kind's name in Go.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return "invalid"
}

// IsInt reports whether k is a signed integer. Duration is one.
func (k Kind) IsInt() bool { return k >= Int && k <= Int64 || k == Duration }

// IsUint reports whether k is an unsigned integer.
func (k Kind) IsUint() bool { return k >= Uint && k <= Uintptr }

// IsFloat reports whether k is Float32 or Float64.
func (k Kind) IsFloat() bool { return k == Float32 || k == Float64 }

// fixedSize returns the encoded size of a scalar in bytes, 0 for other kinds.
func (k Kind) fixedSize() int {
	switch k {
	case Bool, Int8, Uint8:
		return 1
	case Int16, Uint16:
		return 2
	case Int32, Uint32, Float32:
		return 4
	case Int, Int64, Uint, Uint64, Uintptr, Float64, Complex64, Duration:
		return 8
	case Time:
		return wire.TimeLen
	case Complex128:
		return 16
	}
	return 0
}

func (k Kind) domain() wire.Domain {
	switch k {
	case Bool:
		return wire.BoolBytes
	case Time:
		return wire.TimeBytes
	}
	return wire.AnyBytes
}

// Known reports whether k is a type of the standard library with a form of its own in messages.
func (k Kind) Known() bool {
	switch k {
	case Time, Duration, BigInt, BigFloat, BigRat, RawJSON, Number:
		return true
	}
	return false
}

// holds reports whether values of the kind contain values of Elem.
func (k Kind) holds() bool { return k == Pointer || k == Slice || k == Array || k == Map }

// scalarName returns the name of a scalar in canonical texts. Kinds with the same encoding, as int
// and int64, have the same name.
func (k Kind) scalarName() string {
	switch k {
	case Int:
		k = Int64
	case Uint, Uintptr:
		k = Uint64
	case Time:
		return "time"
	case Duration:
		return "duration"
	}
	return k.String()
}
