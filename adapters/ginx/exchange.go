package ginx

import (
	"errors"
	"iter"
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/zmylab/zmy/nano"
)

// exchangeKey is the key under which [Exchanges] stores the exchange in Gin's context.
const exchangeKey = "github.com/zmylab/zmy/adapters/ginx.exchange"

// Exchanges is middleware for handlers with Gin's own signature. It admits the request by the
// service's limiter and breaker, and tells the breaker how the request ended: a status of 500 or
// more is a failure. It answers panics with a problem document that names the trace. It provides
// the exchange that [Bind], [Reply], [ReplyStream] and [Fail] need.
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
			panic(http.ErrAbortHandler) // the answer is incomplete
		default:
			o.answer(c, err)
		}
	}
}

// toldError tells the breaker that the handler itself has answered with a status of 500 or more.
type toldError struct{ status int }

func (e *toldError) Error() string { return "answered with " + http.StatusText(e.status) }

// state is what [Bind], [Reply], [ReplyStream] and [Fail] find in Gin's context.
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

// Exchange returns the request's exchange, which [Exchanges] has begun. It panics without that
// middleware. A function of [Handle] gets its exchange from [nano.FromContext].
func Exchange(c *gin.Context) *nano.Exchange { return stateOf(c).x }

func stateOf(c *gin.Context) *state {
	s, ok := c.Value(exchangeKey).(*state)
	if !ok {
		panic("ginx: no exchange in this gin.Context; put ginx.Exchanges(service) before the handler: router.Use(ginx.Exchanges(service))")
	}
	return s
}

// Bind decodes the request's body by its Content-Type into v, a non-nil pointer, within the
// service's limits, and validates it. An error is a [nano.Problem]; pass it to [Fail].
func Bind(c *gin.Context, v any) error {
	s := stateOf(c)
	if err := s.x.Decode(v); err != nil {
		return err
	}
	return s.o.valid(v)
}

// Reply answers with v in a codec that Accept allows. An error has been answered already; it is
// returned so that the handler can undo its work.
func Reply(c *gin.Context, status int, v any) error {
	x := stateOf(c).x
	x.SetStatus(status)
	return replied(c, x, x.Reply(v))
}

// ReplyStream answers with the elements of seq as the frames of a stream, see [nano.ReplyStream].
// If the service has [nano.WithResume], the stream begins where the client resumes. An error has
// been answered already; it is returned so that the handler can undo its work.
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

// DecodeFirst is middleware that decodes the body into a T before it calls the next handler. Later
// middleware and handlers can use the value without decoding it again: [Bind] into a T, a function
// of [Handle] that takes a T, or a gateway to a binary service. [nano.Decoded] returns the value
// from the request's context. DecodeFirst does not validate the value; [Bind] and [Handle] do,
// after the value's own method Bind has filled in the rest. DecodeFirst may come before or after
// [Exchanges] in the chain.
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

// Fail answers with err, as a problem document unless [WithErrors] changes that. It records err in
// [gin.Context.Errors] and aborts the remaining handlers.
func Fail(c *gin.Context, err error) { stateOf(c).o.answer(c, err) }
