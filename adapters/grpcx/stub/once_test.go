package stub

import (
	"context"
	"errors"
	"testing"

	"google.golang.org/grpc"
)

// refusing is a connection that notes the options of streams and refuses them.
type refusing struct {
	grpc.ClientConnInterface
	opts []grpc.CallOption
}

var errRefused = errors.New("refused")

func (r *refusing) NewStream(_ context.Context, _ *grpc.StreamDesc, _ string, opts ...grpc.CallOption) (grpc.ClientStream, error) {
	r.opts = opts
	return nil, errRefused
}

// TestOnce: gRPC keeps nothing of a sequence to send it again, unless the caller asks for that.
// TestSoak of adapters/grpcx finds the parts of sequences that servers otherwise take for the
// whole.
func TestOnce(t *testing.T) {
	none := func(func(*int, error) bool) {}
	for name, call := range map[string]func(cc grpc.ClientConnInterface, opts []grpc.CallOption) error{
		"client stream": func(cc grpc.ClientConnInterface, opts []grpc.CallOption) error {
			_, err := CallClientStream[int, int](t.Context(), cc, "/a/b", none, opts)
			return err
		},
		"both ways": func(cc grpc.ClientConnInterface, opts []grpc.CallOption) (failed error) {
			for _, err := range CallBidiStream[int, int](t.Context(), cc, "/a/b", none, opts) {
				failed = err
			}
			return failed
		},
	} {
		for _, own := range [][]grpc.CallOption{nil, {grpc.MaxRetryRPCBufferSize(7)}} {
			cc := new(refusing)
			if err := call(cc, own); err != errRefused {
				t.Fatalf("%s: %v", name, err)
			}
			want := append([]grpc.CallOption{grpc.MaxRetryRPCBufferSize(0)}, own...)
			if len(cc.opts) != len(want) {
				t.Fatalf("%s: options %v", name, cc.opts)
			}
			for i, o := range cc.opts {
				if o != want[i] {
					t.Errorf("%s: option %d is %v, want %v", name, i, o, want[i])
				}
			}
		}
	}
}
