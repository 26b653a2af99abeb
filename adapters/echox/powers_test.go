package echox_test

import (
	"context"
	"errors"
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

	"github.com/labstack/echo/v5"

	"github.com/zmylab/zmy/adapters/echox"
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
		{`{"count":1}`, 400, "Name is required"},
		{`{"name":`, 400, `"status":400`},
	} {
		for _, kind := range []string{"typed", "existing, before Exchanges", "existing, behind Exchanges"} {
			t.Run(kind+" "+c.body, func(t *testing.T) {
				reg, count := codec.NewRegistry(codec.FXJSON{}), new(counter)
				reg.Observe(count)
				s := nano.NewService(reg)
				authorized := func(next echo.HandlerFunc) echo.HandlerFunc {
					return func(c *echo.Context) error {
						if in, ok := nano.Decoded[item](c.Request().Context()); !ok || strings.HasPrefix(in.Name, "secret") {
							return c.String(http.StatusForbidden, "not yours")
						}
						return next(c)
					}
				}
				first := echox.DecodeFirst[item](s)
				e := router()
				switch kind {
				case "typed":
					e.POST("/shelves/:shelf/items", echox.Handle(s, store), first, authorized)
				case "existing, before Exchanges":
					e.POST("/shelves/:shelf/items", existing, first, echox.Exchanges(s), authorized)
				default:
					e.POST("/shelves/:shelf/items", existing, echox.Exchanges(s), first, authorized)
				}
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

// TestReplyStream: a handler with Echo's own signature streams, and a client that was cut off
// resumes.
func TestReplyStream(t *testing.T) {
	var calls atomic.Int64
	s := service(nano.WithResume(make([]byte, 32), func(context.Context, *http.Request) (string, error) { return "v1", nil }))
	e := router()
	e.GET("/", func(c *echo.Context) error {
		begin, call := nano.ResumeAt(echox.Exchange(c).Context()), calls.Add(1)
		return echox.ReplyStream(c, func(yield func(int, error) bool) {
			for i := begin; i < 5; i++ {
				if call == 1 && i == 3 {
					panic(http.ErrAbortHandler)
				}
				if !yield(int(i), nil) {
					return
				}
			}
		})
	}, echox.Exchanges(s))
	srv := httptest.NewServer(e)
	defer srv.Close()
	var got []int
	for i, err := range nano.ReadStream[int](codec.NewRegistry(codec.FXJSON{}), func() (*http.Request, error) {
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
		e := router()
		e.POST("/shelves/:shelf/items", func(x *echo.Context) error {
			returned = echox.ReplyStream(x, func(yield func(int, error) bool) {
				for i := range c.elements {
					if !yield(i, nil) {
						return
					}
				}
				yield(0, nano.Problemf(http.StatusConflict, "the shelf is full"))
			})
			return returned
		}, echox.Exchanges(service()))
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
	own := echox.WithErrors(func(c *echo.Context, err error) { _ = c.String(nano.AsProblem(err).Status, "sorry") })
	silent := echox.WithErrors(func(*echo.Context, error) {})
	stream := func(context.Context, item) iter.Seq2[item, error] {
		return func(yield func(item, error) bool) {
			yield(item{}, nano.Problemf(http.StatusConflict, "the shelf is full"))
		}
	}
	for name, add := range map[string]func(e *echo.Echo, o echox.Option){
		"typed": func(e *echo.Echo, o echox.Option) {
			e.POST("/shelves/:shelf/items", echox.Handle(service(), store, o))
		},
		"stream": func(e *echo.Echo, o echox.Option) {
			e.POST("/shelves/:shelf/items", echox.HandleStream(service(), stream, o))
		},
		"own": func(e *echo.Echo, o echox.Option) {
			e.POST("/shelves/:shelf/items", existing, echox.Exchanges(service(), o))
		},
	} {
		for option, c := range map[string]struct {
			opt  echox.Option
			want string
		}{
			"WithErrors":         {own, "409 sorry"},
			"WithErrors, silent": {silent, `409 {"message":"the shelf is full"}`},
			"LeaveErrors":        {echox.LeaveErrors(), `409 {"message":"the shelf is full"}`},
		} {
			e := router()
			add(e, c.opt)
			resp := ask(t, e, "application/json", "", `{"name":"full"}`)
			body, _ := io.ReadAll(resp.Body)
			if got := fmt.Sprint(resp.StatusCode, " ", strings.TrimSpace(string(body))); got != c.want {
				t.Errorf("%s, %s: %s, want %s", name, option, got, c.want)
			}
		}
	}
}

// strict is another validator than Echo's.
type strict struct{}

func (strict) Validate(any) error { return errors.New("never good enough") }

// TestValidator: another validator, or none, takes the place of Echo's.
func TestValidator(t *testing.T) {
	for _, c := range []struct {
		name, body string
		opts       []echox.Option
		want       int
	}{
		{"Echo's", `{"count":1}`, nil, 400},
		{"none", `{"count":1}`, []echox.Option{echox.WithValidator(nil)}, 200},
		{"another", `{"name":"nut"}`, []echox.Option{echox.WithValidator(strict{})}, 400},
	} {
		for _, kind := range []string{"typed", "existing"} {
			e := router()
			if kind == "typed" {
				e.POST("/shelves/:shelf/items", echox.Handle(service(), store, c.opts...))
			} else {
				e.POST("/shelves/:shelf/items", existing, echox.Exchanges(service(), c.opts...))
			}
			if resp := ask(t, e, "application/json", "", c.body); resp.StatusCode != c.want {
				t.Errorf("%s, %s: %d, want %d", c.name, kind, resp.StatusCode, c.want)
			}
		}
	}
}
