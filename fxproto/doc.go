// Package fxproto marshals and unmarshals Protocol Buffers on the program's own Go types. A struct
// needs no generated message type and no conversion. Struct tags give its fields their numbers:
//
//	type Order struct {
//		ID      string            `proto:"1"`
//		Items   []Item            `proto:"2"`
//		Total   int64             `proto:"3,sint"`
//		Note    *string           `proto:"4"`
//		Created time.Time         `proto:"5"`
//		Labels  map[string]string `proto:"6"`
//		Unknown fxproto.Unknown
//	}
//
// # Struct tags
//
// The tag has a field number from 1 to 536870911, except for 19000 to 19999, and options:
//
//	sint        integers: zigzag varints (sint32, sint64)
//	fixed       integers: 4 or 8 bytes (fixed32, sfixed64 and so on)
//	varint      time.Duration: an int64 of nanoseconds, not a message
//	packed      lists of numbers: one run of bytes; this is the default
//	unpacked    lists of numbers: a field for each number
//	raw         strings: bytes that are no UTF-8 are allowed
//	optional    a value has presence; see below
//	wrapper     bools, numbers, strings and []byte: in a message of its own, such as
//	            google.protobuf.StringValue
//	text        types with MarshalText and UnmarshalText: the text, a string
//	binary      types with MarshalBinary and UnmarshalBinary: the bytes
//	group       structs: a group (delimited encoding), not a length and bytes
//	oneof:Name  pointers and []byte: an arm of the oneof with this name
//	name:…      the name of the field, or of the oneof, in .proto files and in JSON (default: the Go name in snake case)
//	oneof       the only field of a struct: the arm that this struct is; see below
//	key:… val:… keys and values of maps: sint, fixed, varint, raw or wrapper; values: text or binary
//
// proto:"-" leaves a field out. proto:"unknown" makes a []byte keep unknown fields, as does the type
// [Unknown]. A field without a tag is not carried. proto:"oneof" makes an interface hold the arm of a
// oneof; see below.
//
// If a field has no struct tag proto, its struct tag protobuf counts, as protoc-gen-go and gogoproto
// write it, with protobuf_key, protobuf_val and protobuf_oneof. The label req is read as opt: nothing checks that the
// field is there.
//
// # Types
//
//	Go                             protobuf
//	bool, float32, float64         bool, float, double
//	int8, int16, int32             int32
//	uint8, uint16, uint32          uint32
//	int, int64, uint, uint64       int64, uint64
//	named types based on int32     open enum
//	string, []byte                 string, bytes
//	[N]byte                        bytes; N bytes, or none for the zero array
//	structs                        message
//	time.Time, time.Duration       google.protobuf.Timestamp, google.protobuf.Duration
//	any, map[string]any, []any     google.protobuf.Value, Struct, ListValue
//	fxproto.Any                    google.protobuf.Any
//	any other, by option text      string
//	any other, by option binary    bytes
//	[]T, []*Struct                 repeated
//	map[K]V, map[K]*Struct         map
//
// Other types are refused with a [TypeError].
//
// With option text or binary, the methods of the type, or of a pointer to it, write and read the value. The
// option is for a value, a pointer to it, the elements of a list and the values of a map. Encoders call the
// method for each value that they write, and sizes call it too. Decoders call it on a zero value, also to
// verify; it must not keep the bytes that it is given, nor change them. No bytes at all are the zero value,
// without a call. An error of a method becomes the cause of the [EncodeError] or [DecodeError], which has the
// path. Size reports no error of a method.
//
// In an any, decoders store nil, bool, float64, string, map[string]any and []any. Encoders also take the
// other numbers and json.Number, as a float64; other types are refused with [ErrValue].
//
// # Oneofs
//
// The arms of a oneof are fields with a pointer or a []byte and the option oneof:Name, or one field with
// an interface. The directive of the interface numbers the structs that it may hold, as it does for ZMY:
//
//	type Payment struct {
//		Method Method `proto:"oneof"`
//		Amount int64  `proto:"1"`
//	}
//
//	//zmy:union Card=2 Transfer=3 Voucher=4
//	type Method interface{ isMethod() }
//
//	type Card struct { … }     // message 2 in Payment
//	type Voucher struct {      // string 5 in Payment
//		Code string `proto:"5,oneof"`
//	}
//
// A struct with a single field whose struct tag has the option oneof is the value of this field, with its
// number. That is how an arm is a number or a string, and how protoc-gen-go declares arms; if all arms of
// an interface are such structs, it needs no directive. In .proto files the arm has the name of that field;
// other arms have the name of the struct. Arms must be declared in the interface's package.
// Decoders store the struct itself if it implements the interface, else a pointer to it. A nil pointer in
// the interface is no arm.
//
// Reflection does not see the structs of an interface. Generated code registers them, and a method
// XXX_OneofWrappers, which older generators write, returns them; otherwise the type is refused.
//
// If a message has an arm twice, its value is merged or replaced, as that of any field. Another arm drops
// the value.
//
// # Presence
//
// A pointer has presence: nil is absent. A value without a pointer is not written if it is zero, or
// if it is a struct whose encoding is empty, or if its text or binary form has no bytes. With the option
// optional, and with a struct tag protobuf without proto3, a value without a pointer is always written, as
// gogoproto writes it; but a []byte is absent if it is nil.
//
// # Compared with google.golang.org/protobuf
//
// Bytes, accepted messages and results are those of google.golang.org/protobuf for the equivalent
// schema, in its implementation for dynamic messages. [MarshalOptions].Deterministic gives the order
// of its option of the same name. Tests compare both on values and on damaged messages. There are
// these differences on purpose:
//
//   - A struct, time.Time or time.Duration without a pointer has no presence: an empty message for it
//     is the same as none. A time.Time also loses the presence of the year 1, which is its zero value.
//     For lists, maps and pointers nothing is lost.
//   - A Value without a kind is null, and an any that is nil is absent, not null.
//   - A Timestamp whose nanoseconds are not in 0 to 999999999 is refused ([ErrRange]), and so is a
//     Duration that time.Duration does not hold, or whose seconds and nanoseconds have different
//     signs: the Go type would change them. If two valid messages of one Duration merge, the
//     result is the sum of the last seconds and the last nanoseconds, or the nearest time.Duration.
//     If a valid Timestamp of the year 1 merges with another, it counts as absent.
//   - Unknown fields in Timestamp, Duration, wrappers, Value, Struct and ListValue are dropped, and so are those of a struct without a
//     field for them.
//   - An integer that an int8, int16, uint8 or uint16 does not hold is refused (ErrRange).
//   - Bytes for a Go array that are neither as long as the array nor empty are refused (ErrRange). An
//     array of zeros without a pointer is the same as no bytes.
//   - A value with option text or binary is refused if the type's method refuses it, and is written again as
//     the method writes it. One without a pointer whose bytes are those of the zero value is the same as none.
//   - Required fields are not checked.
//   - Go's int and uint have 32 bits on some machines. There, larger numbers are truncated.
//   - Memory for a decoded message is limited; see [UnmarshalOptions].MaxMemory. Values nested more
//     than 10000 levels deep are refused by Marshal too.
//   - If an unknown field's tag is longer than it has to be, its bytes stay as they are. That is how
//     protobuf-go treats dynamic messages; its generated messages get a tag of minimal length.
//   - Reflection, like dynamic messages, makes a signalling NaN of 32 bits a quiet one. Generated code
//     keeps it.
//
// # Generated code
//
// The command fxproto (github.com/zmylab/zmy/gen/cmd/fxproto) writes methods that do the same as
// reflection, several times faster. Put this line into the package and run go generate:
//
//	//go:generate fxproto -type=Order
//
// It writes order_proto.go with methods for Order and for all structs of the package within it. The
// functions of this package call the methods of the value that they are given; pass a pointer, since
// the methods belong to *Order. Errors are those of reflection.
//
//	AppendProto(dst []byte, o fxproto.MarshalOptions) ([]byte, error)
//	SizeProto() (int, error)
//	UnmarshalProto(b []byte, o fxproto.UnmarshalOptions) error // merges, or reuses
//	VerifyProto(b []byte, o fxproto.UnmarshalOptions) error
//	ResetProto()     // sets all carried fields to zero
//	ProtoType() any  // a nil pointer to the type that has the methods
//
// Structs of other packages within Order are written and read field by field, even if they have
// methods of their own. That is what reflection does too.
//
// If a struct changes, the generated code does not compile until go generate has run. There is one
// exception: a struct of another package that has fields which Order's package cannot write. There the
// compiler notices a field of another type, but not another struct tag. fxproto -check reports a file
// that is not up to date.
//
// The names of these methods are reserved. Methods that are written by hand must do what reflection
// does, since messages around the type do not call them. A struct inherits the methods of a struct that
// it embeds; this package ignores them if ProtoType has another type than the value.
//
// # Files, JSON and gRPC
//
// The command zmy gen -lang proto writes a .proto file for the types, and a service for an interface:
// programs in other languages use the file, and buf checks it. The name of a field is the Go name in
// snake case, and its JSON name that of struct tag json. If a named integer has constants, it is an
// enum. Directives say what Go does not:
//
//	//zmy:proto-reserved 4, 20 to 29        numbers that no field or value may have again
//	//zmy:proto-reserved "old_name"         names, in the same way
//	//zmy:proto-value StatusPaid PAID       another name for the value of a constant (default: STATUS_PAID)
//
// The other way round, fxproto -from api/*.proto writes plain Go types from .proto files, and
// protoc-gen-fxproto does so as a plugin of protoc and buf.
//
// Package fxjson/protojson is protobuf's mapping to JSON for these types. The function Proto of
// adapters/grpcx is gRPC's codec "proto" for them, and adapters/grpcx/describe its reflection.
//
// NOTE, the map of the package:
//
//	fxproto.go   functions
//	options.go   options and limits
//	any.go       google.protobuf.Any
//	errors.go    errors and their causes
//	methods.go   interfaces of generated methods
//	protort      functions that generated code calls
package fxproto
