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

// Binder is an In that takes more than the body from a request, by
// [http.Request.PathValue], the query or the header. Bind runs after the body was decoded,
// on a pointer to In. A [Problem] that it returns is the answer; another error is
// answered with 400 without its text.
type Binder interface {
	Bind(r *http.Request) error
}

// Decode fills v, a non-nil pointer, from the request: from a value of the same type that was
// decoded earlier (see [DecodeFirst]), else from the body by its Content-Type; then v's method Bind
// has the rest. Errors are problems:
//
//	400 the body is not a message of that codec, is cut short, or is missing
//	408 the client is too slow
//	413 the body is larger than the limit
//	415 no codec for the Content-Type (fields Accept and Accept-Post or Accept-Patch
//	    say which there are), another charset than UTF-8, or a Content-Encoding but gzip
//
// A request without a body leaves v as it is where the method is not POST, PUT or PATCH,
// where v is a Binder, or where its type has no fields.
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
		return q.withoutBody(v)
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
	defer buf.Release() // a codec keeps no reference to what it reads
	if len(buf.B) == 0 && q.r.ContentLength < 0 && !mustHaveBody(q.r.Method, v) {
		return nil
	}
	if err := q.unmarshal(f.codec, buf.B, v); err != nil {
		return q.badBody(reflect.TypeOf(v), f, err)
	}
	return nil
}

func (q *call) withoutBody(v any) error {
	if mustHaveBody(q.r.Method, v) {
		return Problemf(http.StatusBadRequest, "the request has no body")
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

// badBody returns the answer to a body that f's codec did not unmarshal into a t. It tells where and
// why in words of the format. Names of Go types and texts of unknown errors are not sent.
func (q *call) badBody(t reflect.Type, f format, err error) error {
	var own *Problem
	if errors.As(err, &own) { // of a type's own method
		return own
	}
	switch class := codec.ClassOf(err); {
	case class == codec.ClassLimit:
		return &Problem{Status: http.StatusRequestEntityTooLarge, Detail: "the message is larger or deeper than the codec's limits",
			Err: err}
	case class == codec.ClassPanic: // of a codec that is guarded: the server's fault
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
		if errors.Is(err, zmy.ErrMethod) { // the text of a method, which may say anything
			p.Detail = "the body has a value that is refused"
		}
	case errors.Is(err, io.ErrUnexpectedEOF):
		p.Detail += ": it ends too early"
	}
	return p
}

func (p *Problem) at(offset int64) { p.Offset = &offset }

// decoded is a value that was decoded from a request, in the context of what runs behind
// it; next leads to values of other types.
type decoded struct {
	v    any // a pointer
	next *decoded
}

type decodedKey struct{}

// ContextWithDecoded returns a context in which [Decoded] and [Exchange.Decode] find v, so that
// what runs under it does not decode the body again.
func ContextWithDecoded[T any](ctx context.Context, v *T) context.Context {
	next, _ := ctx.Value(decodedKey{}).(*decoded)
	return context.WithValue(ctx, decodedKey{}, &decoded{v, next})
}

// Decoded returns the value of type T that was decoded from the request of ctx: by the handler
// at work, or before it. It belongs to the request: a change is seen by all its users.
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

// DecodeFirst is middleware that decodes the body into a T and hands the request on: every layer
// behind it (authorization, [Handle] with In = T, a gateway to a binary service) has the value by
// [Decoded] and none parses again. A layer behind it that wants another type than T or [Empty]
// finds the body read.
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
// [Exchange.Decode] find v in the context of x. It is for middleware of frameworks; v's method Bind
// is left to Decode.
func (x *Exchange) DecodeFirst(v any) error {
	if err := x.reading.decode(&x.call, v); err != nil {
		return err
	}
	next, _ := x.ctx.Context.Value(decodedKey{}).(*decoded)
	x.ctx.Context = context.WithValue(x.ctx.Context, decodedKey{}, &decoded{v, next})
	return nil
}

// decoded reports whether the body was decoded before, and so read.
func (q *call) decoded() bool { return q.ctx.Context.Value(decodedKey{}) != nil }

// reuse copies a value of v's type that was decoded before into v. [Empty] is what is left of a
// body that was decoded as anything else.
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
