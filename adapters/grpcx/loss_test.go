package grpcx

import (
	"context"
	"io"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/mem"
	"google.golang.org/grpc/stats"
)

// gRPC 1.85.0 itself loses buffers. Each loss is one buffer that goes to the garbage collector and
// not back to its pool.
//
//   - stream.go:1050: a client keeps a reference to what it has sent, to send it again, until the call is committed.
//     Where a first reply commits the call while a message is on its way to the transport (between lines 963 and
//     965), bufferForRetryLocked returns without the clean-up that SendMsg (line 1115) has left to it. It takes two
//     goroutines in one call: calls both ways lose at most one buffer each, other kinds none.
//   - controlbuf.go:855: what is to be written for a stream that is over by then is dropped as it is: at most the
//     messages of a call that is given up, see TestGivenUp.
//   - controlbuf.go:541: when a connection closes, what its streams have queued stays where it is.

// plain is a codec for gRPC alone: messages are byte slices, marshalled into buffers of a pool as
// gRPC's own codec does it.
type plain struct{ pool mem.BufferPool }

func (plain) Name() string { return "plain" }

func (p plain) Marshal(v any) (mem.BufferSlice, error) {
	b := *v.(*[]byte)
	buf := p.pool.Get(len(b))
	copy(*buf, b)
	return mem.BufferSlice{mem.NewBuffer(buf, p.pool)}, nil
}

func (plain) Unmarshal(data mem.BufferSlice, v any) error {
	*v.(*[]byte) = data.Materialize()
	return nil
}

var plainPool = newCountingPool()

// between is called by gRPC when the transport has a message and SendMsg has not returned.
type between struct{ sent func() }

func (between) TagRPC(ctx context.Context, _ *stats.RPCTagInfo) context.Context   { return ctx }
func (between) TagConn(ctx context.Context, _ *stats.ConnTagInfo) context.Context { return ctx }
func (between) HandleConn(context.Context, stats.ConnStats)                       {}
func (b between) HandleRPC(_ context.Context, s stats.RPCStats) {
	if _, ok := s.(*stats.OutPayload); ok {
		b.sent()
	}
}

// TestCommitLoses is the first of the losses above, without any codec of ours and without chance:
// the reply is received while SendMsg has yet to return. Once gRPC gives that buffer back this test
// fails, and calls both ways can be held to what holds for the others (talks).
func TestCommitLoses(t *testing.T) {
	desc := grpc.ServiceDesc{ServiceName: "test.Plain", HandlerType: (*any)(nil), Streams: []grpc.StreamDesc{{
		StreamName: "Talk", ServerStreams: true, ClientStreams: true, Handler: func(_ any, s grpc.ServerStream) error {
			for {
				var b []byte
				if err := s.RecvMsg(&b); err == io.EOF {
					return nil
				} else if err != nil {
					return err
				}
				if err := s.SendMsg(&b); err != nil {
					return err
				}
			}
		}}}}
	for _, c := range []struct {
		name string
		meet bool // reply and SendMsg
		lost int
	}{{"one after the other", false, 0}, {"at a time", true, 1}} {
		t.Run(c.name, func(t *testing.T) {
			received := make(chan struct{})
			wait := func() {}
			if c.meet {
				wait = func() { <-received }
			}
			t.Run("call", func(t *testing.T) {
				cc := serve(t, func(s *grpc.Server) { s.RegisterService(&desc, nil) }, nil, grpc.WithStatsHandler(between{wait}))
				s, err := cc.NewStream(t.Context(), &grpc.StreamDesc{ServerStreams: true, ClientStreams: true},
					"/test.Plain/Talk", grpc.CallContentSubtype("plain"))
				if err != nil {
					t.Fatal(err)
				}
				sent := make(chan error, 1)
				message := make([]byte, 2000) // which is pooled
				go func() { sent <- s.SendMsg(&message) }()
				if !c.meet {
					if err := <-sent; err != nil {
						t.Error(err)
					}
				}
				var reply []byte
				if err := s.RecvMsg(&reply); err != nil || len(reply) != len(message) {
					t.Error(len(reply), err)
				}
				close(received)
				if c.meet {
					if err := <-sent; err != nil {
						t.Error(err)
					}
				}
				if err := s.CloseSend(); err != nil {
					t.Error(err)
				}
				if err := s.RecvMsg(&reply); err != io.EOF {
					t.Error(err)
				}
			}) // both ends are closed: what could come back has
			if n := plainPool.forget(); n != c.lost {
				t.Errorf("%d buffers are lost, want %d", n, c.lost)
			}
			if n := plainPool.twice.Load(); n != 0 {
				t.Errorf("%d buffers were given back twice", n)
			}
		})
	}
}
