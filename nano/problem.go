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

// Problem is an error that a client sees, as a problem document (RFC 9457). A handler that returns
// a *Problem decides the answer. Any other error is answered with status 500; its text is logged
// and not sent.
type Problem struct {
	Type   string `json:"type,omitempty"`   // URI of the kind of problem; empty if Status says enough
	Title  string `json:"title,omitempty"`  // of the kind of problem; by default the text of Status
	Status int    `json:"status"`           // 4xx or 5xx
	Detail string `json:"detail,omitempty"` // what happened in this case

	Path    string   `json:"path,omitempty"`    // where in the body: "items[3].price"
	Offset  *int64   `json:"offset,omitempty"`  // where in the body, in bytes from its start
	Accepts []string `json:"accepts,omitempty"` // media types that would be accepted
	TraceID string   `json:"trace_id,omitempty"`

	RetryAfter time.Duration `json:"-"` // header Retry-After, in whole seconds rounded up
	Header     http.Header   `json:"-"` // further header fields of the answer
	Err        error         `json:"-"` // cause; not sent

	violation bool   // the answer is at fault, not the request, though the status is below 500
	instead   string // set if a snapshot may be sent instead: the reason, as a token for Cache-Status
	logged    bool   // the log has it already
}

// Problemf returns a Problem with that status, and with a detail formatted by [fmt.Sprintf].
func Problemf(status int, format string, args ...any) *Problem {
	return &Problem{Status: status, Detail: fmt.Sprintf(format, args...)}
}

// Error returns one line for logs.
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

// AsProblem returns the problem with which [Service.Fail] answers err: a *Problem in its chain, or
// else one of status 504 for a deadline that has passed and 500 for any other error.
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

// JSON returns the problem document.
func (p *Problem) JSON() []byte {
	doc := *p
	doc.Title = p.title()
	b, err := json.Marshal(&doc)
	if err != nil { // strings and numbers only
		panic(err)
	}
	return b
}

// ProblemType is the media type of problem documents. They have it whatever Accept says.
const ProblemType = "application/problem+json"

// Fail answers with err as a problem document, with the header that [Problem.SetHeader] sets. It
// logs errors that are the server's fault, with a trace ID that the document has too. If err was
// returned by [Run], [RunStream] or [Exchange.End], Fail answers within the exchange of that call,
// else within a new one. Nothing must have been written before.
func (s *Service) Fail(w http.ResponseWriter, r *http.Request, err error) {
	s.exchangeOf(w, r, err).Fail(err)
}

// Fail is [Service.Fail] within an exchange. If the answer has begun, it panics with
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
	if !x.answer.coded { // otherwise middleware has set it, and compresses what is written
		delete(h, "Content-Encoding")
	}
	p.SetHeader(h)
	if err := x.answer.write(&x.call, p.Status, ProblemType, p.JSON()); err != nil {
		x.log(slog.LevelInfo, "problem not delivered", "error", err.Error())
	}
}

// StatusClientGone is the status in logs of an exchange whose client has gone before there was an
// answer. nginx uses 499 for that too.
const StatusClientGone = 499

// orGone replaces err with a problem of status 499 if the client has gone. A *Problem is kept:
// net/http cancels the context also when a body cannot be read to its end, and then the client may
// be waiting for the answer.
func (q *call) orGone(err error) error {
	var p *Problem
	if err == nil || !q.clientGone() || errors.As(err, &p) {
		return err
	}
	return &Problem{Status: StatusClientGone, Title: "Client Closed Request", Err: err}
}

// logProblem logs a problem that is the server's fault, and gives it the trace ID.
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

// aboutContent are the header fields that describe the content of an answer, or how long it may be
// cached (RFC 9110, sections 8 and 14.4; RFC 9111, section 5; RFC 9213; RFC 9530; RFC 6266).
// Content-Encoding is missing because middleware that compresses sets it before the handler runs.
var aboutContent = [...]string{
	"Age", "Cache-Control", "Cdn-Cache-Control", "Content-Digest", "Content-Disposition", "Content-Language", "Content-Length",
	"Content-Location", "Content-Range", "Etag", "Expires", "Last-Modified", "Repr-Digest", "Surrogate-Control",
}

// SetHeader sets the header fields of an answer with p, such as Retry-After. Call it if you write
// the document yourself. It deletes fields that describe the content which the function wanted to
// send. It sets Cache-Control: no-store, unless p.Header says otherwise: a problem is about one
// request, and caches may keep an answer of 404 or 410 without being told to (RFC 9110, section
// 15.1).
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

// clip shortens a text of the client that is sent back to it, to at most 200 bytes.
func clip(s string) string {
	const long = 200
	if len(s) <= long {
		return s
	}
	return strings.ToValidUTF8(s[:long], "") + "…"
}
