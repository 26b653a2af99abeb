package echox

import (
	"errors"
	"iter"
	"net/http"

	"github.com/labstack/echo/v5"

	"github.com/zmylab/zmy/nano"
)

// exchangeKey is where [Exchanges] leaves the exchange.
const exchangeKey = "github.com/zmylab/zmy/adapters/echox.exchange"

// Exchanges is middleware for handlers with Echo's own signature: it admits the request by the
// service's limiter and breaker, tells the breaker how it ended (a status from 500 on is a
// failure), answers panics, and errors of [Bind], [Reply] and [ReplyStream], with a problem
// document, and gives those what they need. Errors of other kinds are left to Echo.
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
				panic(http.ErrAbortHandler) // what was written is not the whole answer
			}
			return o.answer(c, err)
		}
	}
}

// ownError is an error that Echo answers, or nil where the handler has answered with a status from
// 500 on: what the breaker is to be told and nano has no part in.
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

// told is an error by which the exchange has the status, and behind it what Echo gets back.
func told(status int, err error) error {
	return &nano.Problem{Status: status, Err: &ownError{status, err}}
}

// state is what the functions for handlers find in Echo's context.
type state struct {
	x *nano.Exchange
	o *settings
}

// Exchange returns the request's exchange: that of [Exchanges]. It panics without that middleware.
func Exchange(c *echo.Context) *nano.Exchange { return stateOf(c).x }

func stateOf(c *echo.Context) *state {
	s, ok := c.Get(exchangeKey).(*state)
	if !ok {
		panic("echox: no exchange in this echo.Context; put echox.Exchanges(service) before the handler: e.Use(echox.Exchanges(service))")
	}
	return s
}

// Bind fills v, a non-nil pointer, from the request's body by its Content-Type, within the
// service's limits, and validates it. The handler returns the error, a [nano.Problem].
func Bind(c *echo.Context, v any) error {
	s := stateOf(c)
	if err := s.x.Decode(v); err != nil {
		return err
	}
	return s.o.valid(c, v)
}

// Reply answers with v in what Accept asks for. The handler returns the error.
func Reply(c *echo.Context, status int, v any) error {
	x := Exchange(c)
	x.SetStatus(status)
	return replied(x, x.Reply(v))
}

// ReplyStream answers with the elements of seq as the frames of a stream, see [nano.ReplyStream];
// where the service has [nano.WithResume], from where a client resumes. The handler returns the
// error.
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

// DecodeFirst is middleware that decodes the body into a T and hands the request on: what is behind
// it, middleware that looks at the value, [Bind] into a T, a function of [Handle] that takes one, a
// gateway to a binary service, parses nothing again. The value is found by [nano.Decoded] in the
// request's context; it is validated where it is bound, when its method Bind has the rest. Before
// or behind [Exchanges] is the same.
func DecodeFirst[T any](s *nano.Service, opts ...Option) echo.MiddlewareFunc {
	o := settingsOf(s, opts)
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c *echo.Context) error {
			v := new(T)
			if st, ok := c.Get(exchangeKey).(*state); ok {
				if err := st.x.DecodeFirst(v); err != nil {
					return err // which Exchanges answers
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
