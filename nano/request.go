package nano

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"strings"

	"github.com/zmylab/zmy"
	"github.com/zmylab/zmy/codec"
	"github.com/zmylab/zmy/fxjson"
)

// Binder is an In that takes more than the body from a request: from [http.Request.PathValue], the
// query or the header. Bind is called on a pointer to In after the body was decoded. If it returns
// a [Problem] with a status below 500, that is the answer. Any other error is answered with 400,
// without its text.
type Binder interface {
	Bind(r *http.Request) error
}

// Decode fills v, a non-nil pointer, from the request. It copies a value of the same type that was
// decoded earlier (see [DecodeFirst]), or else decodes the body by its Content-Type. Then it calls
// v's method Bind, if v is a [Binder]. Errors are problems:
//
//	400 the body is not a message of its codec, is cut short or is missing, or the request has
//	    several fields Content-Type
//	408 the client is too slow
//	413 the body is larger than the limit, or the message exceeds a limit of the codec
//	415 there is no codec for the Content-Type, or that codec has no form for the type of v (fields
//	    Accept and Accept-Post or Accept-Patch list what would be accepted); the charset is neither
//	    UTF-8 nor US-ASCII; the Content-Encoding is not gzip
//	500 the codec panicked, and is guarded ([codec.Guarded])
//
// A request without a body leaves v as it is if the method is not POST, PUT or PATCH, if v is a
// Binder, or if its type is a struct without fields.
func (x *Exchange) Decode(v any) error {
	if x.reuse(v) {
		x.read = true
	} else if err := x.reading.decode(&x.call, v); err != nil {
		return err
	}
	x.reading.in = v
	if b, ok := v.(Binder); ok {
		if err := b.Bind(x.r); err != nil {
			return bindProblem(err)
		}
	}
	return nil
}

func bindProblem(err error) error {
	if p := problemOf(err); p.Status < 500 {
		return p
	}
	return &Problem{Status: http.StatusBadRequest, Detail: "the path, query or header of the request does not fit", Err: err}
}

func (d *reading) decode(q *call, v any) error {
	if q.r.Body == nil || q.r.Body == http.NoBody || q.r.ContentLength == 0 {
		if mustHaveBody(q.r.Method, v) {
			return Problemf(http.StatusBadRequest, "the request has no body")
		}
		return nil
	}
	f, err := q.bodyCodec(reflect.TypeOf(v))
	if err != nil {
		return err
	}
	if q.r.ContentLength > q.s.maxBody {
		return tooLarge(q.s.maxBody)
	}
	buf, err := d.readBody(q)
	if err != nil {
		return err
	}
	defer buf.Release() // codecs keep no reference to their input
	if len(buf.B) == 0 && q.r.ContentLength < 0 && !mustHaveBody(q.r.Method, v) {
		return nil
	}
	if err := f.unmarshal(buf.B, v); err != nil {
		return q.badBody(reflect.TypeOf(v), f, err)
	}
	return nil
}

func mustHaveBody(method string, v any) bool {
	switch method {
	case http.MethodPost, http.MethodPut, http.MethodPatch:
	default:
		return false
	}
	if _, ok := v.(Binder); ok {
		return false
	}
	t := reflect.TypeOf(v).Elem()
	return t.Kind() != reflect.Struct || t.NumField() > 0
}

func tooLarge(limit int64) *Problem {
	return Problemf(http.StatusRequestEntityTooLarge, "the body is larger than %d bytes", limit)
}

// badBody returns the answer to a body from which f's codec could not unmarshal a t. The answer
// says where the error is, and why, in terms of the format. Names of Go types and texts of unknown
// errors are not sent.
func (q *call) badBody(t reflect.Type, f format, err error) error {
	var own *Problem
	if errors.As(err, &own) { // returned by a method of the type
		return own
	}
	f = f.spelled()
	switch class := codec.ClassOf(err); {
	case class == codec.ClassLimit:
		return &Problem{Status: http.StatusRequestEntityTooLarge, Detail: "the message is larger or deeper than the codec's limits",
			Err: err}
	case class == codec.ClassPanic: // in a guarded codec: the server's fault
		return &Problem{Status: http.StatusInternalServerError, Err: err}
	case f.lacks(err):
		return q.bodyWithoutForm(t, f, err)
	}
	p := &Problem{Status: http.StatusBadRequest, Detail: "the body is not valid " + f.media, Err: err}
	var (
		syntax    *json.SyntaxError
		malformed *fxjson.MalformedError
		kind      *json.UnmarshalTypeError
		native    *zmy.DecodeError
	)
	switch {
	case errors.As(err, &syntax):
		p.Detail += ": " + strings.TrimPrefix(syntax.Error(), "json: ")
		p.at(syntax.Offset)
	case errors.As(err, &malformed):
		p.Detail += ": malformed"
		p.at(malformed.Offset)
	case errors.As(err, &kind):
		p.Detail = fmt.Sprintf("a JSON %s does not fit here", clip(kind.Value))
		p.Path = kind.Field
		p.at(kind.Offset)
	case errors.As(err, &native):
		p.Detail += ": " + native.Err.Error()
		p.Path = native.Path
		p.at(int64(native.Offset))
		if errors.Is(err, zmy.ErrMethod) { // the error of a method, whose text may say anything
			p.Detail = "the body has a value that is refused"
		}
	case errors.Is(err, io.ErrUnexpectedEOF):
		p.Detail += ": it ends too early"
	}
	return p
}

func (p *Problem) at(offset int64) { p.Offset = &offset }

// decoded is a value that was decoded from a request. It is kept in the context of the handlers
// that run after it. next leads to values of other types.
type decoded struct {
	v    any // a pointer
	next *decoded
}

type decodedKey struct{}

// ContextWithDecoded returns a context in which [Decoded] and [Exchange.Decode] find v. Handlers
// that get this context do not decode the body again.
func ContextWithDecoded[T any](ctx context.Context, v *T) context.Context {
	return withDecoded(ctx, v)
}

func withDecoded(ctx context.Context, v any) context.Context {
	next, _ := ctx.Value(decodedKey{}).(*decoded)
	return context.WithValue(ctx, decodedKey{}, &decoded{v, next})
}

// Decoded returns the value of type T that was decoded from the request of ctx, by the handler that
// is running or before it. The value is shared: everything that uses it sees a change.
func Decoded[T any](ctx context.Context) (*T, bool) {
	if x := FromContext(ctx); x != nil {
		if v, ok := x.reading.in.(*T); ok {
			return v, true
		}
	}
	d, _ := ctx.Value(decodedKey{}).(*decoded)
	for ; d != nil; d = d.next {
		if v, ok := d.v.(*T); ok {
			return v, true
		}
	}
	return nil, false
}

// DecodeFirst is middleware that decodes the body into a T before it calls next. All later
// middleware and handlers (authorization, [Handle] with In = T, a gateway to a binary service) get
// the value from [Decoded], so the body is parsed once. A later handler that decodes into another
// type than T or [Empty] finds the body already read.
func DecodeFirst[T any](s *Service, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		v := new(T)
		if err := s.decodeFirst(w, r, v); err != nil {
			s.Fail(w, r, err)
			return
		}
		next.ServeHTTP(w, r.WithContext(ContextWithDecoded(r.Context(), v)))
	})
}

func (s *Service) decodeFirst(w http.ResponseWriter, r *http.Request, v any) (err error) {
	x := s.Begin(w, r)
	defer x.End(&err)
	return x.DecodeFirst(v)
}

// DecodeFirst decodes the body into v, a non-nil pointer. From then on [Decoded] and
// [Exchange.Decode] find v in the context of x. It is meant for middleware of frameworks. It does
// not call v's method Bind; Decode does.
func (x *Exchange) DecodeFirst(v any) error {
	if err := x.reading.decode(&x.call, v); err != nil {
		return err
	}
	x.ctx.Context = withDecoded(x.ctx.Context, v)
	return nil
}

// decoded reports whether the body was decoded earlier, and so is read.
func (q *call) decoded() bool { return q.ctx.Context.Value(decodedKey{}) != nil }

// reuse copies a value of v's type that was decoded earlier into v, and reports whether there was
// one. [Empty] takes nothing from a body, so it fits any value that was decoded.
func (q *call) reuse(v any) bool {
	d, _ := q.ctx.Context.Value(decodedKey{}).(*decoded)
	if _, nothing := v.(*Empty); nothing && d != nil {
		return true
	}
	for ; d != nil; d = d.next {
		if reflect.TypeOf(d.v) == reflect.TypeOf(v) {
			reflect.ValueOf(v).Elem().Set(reflect.ValueOf(d.v).Elem())
			return true
		}
	}
	return false
}
