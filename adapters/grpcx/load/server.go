package load

import (
	"errors"
	"net"
	"runtime"

	"google.golang.org/grpc"
	_ "google.golang.org/grpc/encoding/gzip" // the compressor of that name
)

// Server serves the calls that are measured.
type Server struct {
	srv  *grpc.Server
	done chan error
}

// NewServer starts a server on l, which runs until Stop. window is the size in bytes of the
// flow-control window of each stream. connWindow is that of each connection, at least window. If
// window is 0, gRPC chooses both, and connWindow is ignored.
func NewServer(l net.Listener, window, connWindow int) (*Server, error) {
	if err := Register(); err != nil {
		return nil, err
	}
	opts := []grpc.ServerOption{grpc.MaxRecvMsgSize(maxMessage), grpc.MaxSendMsgSize(maxMessage)}
	if window > 0 {
		opts = append(opts, grpc.StaticStreamWindowSize(int32(window)), grpc.StaticConnWindowSize(int32(max(window, connWindow))))
	}
	s := &Server{grpc.NewServer(opts...), make(chan error, 1)}
	s.srv.RegisterService(control(), nil)
	for _, f := range forms() {
		s.srv.RegisterService(f.desc(), nil)
	}
	go func() { s.done <- s.srv.Serve(l) }()
	return s, nil
}

// Stop ends all calls and returns when the server has ended.
func (s *Server) Stop() error {
	s.srv.Stop()
	err := <-s.done
	s.done <- err
	if errors.Is(err, grpc.ErrServerStopped) {
		return nil
	}
	return err
}

// Settle makes the garbage collector run as often as in a program that uses some 64 MiB. A program
// that uses a few kilobytes collects every few hundred calls, and that would dominate the
// measurement. The effect lasts until end is called.
func Settle() (end func()) {
	ballast := make([]byte, 64<<20) // never touched, so it takes no resident memory
	return func() { runtime.KeepAlive(ballast) }
}
