package ir

// A GRPCPlan says how gRPC carries the calls of an interface. It is made by check.GRPC
// and read by emitters; it never changes.
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
	In     *Type // the struct that requests are
	Out    *Type // and responses
}

// GRPCKind is which side sends a sequence.
type GRPCKind uint8

// The kinds. Each one's String is its name in package stub.
const (
	GRPCUnary GRPCKind = iota
	GRPCServerStream
	GRPCClientStream
	GRPCBidiStream
)

// String is the kind's name in package stub.
func (k GRPCKind) String() string {
	return [...]string{"Unary", "ServerStream", "ClientStream", "BidiStream"}[k]
}
