package ir

// A GRPCPlan says how gRPC carries the calls of an interface. check.GRPC makes it, emitters read
// it, and it never changes.
type GRPCPlan struct {
	Interface *Type
	Service   string // full name: "shop.Orders"
	Methods   []GRPCMethod
}

// GRPCMethod is one method.
type GRPCMethod struct {
	Method Method // of the interface
	Name   string // of the gRPC method
	Kind   GRPCKind
	In     *Type // the struct that a request is
	Out    *Type // the struct that a response is
}

// GRPCKind says which sides of a call send a sequence of messages.
type GRPCKind uint8

// The kinds of gRPC calls. Their String is their name in package stub.
const (
	GRPCUnary GRPCKind = iota
	GRPCServerStream
	GRPCClientStream
	GRPCBidiStream
)

// String returns the kind's name in package stub.
func (k GRPCKind) String() string {
	return [...]string{"Unary", "ServerStream", "ClientStream", "BidiStream"}[k]
}
