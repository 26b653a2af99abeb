package nano_test

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"github.com/zmylab/zmy/codec"
	"github.com/zmylab/zmy/nano"
)

// frameworkCases are requests that other frameworks answer wrongly, by what their code does or
// their trackers report; each with what RFC 9110 asks for. Offered are JSON (the default), ZMY and
// gob.
var frameworkCases = []struct {
	accept []string // lines
	status int
	media  string
	who    string
}{
	// gin v1.12.0, Context.NegotiateFormat: weights are dropped,
	// https://github.com/gin-gonic/gin/issues/467
	{[]string{"application/json;q=0.1, application/vnd.zmy;q=0.9"}, 200, "application/vnd.zmy", "gin"},
	// … so that q=0, "not acceptable", selects,
	{[]string{"application/json;q=0, application/vnd.zmy"}, 200, "application/vnd.zmy", "gin"},
	// … an accepted type matches each offer that begins with it,
	// https://github.com/gin-gonic/gin/pull/2316
	{[]string{"application/j"}, 406, "", "gin"},
	{[]string{"application/js*"}, 406, "", "gin"},
	// … and an empty list is anything, but nothing acceptable leaves the status to the caller.
	{[]string{"text/html"}, 406, "", "gin"},
	// echo v4 and v5 have no negotiation: https://github.com/labstack/echo/issues/566
	{[]string{"application/vnd.zmy"}, 200, "application/vnd.zmy", "echo"},
	// kratos v2, CodecForRequest: a line is looked at as one media type, its parameters and
	// whatever follows cut off,
	// https://github.com/go-kratos/kratos/blob/main/transport/http/codec.go
	{[]string{"text/html, application/vnd.zmy"}, 200, "application/vnd.zmy", "kratos"},
	{[]string{"application/x-gob;q=0.5, application/vnd.zmy"}, 200, "application/vnd.zmy", "kratos"},
	{[]string{"application/*;q=0.2, application/x-gob"}, 200, "application/x-gob", "kratos"},
	// … and what is not found is JSON all the same.
	{[]string{"application/json;q=0, */*;q=0"}, 406, "", "kratos"},
	// huma v2, negotiation.SelectQValueFast: wildcards are not known, the first format is the
	// answer to what is not acceptable, https://github.com/danielgtaylor/huma/issues/843
	{[]string{"image/png"}, 406, "", "huma"},
	{[]string{"application/json;q=0"}, 406, "", "huma"},
	{[]string{"application/json;q=0.2, */*"}, 200, "application/vnd.zmy", "huma"},
	{[]string{"application/vnd.zmy; v=1; q=0.1, application/json;q=0.3"}, 200, "application/json", "huma"}, // q behind a parameter
	// grpc-gateway v2, MarshalerForRequest: a line is looked up as it stands,
	// https://github.com/grpc-ecosystem/grpc-gateway/issues/651
	{[]string{"application/vnd.zmy, text/plain, */*"}, 200, "application/vnd.zmy", "grpc-gateway"},
	{[]string{"Application/Vnd.ZMY"}, 200, "application/vnd.zmy", "grpc-gateway"},
	{[]string{"application/vnd.zmy;q=1"}, 200, "application/vnd.zmy", "grpc-gateway"},
	{[]string{"text/html", "application/vnd.zmy"}, 200, "application/vnd.zmy", "grpc-gateway"},

	// RFC 9110, section 12.5.1 and 12.4.2.
	{nil, 200, "application/json", ""},
	{[]string{""}, 200, "application/json", ""},
	{[]string{"*/*"}, 200, "application/json", ""},
	{[]string{"*/*;q=0.1, application/*;q=0.5, application/x-gob;q=0.4"}, 200, "application/json", ""},
	{[]string{"application/*;q=0, */*"}, 406, "", ""},
	{[]string{"application/x-gob;q=0.001"}, 200, "application/x-gob", ""},
	{[]string{"application/x-gob;q=0.000"}, 406, "", ""},
	{[]string{"application/json;q=1.000, application/vnd.zmy;q=0.999"}, 200, "application/json", ""},
	// Elements that are malformed are passed over; if nothing is left, nothing is acceptable.
	{[]string{"nonsense, application/x-gob"}, 200, "application/x-gob", ""},
	{[]string{", ,application/x-gob, ,"}, 200, "application/x-gob", ""},
	{[]string{"nonsense"}, 406, "", ""},
	{[]string{"*"}, 406, "", ""},
	{[]string{"application/json;q=2"}, 406, "", ""},
	{[]string{"application/json;q=NaN"}, 406, "", ""},
	{[]string{"application/json;q=-1"}, 406, "", ""},
}

// plainJSON is offered as application/json only.
type plainJSON struct{ codec.FXJSON }

func (plainJSON) MediaTypes() []string { return []string{"application/json"} }

func TestNegotiation(t *testing.T) {
	h := nano.Handle(codec.NewRegistry(plainJSON{}, codec.ZMY{}, codec.Gob{}), greet, quiet())
	for _, c := range frameworkCases {
		var fields []string
		for _, line := range c.accept {
			fields = append(fields, "Accept", line)
		}
		w := do(t, h, "POST", "/", posted, append(fields, "Content-Type", "application/json")...)
		if w.Code != c.status || c.status == 200 && w.Header().Get("Content-Type") != c.media {
			t.Errorf("%s Accept %q: %d %s, want %d %s", c.who, c.accept, w.Code, w.Header().Get("Content-Type"), c.status, c.media)
		}
		if w.Header().Get("Vary") != "Accept" {
			t.Errorf("Accept %q: Vary %q", c.accept, w.Header()["Vary"])
		}
		if c.status == 406 {
			p := problem(t, w)
			if list := strings.Join(p.Accepts, " "); !strings.Contains(list, "application/vnd.zmy") ||
				!strings.Contains(list, "application/json") {
				t.Errorf("Accept %q: %s", c.accept, w.Body)
			}
		}
	}
}

// TestNotCalled: a function is not called for an answer that nobody would take, nor for a body that
// cannot be read.
func TestNotCalled(t *testing.T) {
	h := nano.Handle(registry(), func(_ context.Context, in ask) (answer, error) {
		t.Errorf("called with %+v", in)
		return answer{}, nil
	}, nano.WithMaxBody(100))
	for _, fields := range [][]string{
		{"Accept", "text/html", "Content-Type", "application/json"},
		{"Content-Type", "text/html"},
		{"Content-Type", "application/json", "Content-Encoding", "br"},
	} {
		do(t, h, "POST", "/", posted, fields...)
	}
	do(t, h, "POST", "/", posted+strings.Repeat(" ", 100), "Content-Type", "application/json")
	do(t, h, "POST", "/", `{"name":`, "Content-Type", "application/json")
}

func TestContentTypes(t *testing.T) {
	h := nano.Handle(registry(), greet, quiet())
	for _, c := range []struct {
		method, contentType string
		status              int
		post, patch         bool
	}{
		{"POST", "application/json", 200, false, false},
		{"POST", "APPLICATION/JSON ; charset=UTF-8", 200, false, false},
		{"POST", `application/json;charset="utf-8"`, 200, false, false},
		{"POST", "application/json; charset=iso-8859-1", 415, false, false},
		{"POST", "text/plain", 415, true, false},
		{"PATCH", "application/x-www-form-urlencoded", 415, false, true},
		{"PUT", "application/*", 415, false, false},
		{"POST", "", 415, true, false},
		{"POST", "/", 415, true, false},
	} {
		var fields []string
		if c.contentType != "" {
			fields = []string{"Content-Type", c.contentType}
		}
		w := do(t, h, c.method, "/", posted, fields...)
		post, patch := w.Header().Get("Accept-Post"), w.Header().Get("Accept-Patch")
		if w.Code != c.status || (post != "") != c.post || (patch != "") != c.patch {
			t.Errorf("%s %q: %d, Accept-Post %q, Accept-Patch %q", c.method, c.contentType, w.Code, post, patch)
		}
		if c.post && (!strings.Contains(post, "application/vnd.zmy") || w.Header().Get("Accept") != post) {
			t.Errorf("%q: Accept-Post %q, Accept %q", c.contentType, post, w.Header().Get("Accept"))
		}
	}
	if w := do(t, h, "POST", "/", posted, "Content-Type", "application/json", "Content-Type", "application/json"); w.Code != 400 {
		t.Errorf("two fields Content-Type: %d", w.Code)
	}
}

// FuzzHeaders: whatever the headers say, the answer is whole: a message in a media type that was
// offered, or a problem.
func FuzzHeaders(f *testing.F) {
	for _, c := range frameworkCases {
		f.Add(strings.Join(c.accept, ","), "application/json", posted)
	}
	f.Add("*/*", `application/json;charset="`, "{}")
	f.Add("*/*", "application/vnd.zmy", "\x00\x01")
	f.Add("*/*", "application/x-gob", "\x03\x00")
	reg := codec.NewRegistry(codec.FXJSON{}, codec.ZMY{})
	h := nano.Handle(reg, greet, quiet())
	f.Fuzz(func(t *testing.T, accept, contentType, body string) {
		w := do(t, h, "POST", "/", body, "Accept", accept, "Content-Type", contentType)
		if w.Code == http.StatusOK {
			c, err := reg.ByMediaType(w.Header().Get("Content-Type"))
			if err != nil {
				t.Fatal(err)
			}
			var v answer
			if err := c.Unmarshal(w.Body.Bytes(), &v); err != nil {
				t.Fatal(err)
			}
			return
		}
		if w.Code < 400 || w.Code >= 500 {
			t.Fatalf("status %d %s", w.Code, w.Body)
		}
		problem(t, w)
	})
}
