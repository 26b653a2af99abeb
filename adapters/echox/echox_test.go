package echox_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/labstack/echo/v5"
	"github.com/labstack/echo/v5/middleware"

	"github.com/zmylab/zmy/adapters/echox"
	"github.com/zmylab/zmy/codec"
	"github.com/zmylab/zmy/examples/session"
	"github.com/zmylab/zmy/nano"
)

type item struct {
	Shelf string `json:"shelf" param:"shelf"`
	Name  string `json:"name"`
	Count int    `json:"count"`
}

// Bind takes the shelf from the path.
func (i *item) Bind(r *http.Request) error {
	i.Shelf = r.PathValue("shelf")
	return nil
}

// names is a validator of Echo's.
type names struct{}

func (names) Validate(v any) error {
	if i, ok := v.(*item); ok && i.Name == "" {
		return errors.New("Name is required")
	}
	return nil
}

func service(opts ...nano.Option) *nano.Service {
	return nano.NewService(codec.NewRegistry(codec.FXJSON{}, codec.Gob{}),
		append([]nano.Option{nano.WithLogger(slog.New(slog.DiscardHandler))}, opts...)...)
}

func router() *echo.Echo {
	e := echo.New()
	e.Validator = names{}
	e.Use(middleware.Recover())
	return e
}

// store is the function that all handlers below serve.
func store(_ context.Context, in item) (item, error) {
	switch in.Name {
	case "panic":
		panic("boom")
	case "full":
		return item{}, nano.Problemf(http.StatusConflict, "the shelf is full")
	case "secret":
		return item{}, errors.New("password of the database")
	}
	in.Count++
	return in, nil
}

// existing is the same as a handler with Echo's own signature.
func existing(c *echo.Context) error {
	var in item
	if err := echox.Bind(c, &in); err != nil {
		return err
	}
	out, err := store(c.Request().Context(), in)
	if err != nil {
		return err
	}
	return echox.Reply(c, http.StatusOK, out)
}

func ask(t *testing.T, h http.Handler, contentType, accept, body string) *http.Response {
	t.Helper()
	r := httptest.NewRequest(http.MethodPost, "/shelves/a7/items", strings.NewReader(body))
	r.Header.Set("Content-Type", contentType)
	if accept != "" {
		r.Header.Set("Accept", accept)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Result()
}

// TestAnswers: a function and a handler with Echo's signature answer alike, but for errors that are
// no problems, which such a handler leaves to Echo.
func TestAnswers(t *testing.T) {
	cases := []struct {
		name, contentType, accept, body string
		status                          int
		want                            string // part of the body
	}{
		{"json", "application/json", "", `{"name":"nut"}`, 200, `{"shelf":"a7","name":"nut","count":1}`},
		{"q=0", "application/json", "application/json;q=0, */*", `{"name":"nut"}`, 200, "nut"},
		{"nothing acceptable", "application/json", "text/html", `{"name":"nut"}`, 406, `"accepts":["application/json"`},
		{"unknown body", "text/csv", "", "nut", 415, "text/csv"},
		{"malformed", "application/json", "", `{"name":`, 400, `"status":400`},
		{"invalid", "application/json", "", `{"count":1}`, 400, "Name is required"},
		{"problem", "application/json", "", `{"name":"full"}`, 409, "the shelf is full"},
		{"panic", "application/json", "", `{"name":"panic"}`, 500, "trace_id"},
		{"error", "application/json", "", `{"name":"secret"}`, 500, "Internal Server Error"},
		{"too large", "application/json", "", `{"name":"` + strings.Repeat("n", 200) + `"}`, 413, "100 bytes"},
	}
	s := service(nano.WithMaxBody(100))
	typed, own := router(), router()
	typed.POST("/shelves/:shelf/items", echox.Handle(s, store))
	own.POST("/shelves/:shelf/items", existing, echox.Exchanges(s))
	for _, c := range cases {
		for name, h := range map[string]http.Handler{"typed": typed, "existing": own} {
			t.Run(c.name+"/"+name, func(t *testing.T) {
				resp := ask(t, h, c.contentType, c.accept, c.body)
				body, _ := io.ReadAll(resp.Body)
				if resp.StatusCode != c.status || !strings.Contains(string(body), c.want) || strings.Contains(string(body), "password") {
					t.Errorf("%d %s, want %d with %s", resp.StatusCode, body, c.status, c.want)
				}
				if (c.status == 200 || c.status == 406) && resp.Header.Get("Vary") != "Accept" {
					t.Errorf("Vary is %q", resp.Header["Vary"])
				}
				left := c.name == "error" && name == "existing"
				if c.status >= 400 && !left && resp.Header.Get("Content-Type") != nano.ProblemType {
					t.Errorf("Content-Type %q of a problem", resp.Header.Get("Content-Type"))
				}
				if c.status == 415 && !strings.Contains(resp.Header.Get("Accept-Post"), "application/json") {
					t.Errorf("415 with %v", resp.Header)
				}
			})
		}
	}
}

// TestErrors: middleware sees the error, and Echo's handler may answer it.
func TestErrors(t *testing.T) {
	for _, c := range []struct {
		opts []echox.Option
		want string
	}{
		{nil, `"detail":"the shelf is full"`},
		{[]echox.Option{echox.LeaveErrors()}, `{"message":"the shelf is full"}`},
	} {
		var seen error
		e := router()
		e.Use(func(next echo.HandlerFunc) echo.HandlerFunc {
			return func(c *echo.Context) error {
				seen = next(c)
				return seen
			}
		})
		e.POST("/shelves/:shelf/items", echox.Handle(service(), store, c.opts...))
		resp := ask(t, e, "application/json", "", `{"name":"full"}`)
		body, _ := io.ReadAll(resp.Body)
		if resp.StatusCode != 409 || !strings.Contains(string(body), c.want) || nano.AsProblem(seen).Status != 409 {
			t.Errorf("%d %s, error %v", resp.StatusCode, body, seen)
		}
	}
}

// TestContext finds Echo's context and the exchange.
func TestContext(t *testing.T) {
	if echox.Context(context.Background()) != nil {
		t.Error("a context from nowhere has one of Echo's")
	}
	e := router()
	e.POST("/shelves/:shelf/items", echox.Handle(service(), func(ctx context.Context, _ item) (item, error) {
		nano.FromContext(ctx).SetStatus(http.StatusCreated)
		return item{Name: echox.Context(ctx).Path()}, nil
	}))
	resp := ask(t, e, "application/json", "", `{"name":"nut"}`)
	if body, _ := io.ReadAll(resp.Body); resp.StatusCode != 201 || !strings.Contains(string(body), "/shelves/:shelf/items") {
		t.Errorf("%d %s", resp.StatusCode, body)
	}
	defer func() {
		if p := recover(); p == nil || !strings.Contains(fmt.Sprint(p), "echox.Exchanges(service)") {
			t.Errorf("without the middleware: %v", p)
		}
	}()
	echox.Exchange(echo.New().NewContext(httptest.NewRequest(http.MethodGet, "/", nil), httptest.NewRecorder()))
}

// TestCutOff: an answer that stops in the middle is never taken for a whole one, over HTTP/1.1 and
// HTTP/2.
func TestCutOff(t *testing.T) {
	half := func(c *echo.Context) error {
		_, _ = io.WriteString(c.Response(), "part of ")
		_ = http.NewResponseController(c.Response()).Flush()
		panic("boom")
	}
	handlers := map[string][]any{
		"stream": {echox.HandleStream(service(), func(context.Context, nano.Empty) iter.Seq2[item, error] {
			return func(yield func(item, error) bool) {
				if yield(item{Name: "first"}, nil) {
					panic(http.ErrAbortHandler)
				}
			}
		})},
		"exchange": {echo.HandlerFunc(half), echox.Exchanges(service())},
	}
	for _, h2 := range []bool{false, true} {
		for name, h := range handlers {
			t.Run(fmt.Sprintf("%s/h2=%t", name, h2), func(t *testing.T) {
				e := router()
				var around []echo.MiddlewareFunc
				for _, m := range h[1:] {
					around = append(around, m.(echo.MiddlewareFunc))
				}
				e.GET("/", h[0].(echo.HandlerFunc), around...)
				srv := httptest.NewUnstartedServer(e)
				srv.EnableHTTP2 = h2
				srv.StartTLS()
				defer srv.Close()
				resp, err := srv.Client().Get(srv.URL)
				if err != nil {
					t.Fatal(err)
				}
				defer resp.Body.Close()
				if h2 != (resp.ProtoMajor == 2) {
					t.Fatalf("spoke %s", resp.Proto)
				}
				body, err := io.ReadAll(resp.Body)
				if err == nil || len(body) == 0 {
					t.Errorf("read %q as a whole answer: %v", body, err)
				}
			})
		}
	}
}

// breaker notes what it is told.
type breaker struct {
	outcomes []error
	open     bool
}

func (b *breaker) Allow(nano.Key) (func(error), time.Duration, bool) {
	return func(err error) { b.outcomes = append(b.outcomes, err) }, time.Second, !b.open
}

// TestBreaker hears of failures of handlers with Echo's own signature, and closes the door.
func TestBreaker(t *testing.T) {
	b := new(breaker)
	var answer echo.HandlerFunc
	e := router()
	e.Use(echox.Exchanges(service(nano.WithBreaker(b))))
	e.POST("/shelves/:shelf/items", func(c *echo.Context) error { return answer(c) })
	for _, c := range []struct {
		name   string
		h      echo.HandlerFunc
		status int
	}{
		{"ok", func(c *echo.Context) error { return c.JSON(200, 1) }, 200},
		{"client's fault", func(*echo.Context) error { return echo.NewHTTPError(404, "no") }, 404},
		{"own 500", func(c *echo.Context) error { return c.JSON(500, 1) }, 500},
		{"error", func(*echo.Context) error { return errors.New("broken") }, 500},
		{"problem", func(*echo.Context) error { return nano.Problemf(502, "broken") }, 502},
		{"client's problem", func(*echo.Context) error { return nano.Problemf(422, "broken") }, 422},
	} {
		before := len(b.outcomes)
		answer = c.h
		if resp := ask(t, e, "application/json", "", "{}"); resp.StatusCode != c.status {
			t.Errorf("%s: %d, want %d", c.name, resp.StatusCode, c.status)
		}
		if len(b.outcomes) != before+1 || (b.outcomes[before] != nil) != (c.status >= 500) {
			t.Errorf("%s: the breaker was told %v", c.name, b.outcomes[before:])
		}
	}
	b.open = true
	if resp := ask(t, e, "application/json", "", "{}"); resp.StatusCode != 503 || resp.Header.Get("Retry-After") == "" {
		t.Errorf("open breaker: %d %v", resp.StatusCode, resp.Header)
	}
}

// TestBinder: c.Bind reads other codecs, and paths, queries and JSON as before.
func TestBinder(t *testing.T) {
	e := router()
	e.Binder = &echox.Binder{Service: service(nano.WithMaxBody(100))}
	e.POST("/shelves/:shelf/items", func(c *echo.Context) error {
		var in item
		if err := c.Bind(&in); err != nil {
			return err
		}
		return c.JSON(http.StatusOK, in)
	})
	gob := func(i item) string {
		b, err := codec.Gob{}.Marshal(i)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	for _, c := range []struct {
		contentType, body string
		status            int
		want              string
	}{
		{"application/x-gob", gob(item{Name: "nut"}), 200, `{"shelf":"a7","name":"nut","count":0}`},
		{"application/json", `{"name":"nut"}`, 200, `{"shelf":"a7","name":"nut","count":0}`},
		{"application/x-gob", gob(item{Name: strings.Repeat("n", 300)}), 413, "100 bytes"},
		{"application/x-gob", "no gob", 400, "message"},
		{"text/csv", "nut", 415, "text/csv"},
	} {
		resp := ask(t, e, c.contentType, "", c.body)
		body, _ := io.ReadAll(resp.Body)
		if resp.StatusCode != c.status || !strings.Contains(string(body), c.want) {
			t.Errorf("%s: %d %s, want %d with %s", c.contentType, resp.StatusCode, body, c.status, c.want)
		}
		if c.status == 415 && resp.Header.Get("Accept-Post") == "" {
			t.Errorf("415 with %v", resp.Header)
		}
	}
}

// TestSerializer: with fxjson behind them, Echo's own handlers answer byte for byte as before.
func TestSerializer(t *testing.T) {
	e := router()
	e.POST("/shelves/:shelf/items", func(c *echo.Context) error {
		var in map[string]any
		if err := c.Bind(&in); err != nil {
			return err
		}
		switch in["as"] {
		case "indented":
			return c.JSONPretty(200, in, "  ")
		case "session":
			return c.JSON(200, session.SampleUserSession(rand.New(rand.NewPCG(1, 0))))
		}
		return c.JSON(200, in)
	})
	e.PUT("/typed", func(c *echo.Context) error {
		var in struct{ N int8 }
		if err := c.Bind(&in); err != nil {
			return err
		}
		return c.JSON(200, in)
	})
	bodies := []string{
		`{"a":"<b>&","n":1.50,"l":[1,null,true,"é"]}`, `{"as":"indented","x":{"y":[]}}`, `{"as":"session"}`,
		`{"a":`, `[1]`, `{"a":"\ud800"}`, ``, `{"N":300}`, `{"N":"x"}`, `{"N":1} {}`,
	}
	answers := func() (out []string) {
		for _, b := range bodies {
			resp := ask(t, e, "application/json", "", b)
			text, _ := io.ReadAll(resp.Body)
			r := httptest.NewRequest(http.MethodPut, "/typed", strings.NewReader(b))
			r.Header.Set("Content-Type", "application/json")
			w := httptest.NewRecorder()
			e.ServeHTTP(w, r)
			out = append(out, fmt.Sprint(resp.StatusCode, resp.Header["Content-Type"], string(text), w.Code, w.Body))
		}
		return out
	}
	want := answers()
	e.JSONSerializer = echox.Serializer{}
	got := answers()
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("%s: %s, with encoding/json %s", bodies[i], got[i], want[i])
		}
	}
}
