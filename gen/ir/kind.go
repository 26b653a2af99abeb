package ir

// kindNames are Go's own words where it has them.
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

// String is the kind in Go's words.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return "invalid"
}

// IsInt reports a signed integer; Duration is one.
func (k Kind) IsInt() bool { return k >= Int && k <= Int64 || k == Duration }

// IsUint reports an unsigned integer.
func (k Kind) IsUint() bool { return k >= Uint && k <= Uintptr }

// IsFloat reports float32 and float64.
func (k Kind) IsFloat() bool { return k == Float32 || k == Float64 }
