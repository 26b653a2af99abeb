package openapix_test

import (
	"context"
	"iter"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/zmylab/zmy/adapters/openapix"
	"github.com/zmylab/zmy/codec"
	"github.com/zmylab/zmy/nano"
)

const document = `
openapi: 3.0.3
info: {title: orders, version: "1"}
servers: [{url: "https://api.example.org/v1"}]
paths:
  /orders/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get:
      responses:
        "200":
          description: an order
          content:
            application/json: {schema: {$ref: "#/components/schemas/Order"}}
    delete:
      responses: {"204": {description: gone}}
  /orders:
    get:
      responses:
        "200":
          description: all orders
          content:
            application/json: {schema: {type: array, items: {$ref: "#/components/schemas/Order"}}}
components:
  schemas:
    Order:
      type: object
      required: [id, total]
      properties:
        id: {type: string, minLength: 1}
        total: {type: integer, minimum: 0}
        state: {type: string, enum: [open, paid]}
      additionalProperties: false
`

type order struct {
	ID    string `json:"id" zmy:"0"`
	Total int    `json:"total" zmy:"1"`
	State string `json:"state,omitempty" zmy:"2"`
}

func load(t *testing.T, opts ...openapix.Option) *openapix.Checker {
	t.Helper()
	c, err := openapix.Load([]byte(document), opts...)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func serve(h http.Handler, method, target, accept string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, target, nil)
	if accept != "" {
		r.Header.Set("Accept", accept)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

var registry = codec.NewRegistry(codec.FXJSON{}, codec.ZMY{})

func TestCheck(t *testing.T) {
	var log strings.Builder
	logger := nano.WithLogger(slog.New(slog.NewTextHandler(&log, nil)))
	good := order{"a", 1, "open"}
	for _, c := range []struct {
		name, method, target string
		v                    any
		setStatus            int
		lenient              bool
		status               int
		why                  string // what the log says of a violation
	}{
		{"good", "GET", "/v1/orders/a", good, 0, false, 200, ""},
		{"HEAD is GET", "HEAD", "/v1/orders/a", good, 0, false, 200, ""},
		{"HEAD violates", "HEAD", "/v1/orders/a", order{Total: 1}, 0, false, 406, "/id"},
		{"too short", "GET", "/v1/orders/a", order{Total: 1}, 0, false, 406, "at /id: minimum string length is 1"},
		{"too small", "GET", "/v1/orders/a", order{"a", -1, ""}, 0, false, 406, "at /total: number must be at least 0"},
		{"not in the list", "GET", "/v1/orders/a", order{"a", 1, "lost"}, 0, false, 406, "at /state"},
		{"all in a list", "GET", "/v1/orders", []order{good, {"", 1, ""}}, 0, false, 406, "at /1/id"},
		{"status", "GET", "/v1/orders/a", good, 202, false, 406, "status 202 is not documented"},
		{"status, lenient", "GET", "/v1/orders/a", good, 202, true, 202, ""},
		{"operation", "POST", "/v1/orders", good, 0, false, 406, "method not allowed"},
		{"path", "GET", "/v1/users", good, 0, false, 406, "no matching operation"},
		{"path, lenient", "GET", "/v1/users", good, 0, true, 200, ""},
	} {
		for _, accept := range []string{"application/json", "application/vnd.zmy"} {
			if _, list := c.v.([]order); list && accept != "application/json" {
				continue // no message of ZMY is a list
			}
			t.Run(c.name+" "+accept, func(t *testing.T) {
				log.Reset()
				var opts []openapix.Option
				if c.lenient {
					opts = append(opts, openapix.Lenient())
				}
				h := nano.Handle(registry, func(ctx context.Context, _ struct{}) (any, error) {
					nano.FromContext(ctx).SetStatus(c.setStatus)
					return c.v, nil
				}, nano.WithChecker(load(t, opts...)), logger)
				w := serve(h, c.method, c.target, accept)
				if w.Code != c.status {
					t.Fatalf("%d %s\n%s", w.Code, w.Body, &log)
				}
				if (c.why == "") != (log.Len() == 0) || !strings.Contains(log.String(), c.why) {
					t.Errorf("the log says %q, want %q", &log, c.why)
				}
				if c.why != "" && strings.Contains(w.Body.String(), "minimum") {
					t.Errorf("the client is told: %s", w.Body)
				}
			})
		}
	}
}

// TestStream: elements are held against the schema of the array's items; the stream fails
// where the first breaks it, and there is none if that is the first.
func TestStream(t *testing.T) {
	stream := func(orders ...order) http.Handler {
		return nano.HandleStream(registry, func(context.Context, struct{}) iter.Seq2[order, error] {
			return func(yield func(order, error) bool) {
				for _, o := range orders {
					if !yield(o, nil) {
						return
					}
				}
			}
		}, nano.WithChecker(load(t)), nano.WithLogger(slog.New(slog.DiscardHandler)))
	}
	good, bad := order{"a", 1, ""}, order{"", 1, ""}
	for _, accept := range []string{"application/x-ndjson", "application/vnd.zmy-frames"} {
		if w := serve(stream(good, good), "GET", "/v1/orders", accept); w.Code != 200 || strings.Contains(w.Body.String(), "Schema") {
			t.Errorf("%s: %d %s", accept, w.Code, w.Body)
		}
		if w := serve(stream(good, bad, good), "GET", "/v1/orders", accept); w.Code != 200 ||
			!strings.Contains(w.Body.String(), "Schema Violation") {
			t.Errorf("%s: %d %s", accept, w.Code, w.Body)
		}
		if w := serve(stream(bad), "GET", "/v1/orders", accept); w.Code != 406 {
			t.Errorf("%s: %d %s", accept, w.Code, w.Body)
		}
	}
}

func TestBadDocuments(t *testing.T) {
	for name, doc := range map[string]string{
		"no document":       "hello",
		"no title":          "openapi: 3.0.3\ninfo: {version: '1'}\npaths: {}",
		"external":          strings.Replace(document, `"#/components/schemas/Order"`, `"other.yaml#/Order"`, 1),
		"broken references": strings.Replace(document, `"#/components/schemas/Order"`, `"#/components/schemas/Nothing"`, 1),
	} {
		if _, err := openapix.Load([]byte(doc)); err == nil || !strings.HasPrefix(err.Error(), "openapix: ") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
