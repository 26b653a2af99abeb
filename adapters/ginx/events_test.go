// NOTE: these tests of streams of events are told like those of adapters/echox, line by line,
// since both adapters promise the same. They share no code: each framework is a module of its
// own.

package ginx_test

import (
	"net/http/httptest"
	"testing"

	"github.com/gin-gonic/gin"
	"github.com/zmylab/zmy/sse"
)

// A hub of package sse serves under Gin as it is: gin.Default's middleware included.
func TestEvents(t *testing.T) {
	h, err := sse.Open(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	gin.SetMode(gin.TestMode)
	r := gin.New()
	r.Use(gin.Recovery())
	r.GET("/events/:topic", func(c *gin.Context) {
		if err := h.Serve(c.Writer, c.Request, c.Param("topic")); err != nil {
			_ = c.Error(err)
		}
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
