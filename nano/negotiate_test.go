package nano_test

import (
	"context"
	"errors"
	"iter"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"

	"github.com/zmylab/zmy/codec"
	"github.com/zmylab/zmy/codec/canary"
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

// formless is a codec of JSON that has no form for anything.
type formless struct{ failing }

func (formless) MediaTypes() []string { return codec.StdJSON{}.MediaTypes() }

// TestJSONWithoutForm: a type that JSON has no form for is a mistake, whichever media type of JSON
// the client names, and however it spells it.
func TestJSONWithoutForm(t *testing.T) {
	unsupported := formless{failing{err: codec.WithClass(codec.ClassUnsupported, errors.New("no channels"))}}
	h := nano.Handle(codec.NewRegistry(unsupported, codec.ZMY{}), greet, quiet())
	for _, media := range []string{"application/json", "APPLICATION/JSON", "Application/JSON; charset=utf-8", "text/json"} {
		w := do(t, h, "POST", "/", "{}", "Content-Type", media)
		if p := problem(t, w); w.Code != 400 || !strings.HasSuffix(p.Detail, "/json") {
			t.Errorf("a body of %s: %d %s", media, w.Code, w.Body)
		}
	}
	h = nano.Handle(codec.NewRegistry(unsupported, codec.ZMY{}), func(context.Context, nano.Empty) (answer, error) {
		return answer{}, nil
	}, quiet())
	for _, accept := range []string{"application/json", "text/json", "*/*", "APPLICATION/JSON, */*;q=0.1"} {
		if w := do(t, h, "GET", "/", "", "Accept", accept); w.Code != 500 {
			t.Errorf("an answer as %s: %d %s", accept, w.Code, w.Body)
		}
	}
}

// TestUnsupportedBody: the list of a 415 is without the media type that was sent.
func TestUnsupportedBody(t *testing.T) {
	h := nano.Handle(registry(), func(_ context.Context, in []string) ([]string, error) { return in, nil }, quiet())
	body := string(must(codec.ZMY{}.Marshal(ask{"a", 1})))
	w := do(t, h, "POST", "/", body, "Content-Type", "Application/Vnd.ZMY")
	const list = "application/json, text/json, application/x-gob"
	p := problem(t, w)
	if w.Code != 415 || strings.Join(p.Accepts, ", ") != list || w.Header().Get("Accept") != list || w.Header().Get("Accept-Post") != list {
		t.Errorf("%d %s, %v", w.Code, w.Body, w.Header())
	}
	if p.Detail != "this request's body has no form as application/vnd.zmy; send another media type" {
		t.Error(p.Detail)
	}
	alone := nano.Handle(codec.NewRegistry(codec.ZMY{}), func(context.Context, []string) (nano.Empty, error) {
		return nano.Empty{}, nil
	}, quiet())
	w = do(t, alone, "POST", "/", body, "Content-Type", "application/vnd.zmy")
	if p := problem(t, w); w.Code != 415 || p.Accepts != nil || w.Header()["Accept"] != nil {
		t.Errorf("without another codec: %d %s, %v", w.Code, w.Body, w.Header())
	}
}

// TestNextFormat: an answer that the first codec has no form for is written by the next one that
// Accept allows. The function is called once.
func TestNextFormat(t *testing.T) {
	for _, c := range []struct {
		accept string // "" for none
		status int
		media  string
		lists  string // of a 406: what might be asked for
	}{
		{"", 200, "application/json", ""},
		{"*/*", 200, "application/json", ""},
		{"application/vnd.zmy, application/x-gob;q=0.2, application/json;q=0.1", 200, "application/x-gob", ""},
		{"application/vnd.zmy, */*;q=0.1, application/json;q=0", 200, "application/x-gob", ""},
		{"application/vnd.zmy", 406, "", "application/json application/x-gob"},
		{"application/vnd.zmy, application/json;q=0", 406, "", "application/json application/x-gob"},
	} {
		calls := 0
		h := nano.Handle(codec.NewRegistry(codec.ZMY{}, plainJSON{}, codec.Gob{}), func(context.Context, nano.Empty) ([]string, error) {
			calls++
			return []string{"a"}, nil
		}, quiet())
		var fields []string
		if c.accept != "" {
			fields = []string{"Accept", c.accept}
		}
		w := do(t, h, "GET", "/", "", fields...)
		if w.Code != c.status || calls != 1 || c.status == 200 && w.Header().Get("Content-Type") != c.media {
			t.Errorf("Accept %q: %d %s %q, %d calls", c.accept, w.Code, w.Header().Get("Content-Type"), w.Body, calls)
		}
		if c.status == 406 {
			if p := problem(t, w); strings.Join(p.Accepts, " ") != c.lists || !strings.Contains(p.Detail, "application/vnd.zmy") {
				t.Errorf("Accept %q: %s", c.accept, w.Body)
			}
		}
	}
	alone := nano.Handle(codec.NewRegistry(codec.ZMY{}), func(context.Context, nano.Empty) ([]string, error) { return nil, nil }, quiet())
	if w := do(t, alone, "GET", "/", ""); w.Code != 406 || problem(t, w).Accepts != nil {
		t.Errorf("without another codec: %d %s", w.Code, w.Body)
	}
}

// TestNextFormatTypes: the next codec is the type's own too, and a failure that is none of the
// format's is not tried again.
func TestNextFormatTypes(t *testing.T) {
	own := marked{codec.StdJSON{}}
	reg := codec.NewRegistry(plainJSON{}, failing{err: codec.WithClass(codec.ClassUnsupported, errors.New("no"))}, own)
	if err := codec.SetTypeFor[private](reg, "failing", "marked"); err != nil {
		t.Fatal(err)
	}
	h := nano.Handle(reg, func(context.Context, nano.Empty) (private, error) { return private{"x"}, nil }, quiet())
	if w := do(t, h, "GET", "/", "", "Accept", "application/x-failing, application/json;q=0.1"); w.Code != 200 ||
		w.Header().Get("Content-Type") != "application/json" || !strings.HasPrefix(w.Body.String(), "  ") {
		t.Errorf("%d %q", w.Code, w.Body)
	}
	reg = codec.NewRegistry(failing{err: errors.New("broken")}, plainJSON{})
	h = nano.Handle(reg, func(context.Context, nano.Empty) (private, error) { return private{"x"}, nil }, quiet())
	if w := do(t, h, "GET", "/", ""); w.Code != 500 {
		t.Errorf("another failure: %d %q", w.Code, w.Body)
	}
}

// named is failing under another name.
type named struct {
	failing
	name string
}

func (c named) Name() string { return c.name }

// TestNextFormatArms: the codec of a canary's candidate has another name than the one that is
// registered; it is not asked again either.
func TestNextFormatArms(t *testing.T) {
	unsupported := failing{err: codec.WithClass(codec.ClassUnsupported, errors.New("no"))}
	c := must(canary.New(named{unsupported, "old"}, named{unsupported, "new"}, canary.Options{}))
	h := nano.Handle(codec.NewRegistry(c.Routed(), plainJSON{}), func(context.Context, nano.Empty) (private, error) {
		return private{"x"}, nil
	}, quiet())
	h = arms(c, h)
	for _, arm := range []string{canary.HeaderIncumbent, canary.HeaderCandidate} {
		if w := do(t, h, "GET", "/", "", c.Header(), arm); w.Code != 200 || w.Header().Get("Content-Type") != "application/json" {
			t.Errorf("%s: %d %s", arm, w.Code, w.Body)
		}
	}
}

func arms(c *canary.Canary, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		next.ServeHTTP(w, r.WithContext(c.WithRequest(r.Context(), r.Header.Get(c.Header()), "")))
	})
}

// TestStreamFormats: the codec of a stream is the one that a message of the same type and kind of
// media type would have.
func TestStreamFormats(t *testing.T) {
	jsonOf := func(set func(r *codec.Registry) error) string {
		t.Helper()
		reg := codec.NewRegistry(codec.FXJSON{}, codec.ZMY{}, marked{codec.StdJSON{}}, jsonOnly{codec.StdJSON{}})
		if err := set(reg); err != nil {
			t.Fatal(err)
		}
		h := nano.HandleStream(reg, func(context.Context, nano.Empty) iter.Seq2[private, error] {
			return func(yield func(private, error) bool) { yield(private{"x"}, nil) }
		}, quiet())
		return do(t, h, "GET", "/", "", "Accept", "application/x-ndjson").Body.String()
	}
	for _, c := range []struct {
		name string
		set  func(r *codec.Registry) error
		only bool
	}{
		{"the first codec of JSON", func(*codec.Registry) error { return nil }, false},
		{"the second codec of a type", func(r *codec.Registry) error { return codec.SetTypeFor[private](r, "zmy", "json-only") }, true},
		{"the owner of application/json", func(r *codec.Registry) error { return r.SetMediaType("application/json", "json-only") }, true},
	} {
		if got := jsonOf(c.set); strings.Contains(got, "only") != c.only {
			t.Errorf("%s: %s", c.name, got)
		}
	}
}

// jsonOnly writes JSON that says who wrote it.
type jsonOnly struct{ codec.Codec }

func (jsonOnly) Name() string                { return "json-only" }
func (jsonOnly) MediaTypes() []string        { return []string{"application/json"} }
func (jsonOnly) Marshal(any) ([]byte, error) { return []byte(`"only"`), nil }

// TestNegotiateStream: without a type the registry's default comes first, with one its own codecs.
func TestNegotiateStream(t *testing.T) {
	reg := codec.NewRegistry(codec.FXJSON{}, codec.ZMY{}, codec.Gob{})
	if err := errors.Join(reg.SetDefault("zmy"), codec.SetTypeFor[private](reg, "gob")); err != nil {
		t.Fatal(err)
	}
	s := nano.NewService(reg)
	for _, c := range []struct {
		negotiate func(x *nano.Exchange) error
		want      string
	}{
		{(*nano.Exchange).NegotiateStream, "zmy"},
		{func(x *nano.Exchange) error { return x.NegotiateStreamFor(reflect.TypeFor[*private]()) }, "gob"},
	} {
		x := s.Begin(httptest.NewRecorder(), httptest.NewRequestWithContext(t.Context(), "GET", "/", nil))
		if err := c.negotiate(x); err != nil {
			t.Fatal(err)
		}
		if got, _ := x.Codec(); got.Name() != c.want {
			t.Errorf("%s, want %s", got.Name(), c.want)
		}
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
