package load

import (
	"context"
	"encoding/json"
	"io"
	"runtime"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/zmylab/zmy/adapters/grpcx/load/msg"
)

// The service that reports on the server's process. Its messages are raw.
const (
	controlService = "zmy.load.Control"
	pingMethod     = "/" + controlService + "/Ping"
	usageMethod    = "/" + controlService + "/Usage"
	garbageMethod  = "/" + controlService + "/CollectGarbage"
)

func rawMethod(name string, answer func() ([]byte, error)) grpc.MethodDesc {
	return grpc.MethodDesc{MethodName: name, Handler: func(_ any, _ context.Context, dec func(any) error,
		_ grpc.UnaryServerInterceptor) (any, error) {
		if err := dec(new(raw)); err != nil {
			return nil, err
		}
		b, err := answer()
		return &raw{b}, err
	}}
}

// control returns the description of the control service.
func control() *grpc.ServiceDesc {
	return &grpc.ServiceDesc{ServiceName: controlService, HandlerType: (*any)(nil), Methods: []grpc.MethodDesc{
		rawMethod("Ping", func() ([]byte, error) { return nil, nil }),
		rawMethod("Usage", func() ([]byte, error) { return json.Marshal(ThisProcess()) }),
		rawMethod("CollectGarbage", func() ([]byte, error) { runtime.GC(); return nil, nil }),
	}}
}

// desc returns the description of the service of a codec.
func (f *form) desc() *grpc.ServiceDesc {
	return &grpc.ServiceDesc{
		ServiceName: f.service(), HandlerType: (*any)(nil),
		Methods: []grpc.MethodDesc{{MethodName: Unary.method(),
			Handler: func(_ any, _ context.Context, dec func(any) error, _ grpc.UnaryServerInterceptor) (any, error) {
				return f.answer(dec)
			}}},
		Streams: []grpc.StreamDesc{
			{StreamName: ServerStream.method(), ServerStreams: true, Handler: f.list},
			{StreamName: ClientStream.method(), ClientStreams: true, Handler: f.collect},
			{StreamName: BidiStream.method(), ServerStreams: true, ClientStreams: true, Handler: f.talk},
		},
	}
}

// answer receives a message and returns the server's own copy of the same message.
func (f *form) answer(receive func(any) error) (any, error) {
	h, err := f.receive(receive)
	if err != nil {
		return nil, err
	}
	s, err := f.sources(int(h.Size), h.Blob)
	if err != nil {
		return nil, err
	}
	return s.sent[h.Variant], nil
}

// receive receives a message into a target and checks it.
func (f *form) receive(receive func(any) error) (msg.Head, error) {
	target := f.target()
	defer f.release(target)
	if err := receive(target); err != nil {
		return msg.Head{}, err
	}
	h, err := f.check(target)
	if err != nil {
		err = status.Error(codes.DataLoss, err.Error())
	}
	return h, err
}

// list sends as many messages as the request asks for.
func (f *form) list(_ any, s grpc.ServerStream) error {
	h, err := f.receive(s.RecvMsg)
	if err != nil {
		return err
	}
	from, err := f.sources(int(h.Size), h.Blob)
	if err != nil {
		return err
	}
	for i := range h.Count {
		if err := s.SendMsg(from.sent[i%msg.Variants]); err != nil {
			return err
		}
	}
	return nil
}

// collect counts the messages that arrive, and answers with the number.
func (f *form) collect(_ any, s grpc.ServerStream) error {
	for n := uint64(0); ; n++ {
		switch _, err := f.receive(s.RecvMsg); {
		case err == io.EOF:
			return s.SendMsg(f.send(counted(n)))
		case err != nil:
			return err
		}
	}
}

// counted returns the smallest message, with Count n.
func counted(n uint64) *msg.Message {
	m := msg.New(0, msg.MinSize, true)
	m.Count = n
	return m
}

// talk answers each message.
func (f *form) talk(_ any, s grpc.ServerStream) error {
	for {
		m, err := f.answer(s.RecvMsg)
		switch {
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		}
		if err := s.SendMsg(m); err != nil {
			return err
		}
	}
}
