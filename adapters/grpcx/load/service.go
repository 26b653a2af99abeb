package load

import (
	"context"
	"encoding/binary"
	"io"
	"math/rand/v2"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
	"google.golang.org/grpc"
	"google.golang.org/grpc/encoding"
	"google.golang.org/grpc/mem"
)

// message is bytes. The request of a stream of responses is two numbers of 64 bits, how many there
// are to be and of how many bytes.
type message struct{ b []byte }

// codec carries messages as they are, so that what is measured is gRPC.
type codec struct{}

const codecName = "zmy-load"

func (codec) Name() string { return codecName }

func (codec) Marshal(v any) (mem.BufferSlice, error) {
	return mem.BufferSlice{mem.SliceBuffer(v.(*message).b)}, nil
}

func (codec) Unmarshal(data mem.BufferSlice, v any) error {
	m := v.(*message)
	if n := data.Len(); cap(m.b) < n {
		m.b = make([]byte, n)
	} else {
		m.b = m.b[:n]
	}
	data.CopyTo(m.b)
	return nil
}

// Register makes gRPC know the codec. It is called where the program starts, before Run.
func Register() { encoding.RegisterCodecV2(codec{}) }

// body is a message of n bytes of which every other sixteen are random, so that compressing has something
// to do.
func body(n int) []byte {
	r := rand.New(rand.NewPCG(uint64(n), 7))
	b := make([]byte, n)
	for i := 0; i+8 <= n; i += 8 {
		if i%32 < 16 {
			binary.LittleEndian.PutUint64(b[i:], r.Uint64())
		}
	}
	return b
}

const (
	echoMethod = "/zmy.Load/Echo"
	listMethod = "/zmy.Load/List"
	talkMethod = "/zmy.Load/Talk"
)

var desc = grpc.ServiceDesc{
	ServiceName: "zmy.Load", HandlerType: (*any)(nil),
	Methods: []grpc.MethodDesc{{MethodName: "Echo", Handler: func(_ any, ctx context.Context, dec func(any) error, _ grpc.UnaryServerInterceptor) (any, error) {
		m := new(message)
		return m, dec(m)
	}}},
	Streams: []grpc.StreamDesc{
		{StreamName: "List", ServerStreams: true, Handler: list},
		{StreamName: "Talk", ServerStreams: true, ClientStreams: true, Handler: talk},
	},
}

func list(_ any, s grpc.ServerStream) error {
	m := new(message)
	if err := s.RecvMsg(m); err != nil {
		return err
	}
	if len(m.b) < 16 {
		return io.ErrUnexpectedEOF
	}
	n := binary.LittleEndian.Uint64(m.b)
	m.b = body(int(min(binary.LittleEndian.Uint64(m.b[8:]), maxMessage)))
	for range n {
		if err := s.SendMsg(m); err != nil {
			return err
		}
	}
	return nil
}

func talk(_ any, s grpc.ServerStream) error {
	for {
		m := new(message) // the last one may still be on its way
		if err := s.RecvMsg(m); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		if err := s.SendMsg(m); err != nil {
			return err
		}
	}
}

// worker is one stream.
type worker struct {
	c     Config
	cc    *grpc.ClientConn
	n     int // messages
	times *hdrhistogram.Histogram
	body  []byte
}

func (w *worker) run(ctx context.Context) error {
	switch w.c.Kind {
	case ServerStream:
		return w.list(ctx)
	case BidiStream:
		return w.talk(ctx)
	}
	for range w.n {
		start := time.Now()
		if err := w.cc.Invoke(ctx, echoMethod, &message{w.body}, new(message)); err != nil {
			return err
		}
		w.took(start)
	}
	return nil
}

func (w *worker) took(start time.Time) {
	_ = w.times.RecordValue(min(int64(time.Since(start)), int64(time.Minute))) // within its range
}

// list asks for all of its messages at once.
func (w *worker) list(ctx context.Context) error {
	s, err := w.cc.NewStream(ctx, &desc.Streams[0], listMethod)
	if err != nil {
		return err
	}
	request := binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(nil, uint64(w.n)), uint64(w.c.Size))
	if err := s.SendMsg(&message{request}); err != nil {
		return err
	}
	if err := s.CloseSend(); err != nil {
		return err
	}
	m := new(message)
	for n := 0; ; n++ {
		start := time.Now()
		if err := s.RecvMsg(m); err == io.EOF && n == w.n {
			return nil
		} else if err != nil {
			return err
		}
		w.took(start)
	}
}

// underWay is how many messages of a stream both ways are sent ahead of their answers.
const underWay = 64

// talk sends, and another goroutine receives.
func (w *worker) talk(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s, err := w.cc.NewStream(ctx, &desc.Streams[1], talkMethod)
	if err != nil {
		return err
	}
	sent, received := make(chan time.Time, underWay), make(chan error, 1)
	go func() {
		defer cancel() // a sender that waits is not to wait for ever
		received <- w.receive(s, sent)
	}()
	for range w.n {
		select {
		case sent <- time.Now():
		case <-ctx.Done():
			return <-received
		}
		if err := s.SendMsg(&message{w.body}); err != nil && err != io.EOF { // io.EOF: why, receiving tells
			cancel()
			<-received
			return err
		}
	}
	if err := s.CloseSend(); err != nil {
		cancel()
		<-received
		return err
	}
	return <-received
}

func (w *worker) receive(s grpc.ClientStream, sent <-chan time.Time) error {
	m := new(message)
	for range w.n {
		if err := s.RecvMsg(m); err != nil {
			return err
		}
		w.took(<-sent)
	}
	if err := s.RecvMsg(m); err != io.EOF {
		return err
	}
	return nil
}
