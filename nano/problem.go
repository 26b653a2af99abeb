package nano

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Problem is an error as a client sees it: a problem document (RFC 9457). A handler that
// returns one chooses the answer; any other error is answered with status 500, its text
// staying in the server's log.
type Problem struct {
	Type   string `json:"type,omitempty"`   // URI of the kind of problem; absent means that Status says it all
	Title  string `json:"title,omitempty"`  // of the kind; that of Status unless set
	Status int    `json:"status"`           // 4xx or 5xx
	Detail string `json:"detail,omitempty"` // of this occurrence

	Path    string   `json:"path,omitempty"`    // where in the body: "items[3].price"
	Offset  *int64   `json:"offset,omitempty"`  // and how many bytes from its start
	Accepts []string `json:"accepts,omitempty"` // media types that would be accepted
	TraceID string   `json:"trace_id,omitempty"`

	RetryAfter time.Duration `json:"-"` // header Retry-After, in whole seconds rounded up
	Header     http.Header   `json:"-"` // further fields of the answer
	Err        error         `json:"-"` // cause; clients do not see it

	violation bool   // the answer, not the request, is at fault whatever the status
	instead   string // why a snapshot would do: a token for Cache-Status
	logged    bool
}

// Problemf returns a Problem of that status and detail.
func Problemf(status int, format string, args ...any) *Problem {
	return &Problem{Status: status, Detail: fmt.Sprintf(format, args...)}
}

// Error is one line for logs.
func (p *Problem) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "nano: %d %s", p.Status, p.title())
	for _, s := range []string{p.Detail, p.Path} {
		if s != "" {
			b.WriteString(": " + s)
		}
	}
	if p.Err != nil {
		b.WriteString(": " + p.Err.Error())
	}
	return b.String()
}

// Unwrap returns the cause.
func (p *Problem) Unwrap() error { return p.Err }

func (p *Problem) title() string {
	if p.Title != "" {
		return p.Title
	}
	return http.StatusText(p.Status)
}

// AsProblem returns err as the problem that [Service.Fail] answers with: a *Problem in
// its chain, 504 for a deadline that has passed, else 500.
func AsProblem(err error) *Problem { return problemOf(err) }

func problemOf(err error) *Problem {
	var p *Problem
	if errors.As(err, &p) {
		return p
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return &Problem{Status: http.StatusGatewayTimeout, Detail: "the deadline of the request has passed", Err: err}
	}
	return &Problem{Status: http.StatusInternalServerError, Err: err}
}

// JSON returns the document.
func (p *Problem) JSON() []byte {
	doc := *p
	doc.Title = p.title()
	b, err := json.Marshal(&doc)
	if err != nil { // strings and numbers only
		panic(err)
	}
	return b
}

// ProblemType is the media type of problem documents, whatever Accept says.
const ProblemType = "application/problem+json"

// Fail answers with err as a problem document, its header as [Problem.SetHeader] makes it, and logs
// what is the server's fault with its trace, which the document names too. An error of [Run],
// [RunStream] or [Exchange.End] is answered within the exchange that it comes from, others within a
// new one. Nothing must have been written.
func (s *Service) Fail(w http.ResponseWriter, r *http.Request, err error) {
	s.exchangeOf(w, r, err).Fail(err)
}

// Fail is [Service.Fail] within an exchange. Where the answer has begun it panics with
// [http.ErrAbortHandler].
func (x *Exchange) Fail(err error) {
	if x.answer.wrote {
		panic(http.ErrAbortHandler)
	}
	x.ending.failure = err
	p := *problemOf(x.orGone(err))
	if p.Status < 400 || p.Status > 599 {
		p = Problem{Status: http.StatusInternalServerError, Err: err}
	}
	x.logProblem(&p)
	h := x.w.Header()
	if !x.answer.coded { // by middleware that compresses what is written
		delete(h, "Content-Encoding")
	}
	p.SetHeader(h)
	if err := x.answer.write(&x.call, p.Status, ProblemType, p.JSON()); err != nil {
		x.log(slog.LevelInfo, "problem not delivered", "error", err.Error())
	}
}

// StatusClientGone is the status, for logs only, of an exchange whose client has gone
// before there was an answer: nginx's 499.
const StatusClientGone = 499

// orGone replaces what a handler says because its client has gone. Problems stay: net/http
// cancels the context also when a body cannot be read to its end, and then a client may be
// waiting to be told.
func (q *call) orGone(err error) error {
	var p *Problem
	if err == nil || !q.clientGone() || errors.As(err, &p) {
		return err
	}
	return &Problem{Status: StatusClientGone, Title: "Client Closed Request", Err: err}
}

// logProblem logs what the server is to blame for and gives it the trace's ID.
func (q *call) logProblem(p *Problem) {
	if p.Status < 500 && !p.violation {
		return
	}
	if p.TraceID == "" {
		p.TraceID = q.traceID()
	}
	q.trace = p.TraceID
	if !p.logged {
		q.log(slog.LevelError, "failed", "status", p.Status, "error", p.Error())
	}
}

// aboutContent are header fields that describe the content of an answer or how long it is good (RFC
// 9110, sections 8 and 14.4; RFC 9111, section 5; RFC 9213; RFC 9530; RFC 6266). Content-Encoding
// is not among them: middleware that compresses sets it before the handler runs.
var aboutContent = [...]string{
	"Age", "Cache-Control", "Cdn-Cache-Control", "Content-Digest", "Content-Disposition", "Content-Language", "Content-Length",
	"Content-Location", "Content-Range", "Etag", "Expires", "Last-Modified", "Repr-Digest", "Surrogate-Control",
}

// SetHeader sets the header fields of the answer that p is, Retry-After among them: for those who
// write it themselves. Fields that describe the content which would have been the answer are
// deleted. A problem is about one request: it has Cache-Control: no-store, since caches may keep an
// answer of 404 or 410 without being told to (RFC 9110, section 15.1), unless p.Header says
// otherwise.
func (p *Problem) SetHeader(h http.Header) {
	for _, k := range aboutContent {
		delete(h, k)
	}
	h["Cache-Control"] = []string{"no-store"}
	for k, v := range p.Header {
		h[k] = v
	}
	if p.RetryAfter > 0 {
		seconds := (p.RetryAfter + time.Second - 1) / time.Second
		h.Set("Retry-After", strconv.FormatInt(int64(seconds), 10))
	}
}

// clip shortens what a client sent before it is sent back.
func clip(s string) string {
	const long = 200
	if len(s) <= long {
		return s
	}
	return strings.ToValidUTF8(s[:long], "") + "…"
}
