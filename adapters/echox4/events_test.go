package echox4_test

import (
	"net/http/httptest"
	"testing"

	"github.com/labstack/echo/v4"
	"github.com/zmylab/zmy/sse"
)

// A hub of package sse serves under Echo as it is.
func TestEvents(t *testing.T) {
	h, err := sse.Open(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	r := echo.New()
	r.GET("/events/:topic", func(c echo.Context) error {
		return h.Serve(c.Response(), c.Request(), c.Param("topic"))
	})
	s := httptest.NewServer(r)
	defer s.Close()
	defer h.Close() // streams end before the server, which waits for them
	client := sse.Client{URL: s.URL + "/events/a"}
	first, err := h.Publish(t.Context(), "a", sse.Message{Data: []byte("before")})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := h.Publish(t.Context(), "a", sse.Message{Data: []byte("hello")}); err != nil {
		t.Fatal(err)
	}
	client.LastEventID = first.String()
	for e, err := range client.Events(t.Context()) {
		if err != nil || string(e.Data) != "hello" {
			t.Errorf("%q, %v", e.Data, err)
		}
		break
	}
}
