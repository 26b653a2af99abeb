package grpcx

import (
	"errors"
	"fmt"

	"google.golang.org/grpc/encoding"
	"google.golang.org/grpc/encoding/proto"
)

// ErrName is wrapped by the error of [Register] if gRPC or another codec already has a codec's
// name.
var ErrName = errors.New("content-subtype is taken")

// Register registers codecs with gRPC, for all clients and servers of the program. gRPC keeps them
// in a map without a lock: call Register at the start of the program, before the first client or
// server is made. Register registers all codecs, or none and returns an error. The error wraps
// [ErrName] if a name is taken: Register replaces no codec, except for gRPC's own codec "proto" by one
// that [Proto] made.
func Register(codecs ...encoding.CodecV2) error {
	for i, c := range codecs {
		name := c.Name()
		switch {
		case name == "":
			return errors.New("grpcx: register: a codec without a name; see WithName")
		case isProto(c):
		case name == proto.Name:
			return fmt.Errorf("grpcx: register %q: %w: it is gRPC's protobuf codec; choose another with WithName, "+
				"or use the codec that Proto makes", name, ErrName)
		case known(name) && encoding.GetCodecV2(name) != c:
			return fmt.Errorf("grpcx: register %q: %w by another codec; choose another with WithName", name, ErrName)
		}
		for _, earlier := range codecs[:i] {
			if earlier.Name() == name && earlier != c {
				return fmt.Errorf("grpcx: register %q: %w by another codec of the same call; choose another with WithName", name, ErrName)
			}
		}
	}
	for _, c := range codecs {
		if encoding.GetCodecV2(c.Name()) != c { // a codec that is registered already may be in use
			encoding.RegisterCodecV2(c)
		}
	}
	return nil
}

// known reports whether gRPC has a codec of that name, in either of its two interfaces.
func known(name string) bool {
	return encoding.GetCodecV2(name) != nil || encoding.GetCodec(name) != nil
}
