package ir

// A ProtoFile describes the .proto file for types of a package. check.ProtoFile makes it, package
// emit/protofile prints it, and it never changes. All references are names relative to Package, or
// full names of google.protobuf.
type ProtoFile struct {
	Package   string
	GoPackage string   // option go_package
	Edition   bool     // edition 2023, with implicit presence by default; otherwise proto3
	Why       []string // why the file needs an edition: "groups"
	Imports   []string // sorted
	Services  []*ProtoService
	Messages  []*ProtoMessageDecl
	Enums     []*ProtoEnum
}

// ProtoMessageDecl declares a message.
type ProtoMessageDecl struct {
	Name       string
	Doc        string
	Deprecated bool
	Reserved   []string // what stands behind the keyword reserved: "2, 4 to 6", `"old_name"`
	Members    []ProtoMember
	Nested     []*ProtoMessageDecl
	Enums      []*ProtoEnum
}

// ProtoMember is a field of a message, or a oneof with its arms.
type ProtoMember struct {
	ProtoFieldDecl
	Oneof string // name of the oneof, "" for a field
	Arms  []ProtoFieldDecl
}

// ProtoFieldDecl declares a field.
type ProtoFieldDecl struct {
	Name    string
	Doc     string
	Label   string // "optional", "repeated" or ""
	Type    string // "int32", "map<string, Item>"
	Number  int32
	Options []string // "deprecated = true"
}

// ProtoEnum declares an enum. The first value is zero.
type ProtoEnum struct {
	Name       string
	Doc        string
	Deprecated bool
	Alias      bool // two values have one number
	Reserved   []string
	Values     []Value
}

// ProtoService declares a service.
type ProtoService struct {
	Name       string
	Doc        string
	Deprecated bool
	Methods    []ProtoRPC
}

// ProtoRPC is a method of a service.
type ProtoRPC struct {
	Name, Doc             string
	In, Out               string // names of messages
	StreamsIn, StreamsOut bool
	Deprecated            bool
}
