package echox

import (
	"errors"
	"iter"
	"net/http"

	"github.com/labstack/echo/v5"

	"github.com/zmylab/zmy/nano"
)

// exchangeKey is the key under which [Exchanges] stores the exchange in Echo's context.
const exchangeKey = "github.com/zmylab/zmy/adapters/echox.exchange"

// Exchanges is middleware for handlers with Echo's own signature. It admits the request by the
// service's limiter and breaker, and tells the breaker how the request ended: a status of 500 or
// more is a failure. It answers panics, and errors of [Bind], [Reply] and [ReplyStream], with a
// problem document. It provides the exchange that these functions need. Other errors are left to
// Echo.
func Exchanges(s *nano.Service, opts ...Option) echo.MiddlewareFunc {
	o := settingsOf(s, opts)
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c *echo.Context) error {
			err := o.exchange(c, next)
			var own *ownError
			var problem *nano.Problem
			switch {
			case errors.As(err, &own):
				return own.err
			case !errors.As(err, &problem):
				return err
			case answered(c) != 0:
				panic(http.ErrAbortHandler) // the answer is incomplete
			}
			return o.answer(c, err)
		}
	}
}

// ownError marks an outcome in which nano writes no answer: an error that Echo answers, or, with a
// nil err, a status of 500 or more that the handler has sent itself. The breaker counts it as a
// failure.
type ownError struct {
	status int
	err    error
}

func (e *ownError) Error() string { return http.StatusText(e.status) }

func (o *settings) exchange(c *echo.Context, next echo.HandlerFunc) (err error) {
	x := o.service.Begin(c.Response(), request(c))
	defer x.End(&err)
	if err := x.Admit(); err != nil {
		return err
	}
	c.Set(exchangeKey, &state{x, o})
	err = next(c)
	var problem *nano.Problem
	switch {
	case err == nil && (answered(c) < 500 || x.Written()):
		return nil
	case err == nil:
		return told(answered(c), nil)
	case errors.As(err, &problem) && answered(c) == 0:
		return err
	}
	return told(statusOf(err), err)
}

// told returns an error that gives the exchange the status. It contains err, which Echo gets back.
func told(status int, err error) error {
	return &nano.Problem{Status: status, Err: &ownError{status, err}}
}

// state is what [Bind], [Reply] and [ReplyStream] find in Echo's context.
type state struct {
	x *nano.Exchange
	o *settings
}

// Exchange returns the request's exchange, which [Exchanges] has begun. It panics without that
// middleware.
func Exchange(c *echo.Context) *nano.Exchange { return stateOf(c).x }

func stateOf(c *echo.Context) *state {
	s, ok := c.Get(exchangeKey).(*state)
	if !ok {
		panic("echox: no exchange in this echo.Context; put echox.Exchanges(service) before the handler: e.Use(echox.Exchanges(service))")
	}
	return s
}

// Bind decodes the request's body by its Content-Type into v, a non-nil pointer, within the
// service's limits, and validates it. An error is a [nano.Problem]; the handler should return it.
func Bind(c *echo.Context, v any) error {
	s := stateOf(c)
	if err := s.x.Decode(v); err != nil {
		return err
	}
	return s.o.valid(c, v)
}

// Reply answers with v in a codec that Accept allows. The handler should return the error.
func Reply(c *echo.Context, status int, v any) error {
	x := Exchange(c)
	x.SetStatus(status)
	return replied(x, x.Reply(v))
}

// ReplyStream answers with the elements of seq as the frames of a stream, see [nano.ReplyStream].
// If the service has [nano.WithResume], the stream begins where the client resumes. The handler
// should return the error.
func ReplyStream[Out any](c *echo.Context, seq iter.Seq2[Out, error]) error {
	x := Exchange(c)
	return replied(x, nano.ReplyStream(x, seq))
}

func replied(x *nano.Exchange, err error) error {
	if err != nil && x.Written() {
		panic(http.ErrAbortHandler)
	}
	return err
}

// DecodeFirst is middleware that decodes the body into a T before it calls the next handler. Later
// middleware and handlers can use the value without decoding it again: [Bind] into a T, a function
// of [Handle] that takes a T, or a gateway to a binary service. [nano.Decoded] returns the value
// from the request's context. DecodeFirst does not validate the value; [Bind] and [Handle] do,
// after the value's own method Bind has filled in the rest. DecodeFirst may come before or after
// [Exchanges] in the chain.
func DecodeFirst[T any](s *nano.Service, opts ...Option) echo.MiddlewareFunc {
	o := settingsOf(s, opts)
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c *echo.Context) error {
			v := new(T)
			if st, ok := c.Get(exchangeKey).(*state); ok {
				if err := st.x.DecodeFirst(v); err != nil {
					return err // Exchanges answers it
				}
			} else if err := decodeFirst(s, c, v); err != nil {
				return o.answer(c, err)
			}
			c.SetRequest(c.Request().WithContext(nano.ContextWithDecoded(c.Request().Context(), v)))
			return next(c)
		}
	}
}

func decodeFirst(s *nano.Service, c *echo.Context, v any) (err error) {
	x := s.Begin(c.Response(), request(c))
	defer x.End(&err)
	return x.DecodeFirst(v)
}
