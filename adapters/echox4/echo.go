package echox4

//go:generate go run ./internal/twin

import (
	"context"
	"errors"
	"net/http"

	"github.com/labstack/echo/v4"
)

// This file has the code that differs between versions of Echo.

// request returns Echo's request, with Echo's path parameters set as those of net/http.
func request(c echo.Context) *http.Request {
	r := c.Request()
	values := c.ParamValues()
	for i, name := range c.ParamNames() {
		if i < len(values) {
			r.SetPathValue(name, values[i])
		}
	}
	return r
}

// answered returns the status of the answer, or 0 if none was sent yet.
func answered(c echo.Context) int {
	if r := c.Response(); r.Committed {
		return r.Status
	}
	return 0
}

// statusOf returns the status with which Echo answers err.
func statusOf(err error) int {
	var he *echo.HTTPError
	if errors.As(err, &he) {
		return he.Code
	}
	return http.StatusInternalServerError
}

// validate calls Echo's validator, if there is one.
func validate(c echo.Context, v any) error {
	if err := c.Validate(v); !errors.Is(err, echo.ErrValidatorNotRegistered) {
		return err
	}
	return nil
}

// withStatus wraps err so that Echo's error handler answers with that status and detail.
func withStatus(status int, detail string, err error) error {
	if detail == "" {
		detail = http.StatusText(status)
	}
	return echo.NewHTTPError(status, detail).SetInternal(err)
}

// Context returns the echo.Context of the request that ctx belongs to, or nil if there is none. It
// must not be used after the handler has returned.
func Context(ctx context.Context) echo.Context {
	c, _ := ctx.Value(echoKey{}).(echo.Context)
	return c
}
