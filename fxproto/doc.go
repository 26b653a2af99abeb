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
//	group       structs: a group (delimited encoding), not a length and bytes
//	oneof:Name  pointers and []byte: an arm of the oneof with this name
//	name:…      the field's name in .proto files and in JSON (default: the Go name in snake case)
//	key:… val:… keys and values of maps: sint, fixed, varint or raw
//
// proto:"-" leaves a field out. proto:"unknown" makes a []byte keep unknown fields, as does the type
// [Unknown]. A field without a tag is not carried.
//
// If a field has no struct tag proto, its struct tag protobuf counts, as protoc-gen-go and gogoproto
// write it, with protobuf_key and protobuf_val. The label req is read as opt: nothing checks that the
// field is there.
//
// # Types
//
//	Go                             protobuf
//	bool, float32, float64         bool, float, double
//	int32, uint32                  int32, uint32
//	int, int64, uint, uint64       int64, uint64
//	named types based on int32     open enum
//	string, []byte                 string, bytes
//	[N]byte                        bytes; N bytes, or none for the zero array
//	structs                        message
//	time.Time, time.Duration       google.protobuf.Timestamp, google.protobuf.Duration
//	[]T, []*Struct                 repeated
//	map[K]V, map[K]*Struct         map
//
// Other types are refused with a [TypeError].
//
// # Presence
//
// A pointer has presence: nil is absent. A value without a pointer is not written if it is zero, or
// if it is a struct whose encoding is empty. With the option optional, and with a struct tag protobuf
// without proto3, a value without a pointer is always written, as gogoproto writes it; but a []byte is
// absent if it is nil.
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
//   - A Timestamp whose nanoseconds are not in 0 to 999999999 is refused ([ErrRange]), and so is a
//     Duration that time.Duration does not hold, or whose seconds and nanoseconds have different
//     signs: the Go type would change them. If two valid messages of one Duration merge, the
//     result is the sum of the last seconds and the last nanoseconds, or the nearest time.Duration.
//     If a valid Timestamp of the year 1 merges with another, it counts as absent.
//   - Unknown fields in Timestamp and Duration are dropped, and so are those of a struct without a
//     field for them.
//   - Bytes for a Go array that are neither as long as the array nor empty are refused (ErrRange). An
//     array of zeros without a pointer is the same as no bytes.
//   - Required fields are not checked.
//   - Go's int and uint have 32 bits on some machines. There, larger numbers are truncated.
//   - Memory for a decoded message is limited; see [UnmarshalOptions].MaxMemory. Values nested more
//     than 10000 levels deep are refused by Marshal too.
//   - A message that is longer than 127 bytes is moved once its length is known, at each level. A value
//     of thousands of levels around megabytes takes seconds to encode, where protobuf-go computes all
//     lengths first.
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
//	UnmarshalProto(b []byte, o fxproto.UnmarshalOptions) error // merges
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
//	errors.go    errors and their causes
//	methods.go   interfaces of generated methods
//	protort      functions that generated code calls
package fxproto
