package ginx_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"testing"

	"github.com/gin-gonic/gin"

	"github.com/zmylab/zmy/adapters/ginx"
	"github.com/zmylab/zmy/codec"
	"github.com/zmylab/zmy/examples/session"
	"github.com/zmylab/zmy/internal/cputime"
	"github.com/zmylab/zmy/nano"
)

// sessions are handlers that read a session and answer with it: Gin with its own JSON, Gin with
// fxjson behind it, a function of nano in Gin and by itself, and what all have in common: bytes
// that come and go.
func sessions() []contender {
	gin.SetMode(gin.TestMode)
	echo := func(_ context.Context, in session.UserSession) (session.UserSession, error) { return in, nil }
	own := func(c *gin.Context) {
		var in session.UserSession
		if err := c.ShouldBindJSON(&in); err != nil {
			c.AbortWithStatus(http.StatusBadRequest)
			return
		}
		c.JSON(http.StatusOK, &in)
	}
	s := nano.NewService(codec.NewRegistry(codec.FXJSON{}))
	with := func(h gin.HandlerFunc) http.Handler {
		e := gin.New()
		e.POST("/", h)
		return e
	}
	return []contender{
		{"gin", with(own), false},
		{"gin-fxjson", with(own), true},
		{"ginx", with(ginx.Handle(s, echo)), false},
		{"nano", nano.HandleBy(s, echo), false},
		{"bytes", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body := make([]byte, r.ContentLength)
			if _, err := io.ReadFull(r.Body, body); err != nil {
				http.Error(w, err.Error(), http.StatusBadRequest)
				return
			}
			w.Header().Set("Content-Type", "application/json")
			_, _ = w.Write(body)
		}), false},
	}
}

type contender struct {
	name   string
	h      http.Handler
	fxjson bool // behind Gin's JSON
}

func sample(b *testing.B) []byte {
	body, err := json.Marshal(session.SampleUserSession(rand.New(rand.NewPCG(1, 0))))
	if err != nil {
		b.Fatal(err)
	}
	return body
}

// BenchmarkSession is such a handler without a network.
func BenchmarkSession(b *testing.B) {
	for _, c := range sessions() {
		b.Run(c.name, func(b *testing.B) {
			if c.fxjson {
				defer ginx.UseFXJSON()()
			}
			body := sample(b)
			in := bytes.NewReader(body)
			r := &http.Request{
				Method: http.MethodPost, URL: &url.URL{Path: "/"}, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
				Header:        http.Header{"Content-Type": {"application/json"}, "Accept": {"application/json"}},
				ContentLength: int64(len(body)), Body: io.NopCloser(in),
			}
			w := &discard{header: http.Header{}}
			b.ReportAllocs()
			b.SetBytes(int64(len(body)))
			defer cputime.Report(b)()
			for b.Loop() {
				in.Reset(body)
				w.n = 0
				clear(w.header)
				c.h.ServeHTTP(w, r)
				if w.n < len(body)-1 {
					b.Fatalf("%d bytes of %d", w.n, len(body))
				}
			}
		})
	}
}

type discard struct {
	header http.Header
	n      int
}

func (d *discard) Header() http.Header         { return d.header }
func (d *discard) WriteHeader(int)             {}
func (d *discard) Write(p []byte) (int, error) { d.n += len(p); return len(p), nil }
