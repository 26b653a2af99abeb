package wire

// Code says what is wrong with a message, or with a value that cannot be written to one. Each Code
// is an error, so errors.Is(err, wire.ErrUTF8) finds it.
type Code uint8

// The codes. The vectors depend on their order: never change it, only append.
const (
	OK            Code = iota
	ErrTruncated       // fewer bytes than the header or the words need
	ErrReserved        // bits that must be zero are not
	ErrMixed           // scalars and tails fit neither an older nor a newer version of the type
	ErrEnds            // an end is smaller than the one before it, or the last is not the length
	ErrWidth           // words of four bytes in a container that needs two
	ErrDomain          // a value outside its type's range: bool 2, nanosecond 1e9
	ErrZero            // the zero value, not written as an empty slot
	ErrUTF8            // a string is not UTF-8
	ErrKeyOrder        // keys of a map are not strictly increasing
	ErrCount           // counts disagree: keys and values of a map, length of an array
	ErrDepth           // nested deeper than the limit
	ErrNotMinimal      // a number that has a shorter encoding
	ErrLength          // a length that the type cannot have
	ErrTooLarge        // larger than the limit
	ErrBudget          // decoding would cost more units than the budget has
	ErrNil             // marshal: nil where the format cannot represent it
	ErrNoWireType      // marshal: a value inside any whose type has no encoding there
	ErrVersion         // a struct of another version, where the reader accepts only its own
	ErrMethod          // a method of the type returned an error
	ErrSparse          // the bitmap of a sparse struct does not match its sections
	ErrMemory          // decoding would take more than two bytes of Go memory for each unit of the budget
	numCodes
)

var codes = [numCodes]struct{ name, text string }{
	OK:            {"OK", "ok"},
	ErrTruncated:  {"TRUNCATED", "unexpected end of input"},
	ErrReserved:   {"RESERVED", "reserved bits are set"},
	ErrMixed:      {"MIXED", "struct sections fit neither an older nor a newer version of the type"},
	ErrEnds:       {"ENDS", "tail ends are not in order"},
	ErrWidth:      {"WIDTH", "words are wider than needed"},
	ErrDomain:     {"DOMAIN", "value outside of its type's range"},
	ErrZero:       {"ZERO", "zero value not written as empty"},
	ErrUTF8:       {"UTF8", "invalid UTF-8"},
	ErrKeyOrder:   {"KEY_ORDER", "map keys are not strictly increasing"},
	ErrCount:      {"COUNT", "element counts disagree"},
	ErrDepth:      {"DEPTH", "nested deeper than the limit"},
	ErrNotMinimal: {"NOT_MINIMAL", "number not in its shortest form"},
	ErrLength:     {"LENGTH", "length does not fit the type"},
	ErrTooLarge:   {"TOO_LARGE", "larger than the limit"},
	ErrBudget:     {"BUDGET", "decoded form would exceed the budget"},
	ErrNil:        {"NIL", "nil has no place here"},
	ErrVersion:    {"VERSION", "struct of another version of the type"},
	ErrSparse:     {"SPARSE", "bitmap does not fit the struct"},
	ErrMemory:     {"MEMORY", "decoded form would take more memory than the budget allows"},
	ErrMethod:     {"METHOD", "refused by a method of the type"},
	ErrNoWireType: {"NO_WIRE_TYPE", "type has no wire form inside any"},
}

// Error returns the code as a text.
func (c Code) Error() string {
	if c >= numCodes {
		return "unknown error code"
	}
	return codes[c].text
}

// Name returns the code's name in the vectors, which is the same in every language.
func (c Code) Name() string {
	if c >= numCodes {
		return "UNKNOWN"
	}
	return codes[c].name
}
