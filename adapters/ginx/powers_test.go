// NOTE: these tests of what exchanges can do are told like those of adapters/echox, line by
// line, since both adapters promise the same. They share no code: each framework is a module of
// its own.

package ginx_test

import (
	"context"
	"fmt"
	"io"
	"iter"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/zmylab/zmy/adapters/ginx"
	"github.com/zmylab/zmy/codec"
	"github.com/zmylab/zmy/nano"
)

// counter counts what codecs decode.
type counter struct{ n int }

func (c *counter) Begin(ctx context.Context, _ codec.Event) context.Context { return ctx }

func (c *counter) End(_ context.Context, e codec.Event) {
	if e.Op == codec.OpUnmarshal {
		c.n++
	}
}

// TestDecodeFirst: middleware looks at the value, a function or handler behind it gets it, and the
// body was parsed once.
func TestDecodeFirst(t *testing.T) {
	for _, c := range []struct {
		body   string
		status int
		want   string // part of the body
	}{
		{`{"name":"nut"}`, 200, `{"shelf":"a7","name":"nut","count":1}`},
		{`{"name":"secret nut"}`, 403, "not yours"},
		{`{"count":1}`, 400, "Name"},
		{`{"name":`, 400, `"status":400`},
	} {
		for _, kind := range []string{"typed", "existing, before Exchanges", "existing, behind Exchanges"} {
			t.Run(kind+" "+c.body, func(t *testing.T) {
				reg, count := registry(), new(counter)
				reg.Observe(count)
				s := nano.NewService(reg)
				authorized := func(c *gin.Context) {
					if in, ok := nano.Decoded[item](c.Request.Context()); !ok || strings.HasPrefix(in.Name, "secret") {
						c.String(http.StatusForbidden, "not yours")
						c.Abort()
					}
				}
				first := ginx.DecodeFirst[item](s)
				handlers := map[string][]gin.HandlerFunc{
					"typed":                      {first, authorized, ginx.Handle(s, store)},
					"existing, before Exchanges": {first, ginx.Exchanges(s), authorized, existing},
					"existing, behind Exchanges": {ginx.Exchanges(s), first, authorized, existing},
				}[kind]
				e := engine()
				e.POST("/shelves/:shelf/items", handlers...)
				resp := ask(t, e, "application/json", "", c.body)
				body, _ := io.ReadAll(resp.Body)
				if resp.StatusCode != c.status || !strings.Contains(string(body), c.want) {
					t.Errorf("%d %s, want %d with %s", resp.StatusCode, body, c.status, c.want)
				}
				if count.n != 1 {
					t.Errorf("parsed %d times", count.n)
				}
			})
		}
	}
}

// TestReplyStream: a handler with Gin's own signature streams, and a client that was cut off
// resumes.
func TestReplyStream(t *testing.T) {
	var calls atomic.Int64
	s := service(nano.WithResume(make([]byte, 32), func(context.Context, *http.Request) (string, error) { return "v1", nil }))
	e := engine()
	e.GET("/", ginx.Exchanges(s), func(c *gin.Context) {
		begin, call := nano.ResumeAt(ginx.Exchange(c).Context()), calls.Add(1)
		_ = ginx.ReplyStream(c, func(yield func(int, error) bool) {
			for i := begin; i < 5; i++ {
				if call == 1 && i == 3 {
					panic(http.ErrAbortHandler)
				}
				if !yield(int(i), nil) {
					return
				}
			}
		})
	})
	srv := httptest.NewServer(e)
	defer srv.Close()
	var got []int
	for i, err := range nano.ReadStream[int](registry(), func() (*http.Request, error) {
		return http.NewRequestWithContext(t.Context(), http.MethodGet, srv.URL, nil)
	}, nano.StreamOptions{Attempts: 3, Backoff: time.Millisecond}) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, i)
	}
	if !slices.Equal(got, []int{0, 1, 2, 3, 4}) || calls.Load() != 2 {
		t.Errorf("%v by %d requests", got, calls.Load())
	}
}

// TestReplyStreamErrors: before the first element an error is an answer, behind it the failed end
// of the stream.
func TestReplyStreamErrors(t *testing.T) {
	for _, c := range []struct {
		elements int
		accept   string
		status   int
		want     string
	}{
		{0, "", 409, "the shelf is full"},
		{1, "", 200, "the shelf is full"},
		{1, "text/html", 406, "accepts"},
	} {
		var returned error
		e := engine()
		e.POST("/shelves/:shelf/items", ginx.Exchanges(service()), func(g *gin.Context) {
			returned = ginx.ReplyStream(g, func(yield func(int, error) bool) {
				for i := range c.elements {
					if !yield(i, nil) {
						return
					}
				}
				yield(0, nano.Problemf(http.StatusConflict, "the shelf is full"))
			})
		})
		resp := ask(t, e, "application/json", c.accept, "{}")
		body, _ := io.ReadAll(resp.Body)
		if resp.StatusCode != c.status || !strings.Contains(string(body), c.want) || (returned == nil) != (c.status == 200) {
			t.Errorf("%d elements, Accept %q: %d %s, returned %v; want %d with %s", c.elements, c.accept,
				resp.StatusCode, body, returned, c.status, c.want)
		}
	}
}

// TestAnswersOfOnesOwn: the options about errors hold wherever an error is answered.
func TestAnswersOfOnesOwn(t *testing.T) {
	own := ginx.WithErrors(func(c *gin.Context, err error) { c.String(nano.AsProblem(err).Status, "sorry") })
	stream := func(context.Context, item) iter.Seq2[item, error] {
		return func(yield func(item, error) bool) { yield(item{}, nano.Problemf(http.StatusConflict, "")) }
	}
	for name, handlers := range map[string]func(opts ...ginx.Option) []gin.HandlerFunc{
		"typed": func(o ...ginx.Option) []gin.HandlerFunc {
			return []gin.HandlerFunc{ginx.Handle(service(), store, o...)}
		},
		"stream": func(o ...ginx.Option) []gin.HandlerFunc {
			return []gin.HandlerFunc{ginx.HandleStream(service(), stream, o...)}
		},
		"own": func(o ...ginx.Option) []gin.HandlerFunc {
			return []gin.HandlerFunc{ginx.Exchanges(service(), o...), existing}
		},
	} {
		for _, c := range []struct {
			opt  ginx.Option
			want string
		}{{own, "409 sorry"}, {ginx.LeaveErrors(), "418 from Gin's list: 409"}} {
			e := engine()
			e.Use(func(c *gin.Context) {
				c.Next()
				if len(c.Errors) > 0 && !c.Writer.Written() {
					c.String(http.StatusTeapot, "from Gin's list: %d", nano.AsProblem(c.Errors[0]).Status)
				}
			})
			e.POST("/shelves/:shelf/items", handlers(c.opt)...)
			resp := ask(t, e, "application/json", "", `{"name":"full"}`)
			body, _ := io.ReadAll(resp.Body)
			if got := fmt.Sprint(resp.StatusCode, " ", string(body)); got != c.want {
				t.Errorf("%s: %s, want %s", name, got, c.want)
			}
		}
	}
}
