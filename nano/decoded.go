package nano

import (
	"context"
	"net/http"
	"reflect"
)

// decoded is a value that was decoded from a request, in the context of what runs behind
// it; next are those of other types.
type decoded struct {
	v    any // a pointer
	next *decoded
}

type decodedKey struct{}

// ContextWithDecoded returns a context in which [Decoded] and [Exchange.Decode] find v, so that what
// runs under it does not decode the body again.
func ContextWithDecoded[T any](ctx context.Context, v *T) context.Context {
	next, _ := ctx.Value(decodedKey{}).(*decoded)
	return context.WithValue(ctx, decodedKey{}, &decoded{v, next})
}

// Decoded returns the value of type T that was decoded from the request of ctx: by the handler
// at work, or before it. It belongs to the request: who changes it changes it for all.
func Decoded[T any](ctx context.Context) (*T, bool) {
	if x := FromContext(ctx); x != nil {
		if v, ok := x.in.(*T); ok {
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

// DecodeFirst is middleware that decodes the body into a T and hands the request on: every
// layer behind it (authorization, [Handle] with In = T, a gateway to a binary service) has the
// value by [Decoded] and none parses again. Whoever behind it wants another type, [Empty] excepted, finds the body read.
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

// DecodeFirst decodes the body into v, a non-nil pointer, before whoever wants it: in the context of x, [Decoded] and [Exchange.Decode] find it
// from now on. It is for middleware of frameworks; v's method Bind is left to Decode.
func (x *Exchange) DecodeFirst(v any) error {
	if err := x.decodeBody(v); err != nil {
		return err
	}
	next, _ := x.ctx.Context.Value(decodedKey{}).(*decoded)
	x.ctx.Context = context.WithValue(x.ctx.Context, decodedKey{}, &decoded{v, next})
	return nil
}

// decoded reports whether the body was decoded before, and so read.
func (x *Exchange) decoded() bool { return x.ctx.Context.Value(decodedKey{}) != nil }

// reuse copies a value of v's type that was decoded before into v. [Empty] is what is left of a body that was decoded as
// anything else.
func (x *Exchange) reuse(v any) bool {
	d, _ := x.ctx.Context.Value(decodedKey{}).(*decoded)
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
