package echox4

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"github.com/labstack/echo/v4"

	"github.com/zmylab/zmy/fxjson"
	"github.com/zmylab/zmy/nano"
)

// Serializer makes c.JSON and c.Bind use fxjson. Bytes, values and errors are those of
// [echo.DefaultJSONSerializer]:
//
//	e.JSONSerializer = echox4.Serializer{}
type Serializer struct{}

var _ echo.JSONSerializer = Serializer{}

// Serialize writes v and a newline.
func (Serializer) Serialize(c echo.Context, v any, indent string) error {
	enc := fxjson.NewEncoder(c.Response())
	if indent != "" {
		enc.SetIndent("", indent)
	}
	return enc.Encode(v)
}

// Deserialize reads one value of the body into v. It sets no limit: see Echo's middleware
// BodyLimit.
func (Serializer) Deserialize(c echo.Context, v any) error {
	err := fxjson.NewDecoder(c.Request().Body).Decode(v)
	var wrong *json.UnmarshalTypeError
	var syntax *json.SyntaxError
	switch {
	case errors.As(err, &wrong):
		return withStatus(http.StatusBadRequest, fmt.Sprintf("Unmarshal type error: expected=%v, got=%v, field=%v, offset=%v",
			wrong.Type, wrong.Value, wrong.Field, wrong.Offset), err)
	case errors.As(err, &syntax):
		return withStatus(http.StatusBadRequest, fmt.Sprintf("Syntax error: offset=%v, error=%v", syntax.Offset, syntax), err)
	}
	return err
}

// Binder binds paths, queries, forms, JSON and XML as Echo does. It reads bodies of other media
// types with the codecs and limits of Service:
//
//	e.Binder = &echox4.Binder{Service: api}
type Binder struct {
	Service *nano.Service
	echo.DefaultBinder
}

var _ echo.Binder = (*Binder)(nil)

// Bind is what c.Bind calls.
func (b *Binder) Bind(v any, c echo.Context) error {
	err := b.DefaultBinder.Bind(v, c)
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
