package echox

import (
	"bytes"
	"net/http"

	"github.com/labstack/echo/v5"

	"github.com/zmylab/zmy/codec"
	"github.com/zmylab/zmy/fxjson"
	"github.com/zmylab/zmy/nano"
)

// Serializer makes c.JSON and c.Bind use fxjson. Bytes, values and errors are those of
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

// mostAhead limits the buffer that a declared Content-Length gets before any bytes have arrived.
const mostAhead = 64 << 10

// Deserialize reads the body into v. It sets no limit: see Echo's middleware BodyLimit.
func (Serializer) Deserialize(c *echo.Context, v any) error {
	r := c.Request()
	// One more byte, so that ReadFrom sees the end without growing the buffer.
	buf := bodies.Get(int(min(max(r.ContentLength+1, 512), mostAhead)))
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

// Binder binds paths, queries, forms, JSON and XML as Echo does. It reads bodies of other media
// types with the codecs and limits of Service:
//
//	e.Binder = &echox.Binder{Service: api}
type Binder struct {
	Service *nano.Service
	echo.DefaultBinder
}

var _ echo.Binder = (*Binder)(nil)

// Bind is what c.Bind calls.
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
		for name, values := range p.Header { // header fields that say what would be accepted
			c.Response().Header()[name] = values
		}
		return withStatus(p.Status, p.Detail, err)
	}
	return nil
}
