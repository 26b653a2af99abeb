package ginx

import (
	"context"
	"iter"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/gin-gonic/gin/binding"

	"github.com/zmylab/zmy/nano"
)

// Option changes how a handler works with Gin.
type Option func(*settings)

type settings struct {
	fail     func(*gin.Context, error)
	validate func(any) error
}

// WithErrors makes the function answer write the answers to errors, instead of [nano.Service.Fail].
// Header fields such as Retry-After are not set before answer is called; [nano.AsProblem] of the
// error has them.
func WithErrors(answer func(*gin.Context, error)) Option {
	return func(s *settings) { s.fail = answer }
}

// LeaveErrors leaves errors to middleware that answers from [gin.Context.Errors]. [nano.AsProblem]
// returns their status, header fields and document.
func LeaveErrors() Option { return WithErrors(func(*gin.Context, error) {}) }

// WithValidator validates decoded values with v instead of Gin's binding.Validator. With nil they
// are not validated.
func WithValidator(v binding.StructValidator) Option {
	return func(s *settings) {
		s.validate = nil
		if v != nil {
			s.validate = v.ValidateStruct
		}
	}
}

func settingsOf(s *nano.Service, opts []Option) *settings {
	out := &settings{
		fail:     func(c *gin.Context, err error) { s.Fail(c.Writer, c.Request, err) },
		validate: validate,
	}
	for _, o := range opts {
		o(out)
	}
	return out
}

// validate calls Gin's validator. It reads the variable each time, since a program may replace or
// remove the validator before it begins to serve.
func validate(v any) error {
	if binding.Validator == nil {
		return nil
	}
	return binding.Validator.ValidateStruct(v)
}

// Handle returns f as a handler of Gin; see [nano.Run] for what it does.
func Handle[In, Out any](s *nano.Service, f func(context.Context, In) (Out, error), opts ...Option) gin.HandlerFunc {
	o := settingsOf(s, opts)
	return func(c *gin.Context) {
		defer cut(c)
		o.answer(c, nano.Run(s, c.Writer, request(c), func(ctx context.Context, in In) (out Out, err error) {
			if err := o.valid(&in); err != nil {
				return out, err
			}
			return f(context.WithValue(ctx, ginKey{}, c), in)
		}))
	}
}

// HandleStream returns f as a handler of Gin. The elements that f yields become the frames of a
// stream; see [nano.RunStream].
func HandleStream[In, Out any](s *nano.Service, f func(context.Context, In) iter.Seq2[Out, error], opts ...Option) gin.HandlerFunc {
	o := settingsOf(s, opts)
	return func(c *gin.Context) {
		defer cut(c)
		o.answer(c, nano.RunStream(s, c.Writer, request(c), func(ctx context.Context, in In) iter.Seq2[Out, error] {
			if err := o.valid(&in); err != nil {
				return func(yield func(Out, error) bool) {
					var none Out
					yield(none, err)
				}
			}
			return f(context.WithValue(ctx, ginKey{}, c), in)
		}))
	}
}

func (o *settings) valid(v any) error {
	if o.validate == nil {
		return nil
	}
	if err := o.validate(v); err != nil {
		return &nano.Problem{Status: http.StatusBadRequest, Title: "Invalid Value", Detail: err.Error(), Err: err}
	}
	return nil
}

// answer answers err, unless it is nil. Nothing must have been written before.
func (o *settings) answer(c *gin.Context, err error) {
	if err == nil {
		return
	}
	_ = c.Error(err) // it returns err, wrapped
	c.Abort()
	o.fail(c, err)
}

// request returns Gin's request, with Gin's path parameters set as those of net/http.
func request(c *gin.Context) *http.Request {
	for _, p := range c.Params {
		c.Request.SetPathValue(p.Key, p.Value)
	}
	return c.Request
}

// cut makes the connection fail if the handler panics with http.ErrAbortHandler; the package
// documentation says why. Handlers whose answer may have to be cut off defer it.
func cut(c *gin.Context) {
	p := recover()
	if p == nil {
		return
	}
	if p == http.ErrAbortHandler { //nolint:errorlint // net/http compares it so
		// A writer without deadlines (a recorder in a test) has no client that could be misled.
		_ = http.NewResponseController(c.Writer).SetWriteDeadline(time.Unix(1, 0))
	}
	panic(p)
}

type ginKey struct{}

// Context returns the *gin.Context of the request that ctx belongs to, or nil if there is none. It
// must not be used after the handler has returned.
func Context(ctx context.Context) *gin.Context {
	c, _ := ctx.Value(ginKey{}).(*gin.Context)
	return c
}
