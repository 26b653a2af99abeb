package fxproto

// The methods that are reserved for generated code.
type (
	appender interface {
		AppendProto(dst []byte, o MarshalOptions) ([]byte, error)
	}
	sizer interface {
		SizeProto() (int, error)
	}
	unmarshaler interface {
		UnmarshalProto(b []byte, o UnmarshalOptions) error
	}
	verifier interface {
		VerifyProto(b []byte, o UnmarshalOptions) error
	}
)
