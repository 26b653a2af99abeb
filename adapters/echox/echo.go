package echox

import (
	"context"
	"errors"
	"net/http"

	"github.com/labstack/echo/v5"
)

// This file has the code that differs between versions of Echo.

// request returns Echo's request, with Echo's path parameters set as those of net/http.
func request(c *echo.Context) *http.Request {
	r := c.Request()
	for _, p := range c.PathValues() {
		r.SetPathValue(p.Name, p.Value)
	}
	return r
}

// answered returns the status of the answer, or 0 if none was sent yet.
func answered(c *echo.Context) int {
	if r, err := echo.UnwrapResponse(c.Response()); err == nil && r.Committed {
		return r.Status
	}
	return 0
}

// statusOf returns the status with which Echo answers err.
func statusOf(err error) int {
	if status := echo.StatusCode(err); status != 0 {
		return status
	}
	return http.StatusInternalServerError
}

// validate calls Echo's validator, if there is one.
func validate(c *echo.Context, v any) error {
	if err := c.Validate(v); !errors.Is(err, echo.ErrValidatorNotRegistered) {
		return err
	}
	return nil
}

// withStatus wraps err so that Echo's error handler answers with that status and detail.
func withStatus(status int, detail string, err error) error {
	return echo.NewHTTPError(status, detail).Wrap(err)
}

// Context returns the *echo.Context of the request that ctx belongs to, or nil if there is none. It
// must not be used after the handler has returned.
func Context(ctx context.Context) *echo.Context {
	c, _ := ctx.Value(echoKey{}).(*echo.Context)
	return c
}
