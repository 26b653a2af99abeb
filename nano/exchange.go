package nano

import (
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"reflect"
	"strings"
	"time"

	"github.com/zmylab/zmy/codec"
)

// Exchange is one request and its answer. It belongs to the goroutine that serves the request. Each
// step of serving is a method. Fields that a step sets for later steps are grouped in types of
// their own. Methods of these types take the call as a parameter.
type Exchange struct {
	call
	reading reading    // of the body
	format  format     // of the answer, once negotiated
	resume  resumption // where a stream begins
	answer  answer     // what is sent
	ending  ending
}

// call is what all steps share: the service, the connection, the request and its key.
type call struct {
	s     *Service
	w     http.ResponseWriter
	r     *http.Request
	ctx   exchangeContext
	key   Key
	trace string // the trace ID, once it was asked for

	read    bool // the body is read to its end, here or earlier
	limited bool // limitDrain's deadline is set
}

// ending is what End needs to tell the outcome of an exchange.
type ending struct {
	started time.Time   // set if the service has a budget
	done    func(error) // tells the breaker the outcome; nil if it was not asked
	failure error       // why an error, or a snapshot in its place, was sent
}

// exchangeContext is the request's context, with the exchange as a value. It is part of the
// exchange, so it takes no allocation of its own.
type exchangeContext struct {
	context.Context
	x *Exchange
}

type exchangeKey struct{}

func (c *exchangeContext) Value(key any) any {
	if _, ok := key.(exchangeKey); ok {
		return c.x
	}
	return c.Context.Value(key)
}

// FromContext returns the exchange that ctx belongs to, or nil if it belongs to none.
func FromContext(ctx context.Context) *Exchange {
	x, _ := ctx.Value(exchangeKey{}).(*Exchange)
	return x
}

// Context is the request's context, in which [FromContext] finds x.
func (x *Exchange) Context() context.Context { return &x.ctx }

// Request returns the request; its body belongs to the exchange.
func (x *Exchange) Request() *http.Request { return x.r }

// Header returns the header of the answer. It may be changed until the first byte of the answer is
// sent.
func (x *Exchange) Header() http.Header { return x.w.Header() }

// SetStatus sets the status of a successful answer, which is 200 otherwise: 201, 202, or 204, which
// has no body.
func (x *Exchange) SetStatus(status int) { x.answer.status = int32(status) }

// Key returns the tenant and the version that the request belongs to, see [WithKey].
func (x *Exchange) Key() Key { return x.key }

// Codec returns the codec and the media type of the answer, nil before they are negotiated. (Those
// of the request's body are not kept.) If the codec has no form for the answer, [Exchange.Reply]
// changes both.
func (x *Exchange) Codec() (codec.Codec, string) { return x.format.codec, x.format.media }

// Written reports whether the status of the answer was sent. From then on, an error can only be
// shown by cutting the connection.
func (x *Exchange) Written() bool { return x.answer.wrote }

func (q *call) clientGone() bool { return errors.Is(q.r.Context().Err(), context.Canceled) }

// log writes a record that names the request and its trace.
func (q *call) log(level slog.Level, msg string, args ...any) {
	l := cmp.Or(q.s.logger, slog.Default())
	if l.Enabled(&q.ctx, level) {
		l.Log(&q.ctx, level, "nano: "+msg, append(args, "method", q.r.Method, "path", q.r.URL.Path, "trace_id", q.traceID())...)
	}
}

// Handle returns a handler that serves f, for [http.ServeMux], chi and every other router that
// takes an [http.Handler].
func Handle[In, Out any](reg *codec.Registry, f func(context.Context, In) (Out, error), opts ...Option) http.Handler {
	return HandleBy(NewService(reg, opts...), f)
}

// HandleBy is [Handle] on a service that several handlers share.
func HandleBy[In, Out any](s *Service, f func(context.Context, In) (Out, error)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := Run(s, w, r, f); err != nil {
			s.Fail(w, r, err)
		}
	})
}

// Empty as In needs no body. A body that is sent must still be a readable message. Empty as Out
// writes none: the answer is 204 unless another status is set.
type Empty struct{}

// Run serves f for one request: it negotiates, admits, decodes, calls f, encodes and writes. If it
// returns an error, nothing was written but header fields, and the caller answers, by
// [Service.Fail] or by the framework's own means. If the answer has begun, Run panics with
// [http.ErrAbortHandler] instead.
func Run[In, Out any](s *Service, w http.ResponseWriter, r *http.Request, f func(context.Context, In) (Out, error)) (err error) {
	x := s.Begin(w, r)
	defer x.End(&err)
	_, nothing := any((*Out)(nil)).(*Empty)
	if !nothing {
		if err := x.NegotiateFor(reflect.TypeFor[Out]()); err != nil {
			return err
		}
	}
	if err := x.Admit(); err != nil {
		return x.orSnapshot(err)
	}
	var in In
	if err := x.Decode(target(&in)); err != nil {
		return err
	}
	x.keepHeader()
	out, err := f(&x.ctx, in)
	if err != nil {
		return err
	}
	if nothing {
		x.nothing()
		return nil
	}
	return x.orSnapshot(x.Reply(reference(&out)))
}

// target returns the pointer to decode into: in, or, if T is a pointer, a new value that *in then
// points to.
func target[T any](in *T) any {
	t := reflect.TypeFor[T]()
	if t.Kind() != reflect.Pointer {
		return in
	}
	v := reflect.New(t.Elem())
	*in, _ = v.Interface().(T)
	return *in
}

// reference returns v, or *v if T is a pointer, a map or an interface. In either case the
// conversion to an interface copies no large value.
func reference[T any](v *T) any {
	switch reflect.TypeFor[T]().Kind() {
	case reflect.Pointer, reflect.Map, reflect.Interface:
		return *v
	}
	return v
}

// TraceID returns the trace ID in the request's traceparent header (W3C Trace Context, section
// 3.2). Without exactly one valid header it returns a random ID, the same for the whole exchange.
func (x *Exchange) TraceID() string { return x.traceID() }

func (q *call) traceID() string {
	if q.trace == "" {
		q.trace = traceOf(q.r.Header["Traceparent"])
	}
	return q.trace
}

func traceOf(lines []string) string {
	if len(lines) == 1 {
		if id, ok := parseTraceparent(lines[0]); ok {
			return id
		}
	}
	var b [16]byte
	for i := range b { // an identifier, not a secret
		b[i] = byte(rand.Uint32())
	}
	return hex.EncodeToString(b[:])
}

// parseTraceparent returns the trace ID of a header version-traceid-parentid-flags. Versions after
// 00 may have more fields after a further dash.
func parseTraceparent(s string) (string, bool) {
	const size = 2 + 1 + 32 + 1 + 16 + 1 + 2
	if len(s) < size || s[2] != '-' || s[35] != '-' || s[52] != '-' {
		return "", false
	}
	version, id, parent, flags := s[:2], s[3:35], s[36:52], s[53:55]
	if !lowerHex(version) || !lowerHex(id) || !lowerHex(parent) || !lowerHex(flags) || version == "ff" {
		return "", false
	}
	if len(s) > size && (version == "00" || s[size] != '-') {
		return "", false
	}
	if strings.Trim(id, "0") == "" || strings.Trim(parent, "0") == "" {
		return "", false
	}
	return id, true
}

func lowerHex(s string) bool { return strings.Trim(s, "0123456789abcdef") == "" }
