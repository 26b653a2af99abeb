package echox

import (
	"context"
	"errors"
	"net/http"

	"github.com/labstack/echo/v5"
)

// What differs between versions of Echo.

// request is Echo's request with its path parameters where net/http has them.
func request(c *echo.Context) *http.Request {
	r := c.Request()
	for _, p := range c.PathValues() {
		r.SetPathValue(p.Name, p.Value)
	}
	return r
}

// answered returns the status that was sent, 0 before.
func answered(c *echo.Context) int {
	if r, err := echo.UnwrapResponse(c.Response()); err == nil && r.Committed {
		return r.Status
	}
	return 0
}

// statusOf is the status that Echo answers err with.
func statusOf(err error) int {
	if status := echo.StatusCode(err); status != 0 {
		return status
	}
	return http.StatusInternalServerError
}

// validate asks Echo's validator, if there is one.
func validate(c *echo.Context, v any) error {
	if err := c.Validate(v); !errors.Is(err, echo.ErrValidatorNotRegistered) {
		return err
	}
	return nil
}

// withStatus is err as one that Echo's error handler answers with that status and detail.
func withStatus(status int, detail string, err error) error {
	return echo.NewHTTPError(status, detail).Wrap(err)
}

// Context returns the *echo.Context of the request that ctx belongs to, nil outside of one. Like
// that one it must not be used after the handler has returned.
func Context(ctx context.Context) *echo.Context {
	c, _ := ctx.Value(echoKey{}).(*echo.Context)
	return c
}
