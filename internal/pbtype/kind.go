package pbtype

import "github.com/zmylab/zmy/internal/pbwire"

// Kind is the type of a value in a .proto file.
type Kind uint8

// The kinds. Timestamp and Duration are the messages of these names in package google.protobuf, for
// time.Time and time.Duration. A Wrapper is one of its messages with a single value, such as StringValue.
// DynamicValue, DynamicStruct and DynamicList are its Value, Struct and ListValue, for any, map[string]any
// and []any. Text and Binary are a string and bytes that the Go type's own methods write and read.
const (
	Invalid Kind = iota
	Bool
	Enum // 32 bits, open: any number is a value
	Int32
	Int64
	Uint32
	Uint64
	Sint32
	Sint64
	Fixed32
	Fixed64
	Sfixed32
	Sfixed64
	Float
	Double
	String
	Bytes
	Text   // MarshalText and UnmarshalText
	Binary // MarshalBinary and UnmarshalBinary
	Message
	Group
	Timestamp
	Duration
	Wrapper
	DynamicValue
	DynamicStruct
	DynamicList
)

// kinds has the name and the wire type of each kind.
var kinds = [...]struct {
	name string
	wire pbwire.Type
}{
	Invalid: {"invalid", 0},
	Bool:    {"bool", pbwire.VarintType}, Enum: {"enum", pbwire.VarintType},
	Int32: {"int32", pbwire.VarintType}, Int64: {"int64", pbwire.VarintType},
	Uint32: {"uint32", pbwire.VarintType}, Uint64: {"uint64", pbwire.VarintType},
	Sint32: {"sint32", pbwire.VarintType}, Sint64: {"sint64", pbwire.VarintType},
	Fixed32: {"fixed32", pbwire.Fixed32Type}, Fixed64: {"fixed64", pbwire.Fixed64Type},
	Sfixed32: {"sfixed32", pbwire.Fixed32Type}, Sfixed64: {"sfixed64", pbwire.Fixed64Type},
	Float: {"float", pbwire.Fixed32Type}, Double: {"double", pbwire.Fixed64Type},
	String: {"string", pbwire.BytesType}, Bytes: {"bytes", pbwire.BytesType},
	Text: {"string", pbwire.BytesType}, Binary: {"bytes", pbwire.BytesType},
	Message: {"message", pbwire.BytesType}, Group: {"group", pbwire.StartGroupType},
	Timestamp: {"google.protobuf.Timestamp", pbwire.BytesType}, Duration: {"google.protobuf.Duration", pbwire.BytesType},
	Wrapper: {"wrapper", pbwire.BytesType}, DynamicValue: {"google.protobuf.Value", pbwire.BytesType},
	DynamicStruct: {"google.protobuf.Struct", pbwire.BytesType}, DynamicList: {"google.protobuf.ListValue", pbwire.BytesType},
}

// wrappers has the messages with a single value of a kind.
var wrappers = map[Kind]string{
	Double: "DoubleValue", Float: "FloatValue", Int64: "Int64Value", Uint64: "UInt64Value", Int32: "Int32Value", Uint32: "UInt32Value",
	Bool: "BoolValue", String: "StringValue", Bytes: "BytesValue",
}

// WrapperName returns the full name of the message with a single value of kind k, "" if there is none.
func WrapperName(k Kind) string {
	if name, ok := wrappers[k]; ok {
		return "google.protobuf." + name
	}
	return ""
}

// String returns the kind's name in .proto files.
func (k Kind) String() string { return kinds[k].name }

// Wire returns the wire type of a value of the kind that is not in a packed list.
func (k Kind) Wire() pbwire.Type { return kinds[k].wire }

// IsNumber reports whether k is a number, an enum or a bool. Lists of these can be packed.
func (k Kind) IsNumber() bool { return Bool <= k && k <= Double }

// IsOwn reports whether the Go type's own methods write and read values of the kind.
func (k Kind) IsOwn() bool { return k == Text || k == Binary }

// IsDynamic reports whether Go values of the kind have any type that JSON has.
func (k Kind) IsDynamic() bool { return k >= DynamicValue }

// IsMessage reports whether values of the kind are messages: occurrences of such a field merge.
func (k Kind) IsMessage() bool { return k >= Message }
