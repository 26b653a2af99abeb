package nano

import (
	"context"
	"fmt"
	"iter"
	"log/slog"
	"net/http"
	"reflect"
	"runtime/debug"
	"slices"
	"time"

	"github.com/zmylab/zmy/codec"
)

// HandleStream serves the elements of an iterator as a stream of frames (see frame.go and
// docs/guide/nano.md), in the codec that Accept asks for by its stream's media type
// ([StreamType]). Each element is sent as soon as it is there. The iterator ends the stream
// by returning, or with an error: before the first element that is the status, after it a
// frame that says that the stream has failed.
func HandleStream[In, Out any](reg *codec.Registry, f func(context.Context, In) iter.Seq2[Out, error], opts ...Option) http.Handler {
	return HandleStreamBy(NewService(reg, opts...), f)
}

// HandleStreamBy is [HandleStream] on a service that several handlers share.
func HandleStreamBy[In, Out any](s *Service, f func(context.Context, In) iter.Seq2[Out, error]) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := RunStream(s, w, r, f); err != nil {
			s.Fail(w, r, err)
		}
	})
}

// RunStream is [Run] for streams: an error that it returns is still to be answered.
func RunStream[In, Out any](s *Service, w http.ResponseWriter, r *http.Request, f func(context.Context, In) iter.Seq2[Out, error]) (err error) {
	x := s.Begin(w, r)
	defer x.End(&err)
	if err := x.negotiateStream(reflect.TypeFor[Out]()); err != nil {
		return err
	}
	if err := x.Admit(); err != nil {
		return x.orSnapshot(err)
	}
	if err := x.openResume(); err != nil {
		return err
	}
	var in In
	if err := x.Decode(target(&in)); err != nil {
		return err
	}
	x.keepHeader()
	return x.orSnapshot(ReplyStream(x, f(&x.ctx, in)))
}

// NegotiateStream is [Exchange.Negotiate] among the media types of streams.
func (x *Exchange) NegotiateStream() error { return x.negotiateStream(nil) }

// negotiateStream negotiates for a stream of elements of type t, any if nil.
func (x *Exchange) negotiateStream(t reflect.Type) error {
	if x.stream {
		return nil
	}
	x.varyByAccept()
	accept := x.r.Header["Accept"]
	codecs, types := streams(x.s.reg, t)
	i, err := codec.NegotiateAmong(types, accept...)
	if err != nil {
		return notAcceptable(accept, types, err)
	}
	x.codec, x.media, x.stream = codec.WithContext(&x.ctx, codecs[i]), types[i], true
	return nil
}

// streams returns the codecs of reg with different media types of streams of elements of type t,
// best first.
func streams(reg *codec.Registry, t reflect.Type) (codecs []codec.Codec, types []string) {
	add := func(c codec.Codec, err error) {
		if err != nil { // replaced meanwhile
			return
		}
		if t := StreamType(c); !slices.Contains(types, t) {
			codecs, types = append(codecs, c), append(types, t)
		}
	}
	if t != nil {
		add(reg.ForType(t))
	}
	for _, name := range reg.Names() {
		add(reg.Lookup(name))
	}
	return codecs, types
}

// ReplyStream sends the elements of seq, from where a client resumes that has a part of them. It returns an error while nothing was
// written; later ones end the stream with a failed frame, or, where the client has gone or
// cannot be written to, are an error after which only the connection can be cut.
func ReplyStream[Out any](x *Exchange, seq iter.Seq2[Out, error]) error {
	if err := x.negotiateStream(reflect.TypeFor[Out]()); err != nil {
		return err
	}
	if err := x.openResume(); err != nil {
		return err
	}
	w := &streamWriter{x: x, seq: x.resume.last, lines: x.media == ndjson, out: x.s.pool.Get(buffered), kept: x.record()}
	defer w.close()
	if x.r.Method == http.MethodHead {
		w.begin()
		return nil
	}
	err := pump(w, seq)
	w.pulse.stop() // what follows is this goroutine's alone
	if err == nil {
		return w.complete()
	}
	if !x.wrote || w.broken || x.clientGone() {
		return err
	}
	x.failure = err
	p := *problemOf(err)
	x.logProblem(&p)
	return w.end(frame{kind: frameFailed, payload: p.JSON()})
}

// pump sends elements until there is none, or an error; a panic of the iterator or of the
// codec becomes one.
func pump[Out any](w *streamWriter, seq iter.Seq2[Out, error]) (err error) {
	defer func() {
		if p := recover(); p != nil {
			if p == http.ErrAbortHandler {
				panic(p)
			}
			err = w.panicked(p)
		}
	}()
	passed := uint64(0)
	var element Out // one for all: codecs keep nothing of it
	for v, err := range seq {
		if err != nil {
			return err
		}
		if err := w.x.ctx.Err(); err != nil {
			return err
		}
		if passed < w.x.resume.last && !w.x.resume.taken {
			passed++
			continue
		}
		element = v
		if err := w.element(reference(&element)); err != nil {
			return err
		}
	}
	if passed < w.x.resume.last && !w.x.resume.taken {
		return Problemf(http.StatusRequestedRangeNotSatisfiable, "the stream has %d elements, %s is %d", passed, LastSequence, w.x.resume.last)
	}
	return w.x.ctx.Err()
}

// streamWriter numbers, frames and sends.
type streamWriter struct {
	x      *Exchange
	seq    uint64 // of the last frame
	lines  bool
	out    *codec.Buffer // frames that were not sent yet
	broken bool          // a write failed
	armed  time.Time     // when the write deadline was set, zero if it is not
	kept   recording     // for a snapshot
	pulse  pulse
}

func (w *streamWriter) panicked(p any) error {
	w.x.log(slog.LevelError, "panic", "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
	return &Problem{Status: http.StatusInternalServerError, Err: newPanicError(p), TraceID: w.x.TraceID(), logged: true}
}

// element encodes v and sends it. What cannot be encoded becomes a fault, unless it is the
// first: then the answer as a whole is an error.
func (w *streamWriter) element(v any) error {
	x := w.x
	deadline := x.deadline()
	buf, err := x.encode(v)
	if err == nil && len(buf.B) > x.s.maxFrame {
		err = fmt.Errorf("%w: %d bytes, limit %d", codec.ErrTooLarge, len(buf.B), x.s.maxFrame)
		buf.Release()
	}
	if err != nil {
		if w.seq == 0 && !x.wrote { // a resumed stream has sent its status long ago
			return err
		}
		return w.fault(err)
	}
	defer buf.Release()
	if err := x.late(deadline); err != nil {
		return err
	}
	if x.s.checker != nil {
		if err := x.s.checker.Check(x.r, http.StatusOK, x.media, v, buf.B); err != nil {
			return violation(err)
		}
	}
	return w.send(frame{kind: frameData, payload: buf.B})
}

func (w *streamWriter) fault(err error) error {
	p := *problemOf(err)
	p.Detail = "this element cannot be encoded"
	w.x.logProblem(&p)
	return w.send(frame{kind: frameFault, payload: p.JSON()})
}

// send appends a frame to what is to be sent, and sends it if that is enough.
func (w *streamWriter) send(f frame) error {
	w.pulse.mu.Lock()
	defer w.pulse.mu.Unlock()
	if f.kind == frameFault {
		w.kept.stop() // a stream with a hole is no good answer
	}
	w.append(f)
	if w.x.wrote && len(w.out.B) < w.x.s.flushBytes {
		w.pulse.gathers(w)
		return nil
	}
	return w.flush()
}

func (w *streamWriter) append(f frame) {
	w.seq++
	f.seq = w.seq
	w.out.B = appendFrame(w.out.B, w.lines, f)
}

// complete ends a stream that is whole.
func (w *streamWriter) complete() error {
	err := w.end(frame{kind: frameComplete})
	if err == nil {
		w.kept.keep()
	}
	return err
}

func (w *streamWriter) end(f frame) error {
	w.pulse.stop()
	w.append(f)
	return w.flush()
}

// flush sends all frames.
func (w *streamWriter) flush() error {
	w.begin()
	w.kept.add(w.out.B)
	err := w.write(w.out.B)
	w.out.B = w.out.B[:0]
	w.pulse.sent(w)
	return err
}

// write writes and flushes under one deadline.
func (w *streamWriter) write(b []byte) error {
	if w.broken {
		return &writeError{errBroken}
	}
	w.arm()
	_, err := w.x.w.Write(b)
	if err == nil {
		_, err = flush(w.x.w)
	}
	w.x.liftDrain()
	if err != nil {
		w.broken = true
		return &writeError{err}
	}
	if w.x.r.ProtoMajor != 1 { // the next element may take its time: see clearWriteDeadline
		w.disarm()
	}
	return nil
}

// arm sets the write deadline anew once a quarter of it has passed: it costs half a microsecond.
func (w *streamWriter) arm() {
	timeout := w.x.s.writeTimeout
	if timeout <= 0 {
		return
	}
	if now := time.Now(); w.armed.IsZero() || now.Sub(w.armed) > timeout/4 {
		setWriteDeadline(w.x.w, now.Add(timeout))
		w.armed = now
	}
}

func (w *streamWriter) disarm() {
	if !w.armed.IsZero() {
		w.x.clearWriteDeadline()
		w.armed = time.Time{}
	}
}

// begin sends the header once.
func (w *streamWriter) begin() {
	x := w.x
	if x.wrote {
		return
	}
	h := x.w.Header()
	h["Content-Type"] = x.field(fieldType, x.media)
	h.Del("Content-Length")
	if h["Cache-Control"] == nil {
		h.Set("Cache-Control", "no-store")
	}
	h.Set("X-Accel-Buffering", "no") // nginx would gather frames
	if x.resume.token != "" {
		h.Set(ResumeToken, x.resume.token)
	}
	x.sendStatus(x.statusOr(http.StatusOK))
}

func (w *streamWriter) close() {
	w.pulse.stop()
	w.disarm()
	w.kept.stop()
	if w.x.wrote {
		w.x.limitDrain()
	}
	w.out.Release()
}
