package echox

import (
	"bytes"
	"net/http"

	"github.com/labstack/echo/v5"

	"github.com/zmylab/zmy/codec"
	"github.com/zmylab/zmy/fxjson"
	"github.com/zmylab/zmy/nano"
)

// Serializer is fxjson behind c.JSON and c.Bind, with the bytes, values and errors of
// [echo.DefaultJSONSerializer]:
//
//	e.JSONSerializer = echox.Serializer{}
type Serializer struct{}

var _ echo.JSONSerializer = Serializer{}

// Serialize writes v and a newline.
func (Serializer) Serialize(c *echo.Context, v any, indent string) error {
	enc := fxjson.NewEncoder(c.Response())
	if indent != "" {
		enc.SetIndent("", indent)
	}
	return enc.Encode(v)
}

var bodies codec.Pool

// mostAhead is how much of a declared length is believed before bytes arrive.
const mostAhead = 64 << 10

// Deserialize reads the body into v. It sets no limit of its own: see Echo's middleware BodyLimit.
func (Serializer) Deserialize(c *echo.Context, v any) error {
	r := c.Request()
	buf := bodies.Get(int(min(max(r.ContentLength+1, 512), mostAhead))) // one more: the end of the body is seen without growing
	defer buf.Release()
	body := bytes.NewBuffer(buf.B)
	_, err := body.ReadFrom(r.Body)
	buf.B = body.Bytes()
	if err == nil {
		err = fxjson.Unmarshal(buf.B, v)
	}
	if err != nil {
		return echo.ErrBadRequest.Wrap(err)
	}
	return nil
}

// Binder is Echo's own for paths, queries, forms and JSON, and reads bodies of other media types by
// the codecs of Service, within its limits:
//
//	e.Binder = &echox.Binder{Service: api}
type Binder struct {
	Service *nano.Service
	echo.DefaultBinder
}

var _ echo.Binder = (*Binder)(nil)

// Bind is c.Bind.
func (b *Binder) Bind(c *echo.Context, v any) error {
	err := b.DefaultBinder.Bind(c, v)
	if err == nil || statusOf(err) != http.StatusUnsupportedMediaType {
		return err
	}
	var x *nano.Exchange
	if s, ok := c.Get(exchangeKey).(*state); ok {
		x = s.x
	} else {
		x = b.Service.Begin(c.Response(), request(c))
	}
	if err := x.Decode(v); err != nil {
		p := nano.AsProblem(err)
		for name, values := range p.Header { // what would be accepted
			c.Response().Header()[name] = values
		}
		return withStatus(p.Status, p.Detail, err)
	}
	return nil
}
