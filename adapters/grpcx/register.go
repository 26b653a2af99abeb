package grpcx

import (
	"errors"
	"fmt"

	"google.golang.org/grpc/encoding"
	"google.golang.org/grpc/encoding/proto"
)

// ErrName is returned for a codec whose name gRPC or another codec has taken.
var ErrName = errors.New("content-subtype is taken")

// Register makes gRPC know the codecs, for all clients and servers of the program.
// gRPC keeps one table without a lock, so this is called where the program starts,
// before the first client or server is made. It registers all of them or, with an
// error that wraps [ErrName], none: "proto" is gRPC's own and stays so, and a name
// that another codec has is left to that.
func Register(codecs ...encoding.CodecV2) error {
	for i, c := range codecs {
		name := c.Name()
		switch {
		case name == "":
			return errors.New("grpcx: register: a codec without a name; see WithName")
		case name == proto.Name:
			return fmt.Errorf("grpcx: register %q: %w: it is gRPC's protobuf codec; choose another with WithName", name, ErrName)
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
		if encoding.GetCodecV2(c.Name()) != c { // what is there already may be in use
			encoding.RegisterCodecV2(c)
		}
	}
	return nil
}

// known reports whether gRPC has a codec of that name, of either of its two kinds.
func known(name string) bool {
	return encoding.GetCodecV2(name) != nil || encoding.GetCodec(name) != nil
}
