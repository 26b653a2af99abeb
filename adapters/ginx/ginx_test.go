// NOTE: these tests of what routes answer are told like those of adapters/echox, line by line,
// since both adapters promise the same. They share no code: each framework is a module of its
// own.

package ginx_test

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

	"github.com/gin-gonic/gin"
	"github.com/gin-gonic/gin/binding"

	"github.com/zmylab/zmy/adapters/ginx"
	"github.com/zmylab/zmy/codec"
	"github.com/zmylab/zmy/examples/session"
	"github.com/zmylab/zmy/nano"
)

type item struct {
	Shelf string `json:"shelf"`
	Name  string `json:"name" binding:"required"`
	Count int    `json:"count"`
}

// Bind takes the shelf from the path.
func (i *item) Bind(r *http.Request) error {
	i.Shelf = r.PathValue("shelf")
	return nil
}

func registry() *codec.Registry { return codec.NewRegistry(codec.FXJSON{}, codec.Gob{}) }

func service(opts ...nano.Option) *nano.Service {
	return nano.NewService(registry(), append([]nano.Option{nano.WithLogger(slog.New(slog.DiscardHandler))}, opts...)...)
}

func engine() *gin.Engine {
	gin.SetMode(gin.TestMode)
	e := gin.New()
	e.Use(gin.CustomRecoveryWithWriter(nil, func(c *gin.Context, _ any) { c.AbortWithStatus(http.StatusInternalServerError) }))
	return e
}

// store is the function that all handlers below serve.
func store(ctx context.Context, in item) (item, error) {
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

// existing is the same as a handler with Gin's own signature.
func existing(c *gin.Context) {
	var in item
	if err := ginx.Bind(c, &in); err != nil {
		ginx.Fail(c, err)
		return
	}
	out, err := store(c, in)
	if err != nil {
		ginx.Fail(c, err)
		return
	}
	_ = ginx.Reply(c, http.StatusOK, out) // answered already
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

// TestAnswers: a function and a handler with Gin's signature answer alike.
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
		{"invalid", "application/json", "", `{"count":1}`, 400, "Name"},
		{"problem", "application/json", "", `{"name":"full"}`, 409, "the shelf is full"},
		{"panic", "application/json", "", `{"name":"panic"}`, 500, "trace_id"},
		{"error", "application/json", "", `{"name":"secret"}`, 500, "trace_id"},
		{"too large", "application/json", "", `{"name":"` + strings.Repeat("n", 200) + `"}`, 413, "100 bytes"},
	}
	s := service(nano.WithMaxBody(100))
	typed, own := engine(), engine()
	typed.POST("/shelves/:shelf/items", ginx.Handle(s, store))
	own.POST("/shelves/:shelf/items", ginx.Exchanges(s), existing)
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
				if c.status >= 400 && resp.Header.Get("Content-Type") != nano.ProblemType {
					t.Errorf("Content-Type %q of a problem", resp.Header.Get("Content-Type"))
				}
				if c.status == 415 && !strings.Contains(resp.Header.Get("Accept-Post"), "application/json") {
					t.Errorf("415 with %v", resp.Header)
				}
			})
		}
	}
}

// TestErrors: what went wrong is in Gin's list, and a program may answer in its own way.
func TestErrors(t *testing.T) {
	var seen []string
	e := engine()
	e.Use(func(c *gin.Context) {
		c.Next()
		for _, err := range c.Errors {
			seen = append(seen, err.Error())
		}
		if len(c.Errors) > 0 && !c.Writer.Written() {
			c.JSON(nano.AsProblem(c.Errors[0]).Status, gin.H{"oops": true})
		}
	})
	behind := false
	e.POST("/shelves/:shelf/items", ginx.Handle(service(), store, ginx.WithErrors(func(*gin.Context, error) {})),
		func(*gin.Context) { behind = true })
	resp := ask(t, e, "application/json", "", `{"name":"full"}`)
	body, _ := io.ReadAll(resp.Body)
	if resp.StatusCode != 409 || string(body) != `{"oops":true}` || len(seen) != 1 ||
		!strings.Contains(seen[0], "the shelf is full") || behind {
		t.Errorf("%d %s, errors %q, next handler called: %t", resp.StatusCode, body, seen, behind)
	}
}

// TestValidator: another validator, or none, takes the place of Gin's.
func TestValidator(t *testing.T) {
	for _, c := range []struct {
		v    binding.StructValidator
		want int
	}{{binding.Validator, 400}, {nil, 200}} {
		e := engine()
		e.POST("/shelves/:shelf/items", ginx.Handle(service(), store, ginx.WithValidator(c.v)))
		if resp := ask(t, e, "application/json", "", `{"count":1}`); resp.StatusCode != c.want {
			t.Errorf("with %T: %d, want %d", c.v, resp.StatusCode, c.want)
		}
	}
}

// TestContext finds Gin's context and the exchange.
func TestContext(t *testing.T) {
	if ginx.Context(context.Background()) != nil {
		t.Error("a context from nowhere has a gin.Context")
	}
	e := engine()
	e.POST("/shelves/:shelf/items", ginx.Handle(service(), func(ctx context.Context, in item) (item, error) {
		return item{Name: ginx.Context(ctx).FullPath()}, nanoStatus(ctx, http.StatusCreated)
	}))
	resp := ask(t, e, "application/json", "", `{"name":"nut"}`)
	if body, _ := io.ReadAll(resp.Body); resp.StatusCode != 201 || !strings.Contains(string(body), "/shelves/:shelf/items") {
		t.Errorf("%d %s", resp.StatusCode, body)
	}
	defer func() {
		if p := recover(); p == nil || !strings.Contains(fmt.Sprint(p), "ginx.Exchanges(service)") {
			t.Errorf("without the middleware: %v", p)
		}
	}()
	c, _ := gin.CreateTestContext(httptest.NewRecorder())
	ginx.Exchange(c)
}

func nanoStatus(ctx context.Context, status int) error {
	nano.FromContext(ctx).SetStatus(status)
	return nil
}

// TestCutOff: an answer that stops in the middle is never taken for a whole one, though
// gin.Recovery swallows the panic that cuts it; over HTTP/1.1 and HTTP/2.
func TestCutOff(t *testing.T) {
	half := func(c *gin.Context) {
		_, _ = c.Writer.WriteString("part of ")
		c.Writer.Flush()
		panic("boom")
	}
	handlers := map[string][]gin.HandlerFunc{
		"stream": {ginx.HandleStream(service(), func(context.Context, nano.Empty) iter.Seq2[item, error] {
			return func(yield func(item, error) bool) {
				if yield(item{Name: "first"}, nil) {
					panic(http.ErrAbortHandler)
				}
			}
		})},
		"exchange": {ginx.Exchanges(service()), half},
	}
	for _, h2 := range []bool{false, true} {
		for name, h := range handlers {
			t.Run(fmt.Sprintf("%s/h2=%t", name, h2), func(t *testing.T) {
				e := engine()
				e.GET("/", h...)
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

// TestBreaker hears of failures of handlers with Gin's own signature, and closes the door.
func TestBreaker(t *testing.T) {
	b := new(breaker)
	e := engine()
	e.Use(ginx.Exchanges(service(nano.WithBreaker(b))))
	e.POST("/shelves/:shelf/items", func(c *gin.Context) { c.JSON(c.GetInt("status"), gin.H{}) })
	for _, status := range []int{200, 404, 500, 503} {
		h := gin.New()
		h.Use(func(c *gin.Context) { c.Set("status", status) })
		h.Use(e.Handlers...)
		h.POST("/shelves/:shelf/items", func(c *gin.Context) { c.JSON(c.GetInt("status"), gin.H{}) })
		before := len(b.outcomes)
		if resp := ask(t, h, "application/json", "", "{}"); resp.StatusCode != status {
			t.Errorf("%d, want %d", resp.StatusCode, status)
		}
		if len(b.outcomes) != before+1 || (b.outcomes[before] != nil) != (status >= 500) {
			t.Errorf("status %d: the breaker was told %v", status, b.outcomes[before:])
		}
	}
	b.open = true
	if resp := ask(t, e, "application/json", "", "{}"); resp.StatusCode != 503 || resp.Header.Get("Retry-After") == "" {
		t.Errorf("open breaker: %d %v", resp.StatusCode, resp.Header)
	}
}

// TestBindingAndRender are Gin's own ways.
func TestBindingAndRender(t *testing.T) {
	e := engine()
	pool := new(codec.Pool)
	e.POST("/shelves/:shelf/items", func(c *gin.Context) {
		var in item
		if err := c.ShouldBindWith(&in, ginx.Binding(codec.Gob{}, 200)); err != nil {
			status := http.StatusBadRequest
			if errors.Is(err, codec.ErrTooLarge) {
				status = http.StatusRequestEntityTooLarge
			}
			c.AbortWithStatusJSON(status, gin.H{"error": err.Error()})
			return
		}
		c.Render(http.StatusOK, ginx.Render{Codec: codec.Gob{}, Data: in, Pool: pool})
	})
	gob := func(i item) string {
		b, err := codec.Gob{}.Marshal(i)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	for _, c := range []struct {
		body   string
		status int
	}{{gob(item{Name: "nut"}), 200}, {gob(item{Count: 1}), 400}, {gob(item{Name: strings.Repeat("n", 300)}), 413}, {"no gob", 400}} {
		resp := ask(t, e, "application/x-gob", "", c.body)
		body, _ := io.ReadAll(resp.Body)
		if resp.StatusCode != c.status {
			t.Errorf("%d %s, want %d", resp.StatusCode, body, c.status)
		}
		if c.status != 200 {
			continue
		}
		var out item
		if err := (codec.Gob{}).Unmarshal(body, &out); err != nil || out.Name != "nut" ||
			resp.Header.Get("Content-Type") != "application/x-gob" {
			t.Errorf("%v, %v, %v", out, err, resp.Header)
		}
	}
}

// TestUseFXJSON: with fxjson behind them, Gin's own handlers answer byte for byte as before.
func TestUseFXJSON(t *testing.T) {
	e := engine()
	e.POST("/shelves/:shelf/items", func(c *gin.Context) {
		var in map[string]any
		if err := c.ShouldBindJSON(&in); err != nil {
			c.JSON(http.StatusBadRequest, gin.H{"error": err.Error()})
			return
		}
		switch in["as"] {
		case "indented":
			c.IndentedJSON(200, in)
		case "pure":
			c.PureJSON(200, in)
		case "session":
			c.JSON(200, session.SampleUserSession(rand.New(rand.NewPCG(1, 0))))
		default:
			c.JSON(200, in)
		}
	})
	bodies := []string{
		`{"a":"<b>&","n":1.50,"l":[1,null,true,"é"]}`, `{"as":"indented","x":{"y":[]}}`, `{"as":"pure","x":"<&>"}`, `{"as":"session"}`,
		`{"a":`, `[1]`, `{"a":"\ud800"}`, ``,
	}
	answers := func() (out []string) {
		for _, b := range bodies {
			resp := ask(t, e, "application/json", "", b)
			text, _ := io.ReadAll(resp.Body)
			out = append(out, fmt.Sprint(resp.StatusCode, resp.Header["Content-Type"], string(text)))
		}
		return out
	}
	want := answers()
	restore := ginx.UseFXJSON()
	got := answers()
	restore()
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("%s: %s, with encoding/json %s", bodies[i], got[i], want[i])
		}
	}
}
