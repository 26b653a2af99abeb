package wire

// Desc describes one type for the verifier and for views. Types refer to each other by their index
// in a table. So a table is constant data, and costs programs nothing at start-up.
type Desc struct {
	Shape  Shape
	Domain Domain // ShapeFixed: which bytes are values
	Order  Order  // ShapeMap: how keys are ordered
	Size   int    // ShapeFixed: bytes; ShapeFixedTail: bytes; ShapeArray: elements
	Elem   int    // element type of lists, arrays, maps, pointers and optional values
	Key    int    // ShapeMap
	Head   uint32 // ShapeStruct: the header of this version
	Older  []uint32
	Sizes  []int    // ShapeSparse: the size of each field that is a scalar, 0 for a tail
	Discs  []uint16 // ShapeUnion: the discriminators of the arms, whose types are in Fields
	Fields []int    // types of fields, by number; ShapeFixed has them if it is a struct
}

// Shape is how a value of a type is laid out in its slot.
type Shape uint8

// The shapes.
const (
	ShapeFixed     Shape = iota // Size bytes
	ShapeString                 // UTF-8
	ShapeBytes                  // bytes, raw JSON
	ShapePacked                 // fixed elements side by side
	ShapeFixedTail              // array of fixed elements that is too long to be a scalar
	ShapeList                   // list of slots
	ShapeDense                  // list of structs that share one header
	ShapeArray                  // list of Size elements, dense if they are structs
	ShapeMap                    // a column of keys and one of values
	ShapeStruct                 // header, scalars, ends, tails
	ShapePtrStruct              // pointer to a struct; a pointer to a zero struct is not nil
	ShapePtrFixed               // pointer to a fixed value; a pointer to a zero value is not nil
	ShapeOpt                    // 0x01, then a slot; an empty slot after 0x01 is a value that is not nil
	ShapeAny                    // kind, then payload
	ShapeBigInt                 // not 0
	ShapeBigFloat               // not 0
	ShapePtrBigInt              // pointer to a big integer, which may be 0
	ShapePtrBigFloat
	ShapeSparse // bitmap of fields, then the fields that are not zero
	ShapeUnion  // discriminator, then the slot of one arm
)

// Domain says which bytes are valid as a fixed value.
type Domain uint8

// The domains. An array has the domain of its elements.
const (
	AnyBytes  Domain = iota
	BoolBytes        // 0 or 1 each
	TimeBytes        // 12 bytes each
	ZoneBytes        // 16 bytes each
)

// Order is the order of a map's keys.
type Order uint8

// The orders.
const (
	ByteOrder     Order = iota // byte by byte; a prefix precedes the longer key
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

// badElem returns the error of the first element of b, of size bytes each, that is outside the
// domain.
func badElem(b []byte, size int, d Domain) *Error {
	i := 0
	for i+size < len(b) && domainOK(b[i:i+size], d) {
		i += size
	}
	return Fail(ErrDomain, 0).At(i/size, i)
}

// KeyLess reports whether key x precedes key y in the order o. x and y are encoded keys.
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
