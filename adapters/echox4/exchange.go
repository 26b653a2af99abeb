package echox4

import (
	"errors"
	"net/http"

	"github.com/labstack/echo/v4"

	"github.com/zmylab/zmy/nano"
)

// exchangeKey is where [Exchanges] leaves the exchange.
const exchangeKey = "github.com/zmylab/zmy/adapters/echox4.exchange"

// Exchanges is middleware for handlers with Echo's own signature: it admits the request by the
// service's limiter and breaker, tells the breaker how it ended (a status from 500 on is a failure), answers
// panics, and errors of [Bind] and [Reply], with a problem document, and gives those what they need. Errors of
// other kinds are left to Echo.
func Exchanges(s *nano.Service, opts ...Option) echo.MiddlewareFunc {
	o := settingsOf(s, opts)
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
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

// ownError is an error that Echo answers, or nil where the handler has answered with a status from 500 on: what
// the breaker is to be told and nano has no part in.
type ownError struct {
	status int
	err    error
}

func (e *ownError) Error() string { return http.StatusText(e.status) }

func (o *settings) exchange(c echo.Context, next echo.HandlerFunc) (err error) {
	x := o.service.Begin(c.Response(), request(c))
	defer x.End(&err)
	if err := x.Admit(); err != nil {
		return err
	}
	c.Set(exchangeKey, x)
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

// Exchange returns the request's exchange: that of [Exchanges]. It panics without that middleware.
func Exchange(c echo.Context) *nano.Exchange {
	x, ok := c.Get(exchangeKey).(*nano.Exchange)
	if !ok {
		panic("echox4: no exchange in this echo.Context; put echox4.Exchanges(service) before the handler: e.Use(echox4.Exchanges(service))")
	}
	return x
}

// Bind fills v, a non-nil pointer, from the request's body by its Content-Type, within the
// service's limits, and validates it. The handler returns the error, a [nano.Problem].
func Bind(c echo.Context, v any) error {
	if err := Exchange(c).Decode(v); err != nil {
		return err
	}
	return valid(c, v)
}

// Reply answers with v in what Accept asks for. The handler returns the error.
func Reply(c echo.Context, status int, v any) error {
	x := Exchange(c)
	x.SetStatus(status)
	err := x.Reply(v)
	if err != nil && x.Written() {
		panic(http.ErrAbortHandler)
	}
	return err
}
