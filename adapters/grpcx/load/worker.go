package load

import (
	"context"
	"errors"
	"io"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/zmylab/zmy/adapters/grpcx/load/msg"
	"github.com/zmylab/zmy/internal/openloop"
)

const (
	// hopeless is how many failures in a row end a worker: more calls would fail too.
	hopeless = 10
	// overtime is how long calls may take beyond the end.
	overtime = time.Minute
	// ahead bounds the unanswered messages of a stream both ways, in bytes. At least 2 and at most
	// 64 messages may be unanswered, whatever their size. The bound is larger than the largest
	// flow-control window of the full matrix.
	ahead = 32 << 20
)

// worker is one of the Cell.Streams workers that share a connection. It makes unary calls one after
// the other, or sends and receives the messages of one stream at a time.
type worker struct {
	c    Cell
	f    *form
	to   string // the full name of the method
	cc   *grpc.ClientConn
	from *source
	end  time.Time

	// The results.
	n      int64
	began  time.Time
	last   time.Time // when the last message had arrived
	times  *openloop.Histogram
	errors map[string]int
	row    int // failures in a row
}

// newWorkers returns c.Streams workers. It allocates the memory for their results, so that the
// allocation is not part of the measurement.
func newWorkers(c Cell, f *form, cc *grpc.ClientConn, from *source) []*worker {
	all := make([]*worker, c.Streams)
	for i := range all {
		all[i] = &worker{c: c, f: f, to: f.method(c.Kind), cc: cc, from: from, times: newTimes(), errors: map[string]int{}}
	}
	return all
}

// run sends until the end and then waits for what is under way. If a stream breaks, run opens a new
// one.
func (w *worker) run(ctx context.Context) {
	w.began = time.Now()
	w.last = w.began
	calls, cancel := context.WithDeadline(ctx, w.end.Add(overtime))
	defer cancel()
	call := [...]func(context.Context) error{w.unary, w.list, w.collect, w.talk}[w.c.Kind]
	for more := true; more && w.row < hopeless; more = time.Now().Before(w.end) {
		before := w.n
		err := call(calls)
		if w.n > before {
			w.row = 0
		}
		switch {
		case ctx.Err() != nil:
			return
		case err != nil:
			w.errors[class(err)]++
			w.row++
		case w.c.Kind != Unary:
			return
		}
	}
}

// class returns a short name for an error.
func class(err error) string {
	switch {
	case errors.Is(err, errChanged):
		return "changed message"
	case errors.Is(err, errMissing):
		return "missing messages"
	}
	if c := status.Code(err); c != codes.Unknown {
		return c.String()
	}
	return "other"
}

// arrived counts a message.
func (w *worker) arrived(now time.Time) {
	w.n++
	w.last = now
}

// rate returns messages a second.
func (w *worker) rate() float64 {
	end := w.last
	if w.row > 0 { // the last calls failed, and their time counts too
		end = w.end
	}
	if w.n == 0 || !end.After(w.began) {
		return 0
	}
	return float64(w.n) / end.Sub(w.began).Seconds()
}

// receive receives a message and checks it.
func (w *worker) receive(from func(any) error) (msg.Head, error) {
	target := w.f.target()
	defer w.f.release(target)
	if err := from(target); err != nil {
		return msg.Head{}, err
	}
	return w.f.check(target)
}

// unary makes one call.
func (w *worker) unary(ctx context.Context) error {
	variant := w.n % msg.Variants
	target := w.f.target()
	defer w.f.release(target)
	start := time.Now()
	if err := w.cc.Invoke(ctx, w.to, w.from.sent[variant], target); err != nil {
		return err
	}
	h, err := w.f.check(target)
	if err != nil || int64(h.Variant) != variant {
		return errChanged
	}
	now := time.Now()
	w.times.Record(int64(now.Sub(start)))
	w.arrived(now)
	return nil
}

func (w *worker) stream(ctx context.Context) (grpc.ClientStream, error) {
	k := w.c.Kind
	return w.cc.NewStream(ctx, &grpc.StreamDesc{ServerStreams: k != ClientStream, ClientStreams: k != ServerStream}, w.to)
}

// without returns err, or nil if err is io.EOF.
func without(err error) error {
	if err == io.EOF {
		return nil
	}
	return err
}

// list opens a stream from the server and asks for more messages than the server can send in the
// time of the measurement. When the time is over, list cancels the call.
func (w *worker) list(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s, err := w.stream(ctx)
	if err != nil {
		return err
	}
	if err := without(s.SendMsg(w.from.ask)); err != nil {
		return err
	}
	if err := s.CloseSend(); err != nil {
		return err
	}
	var before time.Time
	for i := int64(0); ; i++ {
		h, err := w.receive(s.RecvMsg)
		switch {
		case err == io.EOF:
			return errMissing // the server should not end the stream
		case err == nil && int64(h.Variant) != i%msg.Variants:
			return errChanged
		case err != nil:
			return err
		}
		now := time.Now()
		if i > 0 {
			w.times.Record(int64(now.Sub(before)))
		}
		before = now
		w.arrived(now)
		if !now.Before(w.end) {
			return nil
		}
	}
}

var errMissing = errors.New("fewer messages have arrived than were sent")

// collect sends until the end. The server answers how many messages have arrived.
func (w *worker) collect(ctx context.Context) error {
	s, err := w.stream(ctx)
	if err != nil {
		return err
	}
	n := int64(0)
	for start := time.Now(); n == 0 || start.Before(w.end); n++ {
		if err := s.SendMsg(w.from.sent[n%msg.Variants]); err == io.EOF {
			break // RecvMsg returns the reason
		} else if err != nil {
			return err
		}
		now := time.Now()
		w.times.Record(int64(now.Sub(start)))
		start = now
	}
	if err := s.CloseSend(); err != nil {
		return err
	}
	h, err := w.receive(s.RecvMsg)
	if err != nil {
		return err
	}
	w.n += int64(h.Count)
	w.last = time.Now()
	if int64(h.Count) != n {
		return errMissing
	}
	if _, err := w.receive(s.RecvMsg); err != io.EOF {
		return err
	}
	return nil
}

// talk sends messages while another goroutine receives the answers.
func (w *worker) talk(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s, err := w.stream(ctx)
	if err != nil {
		return err
	}
	sent, received := make(chan time.Time, min(max(ahead/w.c.Size, 2), 64)), make(chan error, 1)
	go func() {
		defer cancel() // a sender that is blocked must not wait for ever
		received <- w.answers(s, sent)
	}()
	for n := int64(0); n == 0 || time.Now().Before(w.end); n++ {
		select {
		case sent <- time.Now():
		case <-ctx.Done():
			return <-received
		}
		if err := without(s.SendMsg(w.from.sent[n%msg.Variants])); err != nil { // io.EOF: RecvMsg returns the reason
			cancel()
			<-received // its error is a consequence of err
			return err
		}
	}
	close(sent)
	if err := s.CloseSend(); err != nil {
		cancel()
		<-received
		return err
	}
	return <-received
}

// answers receives an answer for each message that was sent, in order, and then the end.
func (w *worker) answers(s grpc.ClientStream, sent <-chan time.Time) error {
	for i := int64(0); ; i++ {
		h, err := w.receive(s.RecvMsg)
		if err == io.EOF {
			if _, more := <-sent; more {
				return errMissing
			}
			return nil
		}
		if err == nil && int64(h.Variant) != i%msg.Variants {
			err = errChanged
		}
		if err != nil {
			return err
		}
		start, ok := <-sent
		if !ok {
			return errChanged // an answer to no message
		}
		now := time.Now()
		w.times.Record(int64(now.Sub(start)))
		w.arrived(now)
	}
}
