package nano

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"math/rand/v2"
	"mime"
	"net/http"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/zmylab/zmy/codec"
)

// StreamOptions are options of [ReadStream]. A field that is zero has the value that its comment
// begins with.
type StreamOptions struct {
	Client   *http.Client  // http.DefaultClient; a Client with a Timeout ends every stream after it
	MaxFrame int           // 4 MiB + 1 KiB: largest frame in bytes; a larger one is an error
	Attempts int           // 5: how many attempts in a row to resume a lost stream may bring no new frame
	Backoff  time.Duration // 100 ms: pause before the first attempt; doubled each time up to 50 times that, ± half
	Idle     time.Duration // 0, no limit: a stream without a frame or sign of life for so long counts as lost
}

func (o StreamOptions) withDefaults() StreamOptions {
	o.Client = cmp.Or(o.Client, http.DefaultClient)
	o.MaxFrame = cmp.Or(o.MaxFrame, 4<<20+1<<10)
	o.Attempts = cmp.Or(o.Attempts, 5)
	o.Backoff = cmp.Or(o.Backoff, 100*time.Millisecond)
	return o
}

// FaultError takes the place of an element that the server could not encode. The stream goes on.
type FaultError struct {
	Seq     uint64
	Problem *Problem
}

func (e *FaultError) Error() string {
	return fmt.Sprintf("nano: element %d of the stream: %d %s: %s", e.Seq, e.Problem.Status, e.Problem.title(), e.Problem.Detail)
}

// StreamError is the error that ends a stream early.
type StreamError struct {
	Last uint64 // number of the last frame received
	Err  error  // a *Problem of the server; [ErrTruncated] with its cause; [ErrSequence]; [ErrFrame]; the context's error
}

func (e *StreamError) Error() string {
	return fmt.Sprintf("nano: stream after frame %d: %v", e.Last, e.Err)
}

// Unwrap returns the cause.
func (e *StreamError) Unwrap() error { return e.Err }

// ReadStream reads a stream of [HandleStream] element by element. It checks that no frame is
// missing, repeated or torn, and that the stream has an end. If the connection is lost, or the
// server answers 429, 502, 503 or 504, ReadStream asks for the rest if the stream can be resumed.
//
// newRequest makes the request, with its body, anew for each attempt. Unless it sets Accept,
// ReadStream asks for the media types of streams of reg. A *[FaultError] takes the place of an
// element, and the loop may go on. Any other error is a *[StreamError], and is the last value.
func ReadStream[Out any](reg *codec.Registry, newRequest func() (*http.Request, error), o StreamOptions) iter.Seq2[Out, error] {
	return func(yield func(Out, error) bool) {
		s := &streamReader{reg: reg, newRequest: newRequest, of: reflect.TypeFor[Out](), o: o.withDefaults()}
		for {
			err := readOnce(s, yield)
			if err == nil {
				return
			}
			if err = s.again(err); err != nil {
				var none Out
				yield(none, &StreamError{s.last, err})
				return
			}
		}
	}
}

// streamReader is the state of a stream across its connections.
type streamReader struct {
	reg        *codec.Registry
	newRequest func() (*http.Request, error)
	of         reflect.Type // the type of elements
	o          StreamOptions
	ctx        context.Context // of the last request
	token      string          // to resume with, "" if that is impossible
	last       uint64          // number of the last frame received
	lost       int             // connections in a row that brought no frame
}

// lostError is an error after which the stream may be resumed.
type lostError struct {
	err   error
	after time.Duration // least time to wait before the next attempt
}

func (e *lostError) Error() string   { return e.err.Error() }
func (e *lostError) Unwrap() []error { return []error{ErrTruncated, e.err} }

// again waits until the next attempt is due. If there is to be none, it returns the error that ends
// the stream.
func (s *streamReader) again(err error) error {
	var lost *lostError
	if !errors.As(err, &lost) {
		return err
	}
	if s.ctx != nil && s.ctx.Err() != nil {
		return context.Cause(s.ctx)
	}
	if s.token == "" {
		return fmt.Errorf("%w (it cannot be resumed)", err)
	}
	if s.lost >= s.o.Attempts {
		return fmt.Errorf("%w (%d attempts to resume brought nothing)", err, s.lost)
	}
	wait := s.o.Backoff << min(s.lost, 10)
	wait = min(wait, 50*s.o.Backoff)
	wait = wait/2 + rand.N(wait+1)
	s.lost++
	t := time.NewTimer(max(wait, lost.after))
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-s.ctx.Done():
		return context.Cause(s.ctx)
	}
}

// readOnce reads frames from one connection. It returns nil if the stream has ended or if the loop
// over it was left.
func readOnce[Out any](s *streamReader, yield func(Out, error) bool) error {
	req, err := s.newRequest()
	if err != nil {
		return err
	}
	s.ctx = req.Context()
	ctx, cancel := context.WithCancelCause(s.ctx)
	defer cancel(nil)
	idle := s.watch(cancel)
	defer idle.pause()
	resp, err := s.open(req.WithContext(ctx))
	if err != nil {
		return explain(ctx, err)
	}
	defer func() { _ = resp.Body.Close() }() // it was only read
	c, lines, err := s.streamCodec(resp.Header.Get("Content-Type"))
	if err != nil {
		return err
	}
	frames := newFrameReader(resp.Body, lines, s.o.MaxFrame)
	for {
		f, err := frames.next()
		if err != nil {
			return explain(ctx, readError(err))
		}
		if f.kind == frameSign {
			idle.resume()
			continue
		}
		idle.pause() // the time of the loop's body does not count
		if f.seq != s.last+1 {
			return fmt.Errorf("%w: %d after %d", ErrSequence, f.seq, s.last)
		}
		s.last, s.lost = f.seq, 0
		if f.kind == frameComplete || f.kind == frameFailed {
			s.last--
			idle.resume()
			return f.ended(frames)
		}
		v, err := frameValue[Out](c, f)
		if !yield(v, err) {
			return nil
		}
		idle.resume()
		var fault *FaultError
		if err != nil && !errors.As(err, &fault) {
			return nil // this error was yielded as the last value
		}
	}
}

// frameValue returns the element of a data frame, or the error of a fault frame.
func frameValue[Out any](c codec.Codec, f frame) (v Out, err error) {
	if f.kind == frameFault {
		p, err := f.problem()
		if err != nil {
			return v, &StreamError{f.seq - 1, err}
		}
		return v, &FaultError{f.seq, p}
	}
	if err := c.Unmarshal(f.payload, &v); err != nil {
		return v, &StreamError{f.seq - 1, err}
	}
	return v, nil
}

// readError makes a lostError of an error of frameReader, unless the bytes themselves are wrong.
func readError(err error) error {
	if errors.Is(err, ErrFrame) || errors.Is(err, codec.ErrTooLarge) {
		return err
	}
	return &lostError{err: unexpected(err)}
}

// ended returns the outcome of a stream whose last frame is f. It is an error if bytes follow.
func (f frame) ended(frames *frameReader) error {
	if f.kind == frameFailed {
		p, err := f.problem()
		if err != nil {
			return err
		}
		if passing(p.Status) {
			return &lostError{err: p}
		}
		return p
	}
	if _, err := frames.r.ReadByte(); err == nil {
		return fmt.Errorf("%w: bytes behind the end of the stream", ErrFrame)
	}
	return nil // an error of the connection does no harm any more
}

func passing(status int) bool {
	return status == http.StatusBadGateway || status == http.StatusServiceUnavailable || status == http.StatusGatewayTimeout
}

// open sends the request. It returns an error unless the answer is a stream.
func (s *streamReader) open(req *http.Request) (*http.Response, error) {
	if req.Header.Get("Accept") == "" {
		_, types := streams(s.reg, s.of)
		req.Header.Set("Accept", strings.Join(types, ", "))
	}
	if s.token != "" {
		req.Header.Set(ResumeToken, s.token)
		req.Header.Set(LastSequence, strconv.FormatUint(s.last, 10))
	}
	resp, err := s.o.Client.Do(req)
	if err != nil {
		return nil, &lostError{err: err}
	}
	if resp.StatusCode < 200 || resp.StatusCode > 299 {
		defer func() { _ = resp.Body.Close() }()
		return nil, refused(resp)
	}
	s.token = resp.Header.Get(ResumeToken)
	return resp, nil
}

// refused returns the error for an answer that is not a stream.
func refused(resp *http.Response) error {
	p := &Problem{}
	if media, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type")); media == ProblemType {
		b, err := io.ReadAll(io.LimitReader(resp.Body, 64<<10))
		if err != nil || json.Unmarshal(b, p) != nil {
			p = &Problem{}
		}
	}
	p.Status = resp.StatusCode
	if passing(p.Status) || p.Status == http.StatusTooManyRequests {
		seconds, _ := strconv.Atoi(resp.Header.Get("Retry-After")) // a date is ignored
		p.RetryAfter = time.Duration(max(0, min(seconds, 3600))) * time.Second
		return &lostError{err: p, after: p.RetryAfter}
	}
	return p
}

// streamCodec returns the codec for a media type of streams, and whether the frames are lines.
func (s *streamReader) streamCodec(contentType string) (c codec.Codec, lines bool, err error) {
	media, _, err := mime.ParseMediaType(contentType)
	if err != nil {
		return nil, false, fmt.Errorf("nano: Content-Type %q: %w", contentType, err)
	}
	codecs, types := streams(s.reg, s.of)
	for i, t := range types {
		if t == media {
			return codecs[i], t == ndjson, nil
		}
	}
	return nil, false, fmt.Errorf("nano: Content-Type %q is no stream of %s: %w", media, strings.Join(types, ", "), codec.ErrNotRegistered)
}

// idleWatch cancels a request if no frame comes for a while. A nil idleWatch does nothing.
type idleWatch struct {
	t *time.Timer
	d time.Duration
}

var errIdle = errors.New("no frame for too long")

func (s *streamReader) watch(cancel context.CancelCauseFunc) *idleWatch {
	d := s.o.Idle
	if d <= 0 {
		return nil
	}
	return &idleWatch{time.AfterFunc(d, func() { cancel(&lostError{err: fmt.Errorf("%w: %v", errIdle, d)}) }), d}
}

func (w *idleWatch) pause() {
	if w != nil {
		w.t.Stop()
	}
}

func (w *idleWatch) resume() {
	if w != nil {
		w.t.Reset(w.d)
	}
}

// explain returns err or, if an idleWatch has canceled ctx, the error that says so.
func explain(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); errors.Is(cause, errIdle) {
		return cause
	}
	return err
}
