package echox

import (
	"context"
	"iter"
	"net/http"

	"github.com/labstack/echo/v5"

	"github.com/zmylab/zmy/nano"
)

// Option changes how a handler works with Echo.
type Option func(*settings)

type settings struct {
	service  *nano.Service
	fail     func(*echo.Context, error)
	validate func(*echo.Context, any) error
}

// WithErrors makes the function answer write the answers to errors, instead of [nano.Service.Fail].
// If answer writes nothing, Echo's error handler answers. Header fields such as Retry-After are not
// set before answer is called; [nano.AsProblem] of the error has them.
func WithErrors(answer func(*echo.Context, error)) Option {
	return func(s *settings) { s.fail = answer }
}

// LeaveErrors leaves errors to Echo's error handler, with their status and, from 400 to 499, their
// detail. That handler does not send the members of the problem document, nor header fields such as
// Accept-Post and Retry-After; [nano.AsProblem] has them all.
func LeaveErrors() Option { return WithErrors(func(*echo.Context, error) {}) }

// WithValidator validates decoded values with v instead of Echo's own [echo.Echo.Validator]. With
// nil they are not validated.
func WithValidator(v echo.Validator) Option {
	return func(s *settings) {
		s.validate = func(_ *echo.Context, value any) error {
			if v == nil {
				return nil
			}
			return v.Validate(value)
		}
	}
}

func settingsOf(s *nano.Service, opts []Option) *settings {
	out := &settings{
		service:  s,
		fail:     func(c *echo.Context, err error) { s.Fail(c.Response(), c.Request(), err) },
		validate: validate,
	}
	for _, o := range opts {
		o(out)
	}
	return out
}

// Handle returns f as a handler of Echo; see [nano.Run] for what it does.
func Handle[In, Out any](s *nano.Service, f func(context.Context, In) (Out, error), opts ...Option) echo.HandlerFunc {
	o := settingsOf(s, opts)
	return func(c *echo.Context) error {
		return o.answer(c, nano.Run(s, c.Response(), request(c), func(ctx context.Context, in In) (out Out, err error) {
			if err := o.valid(c, &in); err != nil {
				return out, err
			}
			return f(context.WithValue(ctx, echoKey{}, c), in)
		}))
	}
}

// HandleStream returns f as a handler of Echo. The elements that f yields become the frames of a
// stream; see [nano.RunStream].
func HandleStream[In, Out any](s *nano.Service, f func(context.Context, In) iter.Seq2[Out, error], opts ...Option) echo.HandlerFunc {
	o := settingsOf(s, opts)
	return func(c *echo.Context) error {
		return o.answer(c, nano.RunStream(s, c.Response(), request(c), func(ctx context.Context, in In) iter.Seq2[Out, error] {
			if err := o.valid(c, &in); err != nil {
				return func(yield func(Out, error) bool) {
					var none Out
					yield(none, err)
				}
			}
			return f(context.WithValue(ctx, echoKey{}, c), in)
		}))
	}
}

func (o *settings) valid(c *echo.Context, v any) error {
	if err := o.validate(c, v); err != nil {
		return &nano.Problem{Status: http.StatusBadRequest, Title: "Invalid Value", Detail: err.Error(), Err: err}
	}
	return nil
}

// answer answers err, unless it is nil. Nothing must have been written before.
func (o *settings) answer(c *echo.Context, err error) error {
	if err == nil {
		return nil
	}
	if o.fail(c, err); answered(c) != 0 {
		return err
	}
	p := nano.AsProblem(err)
	return withStatus(p.Status, p.Detail, err)
}

type echoKey struct{}
