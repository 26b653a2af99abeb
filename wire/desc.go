package wire

// Desc describes one type for the verifier and for views. Types refer to each
// other by index in a table, so a table is constant data: programs pay nothing
// for it when they start.
type Desc struct {
	Shape  Shape
	Domain Domain // ShapeFixed
	Order  Order  // ShapeMap: of its keys
	Size   int    // ShapeFixed: bytes; ShapeFixedTail: bytes; ShapeArray: elements
	Elem   int    // of lists, arrays, maps, pointers; the type behind 0x01
	Key    int    // ShapeMap
	Head   uint32 // ShapeStruct
	Older  []uint32
	Sizes  []int    // ShapeSparse: of each field among the scalars, 0 for a tail
	Discs  []uint16 // ShapeUnion: of the arms, whose types are Fields
	Fields []int    // ShapeStruct: types in number order; ShapeFixed: of a struct that stands among the scalars
}

// Shape is how a type stands in its slot.
type Shape uint8

// The shapes.
const (
	ShapeFixed     Shape = iota // Size bytes
	ShapeString                 // UTF-8
	ShapeBytes                  // bytes, raw JSON
	ShapePacked                 // fixed elements side by side
	ShapeFixedTail              // array of fixed elements too long for the scalars
	ShapeList                   // list of slots
	ShapeDense                  // list of structs that share their header
	ShapeArray                  // list of Size elements, dense if they are structs
	ShapeMap                    // two columns
	ShapeStruct                 // header, scalars, ends, tails
	ShapePtrStruct              // a struct that may be zero without being nil
	ShapePtrFixed               // a fixed value that may be zero without being nil
	ShapeOpt                    // 0x01, then a slot that may be empty without being nil
	ShapeAny                    // kind, then payload
	ShapeBigInt                 // not 0
	ShapeBigFloat               // not 0
	ShapePtrBigInt              // any, 0 too
	ShapePtrBigFloat
	ShapeSparse // bitmap, then what is not zero
	ShapeUnion  // discriminator, then the slot of one of Fields
)

// Domain is which bytes of a fixed value are values.
type Domain uint8

// The domains. An array has the domain of its elements.
const (
	AnyBytes  Domain = iota
	BoolBytes        // 0 or 1 each
	TimeBytes        // 12 bytes each
	ZoneBytes        // 16 bytes each
)

// Order is how keys are compared.
type Order uint8

// The orders.
const (
	ByteOrder     Order = iota // as byte strings, shorter first
	SignedOrder                // as signed integers
	UnsignedOrder              // as unsigned integers
)

func domainOK(b []byte, d Domain) bool {
	switch d {
	case BoolBytes:
		return BoolsOK(b)
	case TimeBytes:
		return timesOK(b)
	case ZoneBytes:
		return zonesOK(b)
	}
	return true
}

// badElem finds which of the elements of b, of size bytes each, is no value.
func badElem(b []byte, size int, d Domain) *Error {
	i := 0
	for i+size < len(b) && domainOK(b[i:i+size], d) {
		i += size
	}
	return Fail(ErrDomain, 0).At(i/size, i)
}

// KeyLess reports whether key x stands before key y, both as wire bytes.
func KeyLess(x, y []byte, o Order) bool {
	switch o {
	case SignedOrder:
		return signed(x) < signed(y)
	case UnsignedOrder:
		return unsigned(x) < unsigned(y)
	}
	return string(x) < string(y)
}

func unsigned(b []byte) (u uint64) {
	for i := len(b) - 1; i >= 0; i-- {
		u = u<<8 | uint64(b[i])
	}
	return u
}

func signed(b []byte) int64 {
	shift := 64 - 8*len(b)
	return int64(unsigned(b)<<shift) >> shift
}
