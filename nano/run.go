package nano

import (
	"context"
	"net/http"
	"reflect"

	"github.com/zmylab/zmy/codec"
)

// Handle serves f: for [http.ServeMux], chi and whatever else takes an [http.Handler].
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

// Empty as In takes no body, as Out gives none: the answer is 204 unless another status is set.
type Empty struct{}

// Run negotiates, admits, decodes, calls f, encodes and writes. An error that it returns
// is still to be answered, by [Service.Fail] or the framework's own means: nothing was written but header
// fields. Where the answer has begun it panics with [http.ErrAbortHandler] instead.
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

// target returns what to decode into: in, or what it is made to point to.
func target[T any](in *T) any {
	t := reflect.TypeFor[T]()
	if t.Kind() != reflect.Pointer {
		return in
	}
	v := reflect.New(t.Elem())
	*in, _ = v.Interface().(T)
	return *in
}

// reference returns v, or what it points to where that is a reference itself: either way
// making an interface of it copies nothing.
func reference[T any](v *T) any {
	switch reflect.TypeFor[T]().Kind() {
	case reflect.Pointer, reflect.Map, reflect.Interface:
		return *v
	}
	return v
}
