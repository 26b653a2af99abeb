package ginx

import (
	"errors"
	"iter"
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/zmylab/zmy/nano"
)

// exchangeKey is where [Exchanges] leaves the exchange.
const exchangeKey = "github.com/zmylab/zmy/adapters/ginx.exchange"

// Exchanges is middleware for handlers with Gin's own signature: it admits the request by the
// service's limiter and breaker, tells the breaker how it ended (a status from 500 on is a
// failure), answers panics with a problem document that names the trace, and gives [Bind], [Reply],
// [ReplyStream] and [Fail] what they need.
func Exchanges(s *nano.Service, opts ...Option) gin.HandlerFunc {
	o := settingsOf(s, opts)
	return func(c *gin.Context) {
		defer cut(c)
		err := exchange(s, o, c)
		var told *toldError
		switch {
		case err == nil, errors.As(err, &told):
		case c.Writer.Written():
			_ = c.Error(err)
			panic(http.ErrAbortHandler) // what was written is not the whole answer
		default:
			o.answer(c, err)
		}
	}
}

// toldError tells the breaker of a status from 500 on that the handler has answered with by itself.
type toldError struct{ status int }

func (e *toldError) Error() string { return "answered with " + http.StatusText(e.status) }

// state is what the functions for handlers find in Gin's context.
type state struct {
	x *nano.Exchange
	o *settings
}

func exchange(s *nano.Service, o *settings, c *gin.Context) (err error) {
	x := s.Begin(c.Writer, request(c))
	defer x.End(&err)
	if err := x.Admit(); err != nil {
		return err
	}
	c.Set(exchangeKey, &state{x, o})
	c.Next()
	if status := c.Writer.Status(); status >= 500 && !x.Written() {
		return &toldError{status}
	}
	return nil
}

// Exchange returns the request's exchange: that of [Exchanges]. It panics without that middleware;
// a function of [Handle] finds its own by [nano.FromContext].
func Exchange(c *gin.Context) *nano.Exchange { return stateOf(c).x }

func stateOf(c *gin.Context) *state {
	s, ok := c.Value(exchangeKey).(*state)
	if !ok {
		panic("ginx: no exchange in this gin.Context; put ginx.Exchanges(service) before the handler: router.Use(ginx.Exchanges(service))")
	}
	return s
}

// Bind fills v, a non-nil pointer, from the request's body by its Content-Type, within the
// service's limits, and validates it. An error is a [nano.Problem]; hand it to [Fail].
func Bind(c *gin.Context, v any) error {
	s := stateOf(c)
	if err := s.x.Decode(v); err != nil {
		return err
	}
	return s.o.valid(v)
}

// Reply answers with v in what Accept asks for. An error is already answered, and returned for
// what the handler has to undo.
func Reply(c *gin.Context, status int, v any) error {
	x := stateOf(c).x
	x.SetStatus(status)
	return replied(c, x, x.Reply(v))
}

// ReplyStream answers with the elements of seq as the frames of a stream, see [nano.ReplyStream];
// where the service has [nano.WithResume], from where a client resumes. An error is already
// answered, and returned for what the handler has to undo.
func ReplyStream[Out any](c *gin.Context, seq iter.Seq2[Out, error]) error {
	x := stateOf(c).x
	return replied(c, x, nano.ReplyStream(x, seq))
}

func replied(c *gin.Context, x *nano.Exchange, err error) error {
	if err == nil {
		return nil
	}
	if x.Written() {
		_ = c.Error(err)
		panic(http.ErrAbortHandler)
	}
	Fail(c, err)
	return err
}

// DecodeFirst is middleware that decodes the body into a T and hands the request on: what is behind
// it, middleware that looks at the value, [Bind] into a T, a function of [Handle] that takes one, a
// gateway to a binary service, parses nothing again. The value is found by [nano.Decoded] in the
// request's context; it is validated where it is bound, when its method Bind has the rest. Before
// or behind [Exchanges] is the same.
func DecodeFirst[T any](s *nano.Service, opts ...Option) gin.HandlerFunc {
	o := settingsOf(s, opts)
	return func(c *gin.Context) {
		v := new(T)
		if err := decodeFirst(s, c, v); err != nil {
			o.answer(c, err)
			return
		}
		c.Request = c.Request.WithContext(nano.ContextWithDecoded(c.Request.Context(), v))
		c.Next()
	}
}

func decodeFirst(s *nano.Service, c *gin.Context, v any) (err error) {
	if st, ok := c.Value(exchangeKey).(*state); ok {
		return st.x.DecodeFirst(v)
	}
	x := s.Begin(c.Writer, request(c))
	defer x.End(&err)
	return x.DecodeFirst(v)
}

// Fail answers with err, as a problem document unless [WithErrors] says otherwise, records it in
// [gin.Context.Errors] and aborts the handlers behind.
func Fail(c *gin.Context, err error) { stateOf(c).o.answer(c, err) }
