package serve

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/zmylab/zmy/cmd/zmy/feed"
	"github.com/zmylab/zmy/codec"
	"github.com/zmylab/zmy/examples/order"
	"github.com/zmylab/zmy/examples/session"
	"github.com/zmylab/zmy/nano"
	"github.com/zmylab/zmy/sse"
)

func start(t *testing.T, o Options) (*Service, *httptest.Server) {
	t.Helper()
	o.Log = slog.New(slog.DiscardHandler)
	s, err := New(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	srv := httptest.NewServer(s)
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		srv.Close()
	})
	return s, srv
}

func do(t *testing.T, method, url, contentType, accept string, body []byte) (*http.Response, []byte) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, url, bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if contentType != "" {
		r.Header.Set("Content-Type", contentType)
	}
	if accept != "" {
		r.Header.Set("Accept", accept)
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp, data
}

// TestEveryCodec: a session that is put in one codec is got in each.
func TestEveryCodec(t *testing.T) {
	s, srv := start(t, Options{Seed: 1})
	v := session.SampleUserSession(rand.New(rand.NewPCG(7, 7)))
	v.Attrs = map[string]any{"plan": "team"} // what all codecs keep alike
	names := s.codecs.Names()
	if len(names) < 5 {
		t.Fatalf("codecs %q", names)
	}
	for _, name := range names {
		c, err := s.codecs.Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		body, err := c.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		resp, _ := do(t, http.MethodPut, srv.URL+"/sessions/"+name, codec.MediaType(c), codec.MediaType(c), body)
		if resp.StatusCode != 200 {
			t.Fatalf("put as %s: %s", name, resp.Status)
		}
		for _, other := range names {
			c, err := s.codecs.Lookup(other)
			if err != nil {
				t.Fatal(err)
			}
			resp, body := do(t, http.MethodGet, srv.URL+"/sessions/"+name, "", codec.MediaType(c), nil)
			var got session.UserSession
			if err := c.Unmarshal(body, &got); err != nil || resp.Header.Get("Content-Type") != codec.MediaType(c) {
				t.Fatalf("put as %s, got as %s: %v, %s", name, other, err, resp.Header.Get("Content-Type"))
			}
			if !got.CreatedAt.Equal(v.CreatedAt) || !got.ExpiresAt.Equal(v.ExpiresAt) {
				t.Errorf("put as %s, got as %s: times %s, %s", name, other, got.CreatedAt, got.ExpiresAt)
			}
			got.CreatedAt, got.ExpiresAt = v.CreatedAt, v.ExpiresAt
			if !reflect.DeepEqual(got, v) {
				t.Errorf("put as %s, got as %s:\n%+v\n%+v", name, other, got, v)
			}
		}
	}
}

// TestAnswers of one kind each.
func TestAnswers(t *testing.T) {
	_, srv := start(t, Options{Seed: 1})
	const js = "application/json"
	for _, c := range []struct {
		method, path, contentType, accept, body string
		status                                  int
		want                                    string
	}{
		{"GET", "/sessions/demo", "", "", "", 200, `"user_id"`},
		{"GET", "/sessions/nobody", "", "", "", 404, "/sessions/demo"},
		{"GET", "/sessions/demo", "", "text/html", "", 406, "application/vnd.zmy"},
		{"PUT", "/sessions/demo", "text/csv", "", "a,b", 415, "application/vnd.zmy"},
		{"POST", "/orders", js, "", `{"items":[{"sku":"A","price":"1.5","attrs":{},"details":{}}]}`, 201, `"sku":"A"`},
		{"POST", "/orders", js, "", `{"items":[]}`, 422, "needs items"},
		{"POST", "/orders", js, "", `{"items":[{"sku":7}]}`, 400, "items"},
		{"GET", "/orders/none", "", "", "", 404, "GET /orders"},
		{"GET", "/codecs", "", "", "", 200, `"name":"msgpack"`},
		{"GET", "/", "", "", "", 200, "<title>zmy serve</title>"},
		{"GET", "/page.js", "", "", "", 200, "EventStream"},
		{"GET", "/zmy-sse.js", "", "", "", 200, "export"},
		{"GET", "/canary", "", "", "", 200, "json"},
		{"GET", "/metrics", "", "", "", 200, `zmy_codec_duration_seconds_count{codec=`},
		{"GET", "/metrics", "", "", "", 200, `zmy_nano_outcomes_total{outcome="not-acceptable",service="api"} 1`},
		{"GET", "/metrics", "", "", "", 200, `zmy_sse_connections{hub="orders"} 0`},
		{"GET", "/metrics", "", "", "", 200, `zmy_sse_lag_seconds_count{hub="orders"} 0`},
		{"GET", "/events?codec=none", "", "", "", 400, `only in [\"fxjson\" \"json\" \"zmy\"]`},
		{"GET", "/debug/pprof/", "", "", "", 404, ""},
	} {
		resp, body := do(t, c.method, srv.URL+c.path, c.contentType, c.accept, []byte(c.body))
		if resp.StatusCode != c.status || !strings.Contains(string(body), c.want) {
			t.Errorf("%s %s: %s %.200s, want %d with %s", c.method, c.path, resp.Status, body, c.status, c.want)
		}
	}
}

// TestOrders: the stream has every order, in each codec, and the new one at the place that Location
// names.
func TestOrders(t *testing.T) {
	s, srv := start(t, Options{Seed: 1})
	v := order.SampleOrder(rand.New(rand.NewPCG(3, 3)))
	v.ID = "a/b c"
	body, err := codec.ZMY{}.Marshal(&v)
	if err != nil {
		t.Fatal(err)
	}
	resp, _ := do(t, http.MethodPost, srv.URL+"/orders", "application/vnd.zmy", "", body)
	if resp.StatusCode != http.StatusCreated {
		t.Fatal(resp.Status)
	}
	if resp, _ := do(t, http.MethodGet, srv.URL+resp.Header.Get("Location"), "", "", nil); resp.StatusCode != 200 {
		t.Errorf("at %s: %s", resp.Request.URL, resp.Status)
	}
	if resp, _ := do(t, http.MethodPost, srv.URL+"/orders", "application/vnd.zmy", "", body); resp.StatusCode != http.StatusConflict {
		t.Errorf("a second time: %s", resp.Status)
	}
	for _, name := range s.codecs.Names() {
		c, err := s.codecs.Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		var ids []string
		for got, err := range nano.ReadStream[order.Order](codec.NewRegistry(c), func() (*http.Request, error) {
			return http.NewRequestWithContext(t.Context(), http.MethodGet, srv.URL+"/orders", nil)
		}, nano.StreamOptions{}) {
			if err != nil {
				t.Fatalf("%s: %v", c.Name(), err)
			}
			ids = append(ids, got.ID)
		}
		if len(ids) != firstOrders+1 || ids[firstOrders] != v.ID {
			t.Errorf("%s: %d orders, the last one %q", c.Name(), len(ids), ids[len(ids)-1])
		}
	}
	for i := firstOrders + 1; i <= mostOrders; i++ {
		next := v
		next.ID = fmt.Sprint(i)
		if err := s.orders.add(&next); (err == errFull) != (i == mostOrders) {
			t.Errorf("order %d: %v", i, err)
		}
	}
	body, err = codec.ZMY{}.Marshal(&order.Order{ID: "one more", Items: v.Items})
	if err != nil {
		t.Fatal(err)
	}
	if resp, _ := do(t, http.MethodPost, srv.URL+"/orders", "application/vnd.zmy", "",
		body); resp.StatusCode != http.StatusInsufficientStorage {
		t.Errorf("beyond the limit: %s", resp.Status)
	}
}

// TestEvents: each codec's events hold the order that was posted.
func TestEvents(t *testing.T) {
	_, srv := start(t, Options{Seed: 1})
	for _, c := range eventCodecs {
		client := &sse.Client{URL: srv.URL + "/events?codec=" + c.Name(), OnConnect: func(*http.Response) {
			body := `{"id":"by ` + c.Name() + `","items":[{"sku":"A","price":"1.5","attrs":{},"details":{}}]}`
			resp, err := http.Post(srv.URL+"/orders", "application/json", strings.NewReader(body))
			if err != nil {
				t.Error(err)
				return
			}
			resp.Body.Close()
		}}
		for e, err := range client.Events(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			data := e.Data
			if !sse.IsText(c) {
				if data, err = base64.StdEncoding.AppendDecode(nil, e.Data); err != nil {
					t.Fatal(err)
				}
			}
			var got order.Order
			if err := c.Unmarshal(data, &got); err != nil || got.ID != "by "+c.Name() || e.Type != "order" || e.ID == "" {
				t.Errorf("%s: %q %q %q, %v", c.Name(), e.ID, e.Type, got.ID, err)
			}
			break
		}
	}
}

// TestArms: the header of the canary chooses, and both arms give the same JSON.
func TestArms(t *testing.T) {
	_, srv := start(t, Options{Seed: 1})
	var bodies [2]any
	for i, arm := range []string{"stable", "canary"} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, srv.URL+"/sessions/demo", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("X-ZMY-ENV", arm)
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		err = json.NewDecoder(resp.Body).Decode(&bodies[i])
		resp.Body.Close()
		if want := [2]string{"incumbent", "candidate"}[i]; err != nil || resp.Header.Get("X-Arm") != want {
			t.Errorf("%s: arm %q, %v", arm, resp.Header.Get("X-Arm"), err)
		}
	}
	if !reflect.DeepEqual(bodies[0], bodies[1]) {
		t.Errorf("%v\n%v", bodies[0], bodies[1])
	}
}

// TestMock: answers are made up only where the service was told to.
func TestMock(t *testing.T) {
	for _, on := range []bool{false, true} {
		_, srv := start(t, Options{Seed: 1, Mock: on})
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, srv.URL+"/sessions/demo", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set(nano.MockType, "error")
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if (resp.StatusCode == 503) != on {
			t.Errorf("-mock=%t: %s", on, resp.Status)
		}
	}
}

// TestFromHere: steering and mocking are for requests that this machine has sent to itself.
func TestFromHere(t *testing.T) {
	for _, c := range []struct {
		remote, host, field string
		want                bool
	}{
		{"127.0.0.1:4711", "127.0.0.1:8080", "", true},
		{"127.0.0.1:4711", "localhost", "", true},
		{"[::1]:4711", "[::1]:8080", "", true},
		{"[::1]:4711", "[::1]", "", true},
		{"10.0.0.7:4711", "127.0.0.1:8080", "", false},
		{"127.0.0.1:4711", "evil.example:8080", "", false},
		{"127.0.0.1:4711", "127.0.0.1.evil.example", "", false},
		{"127.0.0.1:4711", "127.0.0.1:8080", "X-Forwarded-For", false},
		{"127.0.0.1:4711", "127.0.0.1:8080", "Forwarded", false},
		{"", "localhost", "", false},
	} {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.RemoteAddr, r.Host = c.remote, c.host
		if c.field != "" {
			r.Header.Set(c.field, "for=10.0.0.7")
		}
		if got := fromHere(r); got != c.want {
			t.Errorf("%+v: %t", c, got)
		}
	}
}

// TestRun serves until it is told to stop, with a connection open that follows the events.
func TestRun(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s, err := New(t.Context(), Options{Seed: 1, Every: 1e6, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	ended := make(chan error, 1)
	go func() { ended <- s.Run(ctx, l) }()
	resp, err := http.Get("http://" + l.Addr().String() + "/events")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	events := sse.NewReader(resp.Body, 0, "")
	for n := 0; ; n++ {
		if n == 3 {
			stop()
		}
		if _, err := events.Next(); err != nil {
			if n < 3 || err != io.EOF && err != io.ErrUnexpectedEOF { // the latter where a machine is too busy to end it in time
				t.Errorf("after %d events: %v", n, err)
			}
			break
		}
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// TestLock: the page reads orders by the schema that they have.
func TestLock(t *testing.T) {
	want, err := os.ReadFile(filepath.Join("..", "..", "..", "examples", "order", "zmy.lock"))
	if err != nil {
		t.Fatal(err)
	}
	got, err := files.ReadFile("order.lock")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("order.lock is not examples/order/zmy.lock: copy it")
	}
}

// TestLoad: events on demand, for this machine and with -mock only.
func TestLoad(t *testing.T) {
	if _, srv := start(t, Options{Seed: 1}); srv != nil {
		if resp, _ := do(t, "GET", srv.URL+feed.StatePath, "", "", nil); resp.StatusCode != http.StatusNotFound {
			t.Errorf("without -mock: %s", resp.Status)
		}
	}
	_, srv := start(t, Options{Seed: 1, Mock: true, Flush: "batch"})
	const good = `{"run":"r","codec":"zmy","from":7,"rate":1000,"burst":5,"for_ns":20000000}`
	for _, c := range []struct {
		name, method, path, body, origin string
		status                           int
		want                             string
	}{
		{"state", "GET", feed.StatePath, "", "", 200, `"flush":"batch"`},
		{"collect", "POST", feed.StatePath, "", "", 200, `"msgpack"`},
		{"collect for a page elsewhere", "POST", feed.StatePath, "", "https://example.com", 403, ""},
		{"publish", "POST", feed.EventsPath, good, "", 200, `"published":`},
		{"publish for a page elsewhere", "POST", feed.EventsPath, good, "https://example.com", 403, ""},
		{"no JSON", "POST", feed.EventsPath, "x", "", 400, "invalid character"},
		{"a codec that there is not", "POST", feed.EventsPath, strings.Replace(good, "zmy", "yaml", 1), "", 400, `no codec "yaml"`},
		{"for ever", "POST", feed.EventsPath, strings.Replace(good, "20000000", "999999999999999", 1), "", 400, "at most an hour"},
		{"another's topic", "GET", feed.EventsPath + "?run=a.b", "", "", 403, ""},
	} {
		r, err := http.NewRequestWithContext(t.Context(), c.method, srv.URL+c.path, strings.NewReader(c.body))
		if err != nil {
			t.Fatal(err)
		}
		if c.origin != "" {
			r.Header.Set("Origin", c.origin)
		}
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if err != nil || resp.StatusCode != c.status || !strings.Contains(string(body), c.want) {
			t.Errorf("%s: %s %.200s, %v, want %d with %s", c.name, resp.Status, body, err, c.status, c.want)
		}
	}
	r := httptest.NewRequest("GET", feed.StatePath, nil)
	r.RemoteAddr = "10.0.0.7:1"
	w := httptest.NewRecorder()
	s, _ := start(t, Options{Seed: 1, Mock: true})
	if s.ServeHTTP(w, r); w.Code != http.StatusForbidden {
		t.Errorf("from another machine: %d", w.Code)
	}
}

// TestFlush: every policy that is named exists, and no other.
func TestFlush(t *testing.T) {
	for _, p := range FlushPolicies {
		if got, err := FindFlush(p.Name); err != nil || got != p {
			t.Errorf("%s: %+v, %v", p.Name, got, err)
		}
	}
	if p, err := FindFlush(""); err != nil || p.Name != "drain" || p.policy != (sse.FlushPolicy{}) {
		t.Errorf("%+v, %v", p, err)
	}
	if _, err := New(t.Context(), Options{Flush: "often"}); err == nil || !strings.Contains(err.Error(), "drain, each, batch, 4k") {
		t.Errorf("%v", err)
	}
}
