package nano

import (
	"fmt"
	"net/http"
	"reflect"
	"strings"

	"github.com/zmylab/zmy/codec"
)

// Binder is an In that takes more than the body from a request, by
// [http.Request.PathValue], the query or the header. Bind runs after the body was decoded,
// on a pointer to In. A [Problem] that it returns is the answer; another error is
// answered with 400 without its text.
type Binder interface {
	Bind(r *http.Request) error
}

// Decode fills v, a non-nil pointer, from the request: from a value of the same type that
// was decoded earlier (see [DecodeFirst]), else from the body by its Content-Type; then v's method Bind
// has the rest. Errors are problems:
//
//	400 the body is not a message of that codec, is cut short, or is missing
//	408 the client is too slow
//	413 the body is larger than the limit
//	415 no codec for the Content-Type (fields Accept and Accept-Post or Accept-Patch
//	    say which there are), another charset than UTF-8, or a Content-Encoding but gzip
//
// A request without a body leaves v as it is where the method is not POST, PUT or PATCH,
// where v is a Binder, or where its type has no fields.
func (x *Exchange) Decode(v any) error {
	if x.reuse(v) {
		x.read = true
	} else if err := x.decodeBody(v); err != nil {
		return err
	}
	x.in = v
	if b, ok := v.(Binder); ok {
		if err := b.Bind(x.r); err != nil {
			return bindProblem(err)
		}
	}
	return nil
}

func bindProblem(err error) error {
	if p := problemOf(err); p.Status < 500 {
		return p
	}
	return &Problem{Status: http.StatusBadRequest, Detail: "the path, query or header of the request does not fit", Err: err}
}

func (x *Exchange) decodeBody(v any) error {
	if x.r.Body == nil || x.r.Body == http.NoBody || x.r.ContentLength == 0 {
		return x.withoutBody(v)
	}
	c, media, err := x.bodyCodec(reflect.TypeOf(v))
	if err != nil {
		return err
	}
	if x.r.ContentLength > x.s.maxBody {
		return tooLarge(x.s.maxBody)
	}
	buf, err := x.readBody()
	if err != nil {
		return err
	}
	defer buf.Release() // a codec keeps no reference to what it reads
	if len(buf.B) == 0 && x.r.ContentLength < 0 && !mustHaveBody(x.r.Method, v) {
		return nil
	}
	if err := x.unmarshal(c, buf.B, v); err != nil {
		return x.badBody(media, err)
	}
	return nil
}

func (x *Exchange) withoutBody(v any) error {
	if mustHaveBody(x.r.Method, v) {
		return Problemf(http.StatusBadRequest, "the request has no body")
	}
	return nil
}

func mustHaveBody(method string, v any) bool {
	switch method {
	case http.MethodPost, http.MethodPut, http.MethodPatch:
	default:
		return false
	}
	if _, ok := v.(Binder); ok {
		return false
	}
	t := reflect.TypeOf(v).Elem()
	return t.Kind() != reflect.Struct || t.NumField() > 0
}

// bodyCodec finds the codec of the body, which becomes a t. A missing Content-Type is not guessed: a page of
// another origin can send a body without one, or as text/plain, without asking first.
func (x *Exchange) bodyCodec(t reflect.Type) (codec.Codec, string, error) {
	lines := x.r.Header["Content-Type"]
	if len(lines) > 1 {
		return nil, "", Problemf(http.StatusBadRequest, "the request has %d fields Content-Type", len(lines))
	}
	contentType := ""
	if len(lines) == 1 {
		contentType = lines[0]
	}
	c, err := x.s.reg.ByMediaTypeFor(t, contentType)
	if err != nil {
		return nil, "", x.unsupported(contentType, err)
	}
	if strings.IndexByte(contentType, ';') < 0 {
		return c, contentType, nil
	}
	base, params, _ := strings.Cut(contentType, ";")
	if name := charset(params); name != "" && !strings.EqualFold(name, "utf-8") && !strings.EqualFold(name, "us-ascii") {
		return nil, "", Problemf(http.StatusUnsupportedMediaType, "charset %q is not supported, send UTF-8", clip(name))
	}
	return c, strings.TrimSpace(base), nil
}

func charset(params string) string {
	for p := range strings.SplitSeq(params, ";") {
		if name, value, _ := strings.Cut(p, "="); strings.EqualFold(strings.TrimSpace(name), "charset") {
			return strings.Trim(strings.TrimSpace(value), `"`)
		}
	}
	return ""
}

// unsupported is 415 with what would be accepted: in Accept (RFC 9110, section 15.5.16), and in Accept-Post (Linked
// Data Platform, section 7.1) or Accept-Patch (RFC 5789, section 3.1).
func (x *Exchange) unsupported(contentType string, err error) *Problem {
	accepts := x.s.reg.MediaTypes()
	list := strings.Join(accepts, ", ")
	h := http.Header{"Accept": {list}}
	switch x.r.Method {
	case http.MethodPost:
		h.Set("Accept-Post", list)
	case http.MethodPatch:
		h.Set("Accept-Patch", list)
	}
	detail := "the request has a body and no Content-Type"
	if contentType != "" {
		detail = fmt.Sprintf("Content-Type %q is not supported", clip(contentType))
	}
	return &Problem{Status: http.StatusUnsupportedMediaType, Detail: detail, Accepts: accepts, Header: h, Err: err}
}

func tooLarge(limit int64) *Problem {
	return Problemf(http.StatusRequestEntityTooLarge, "the body is larger than %d bytes", limit)
}
