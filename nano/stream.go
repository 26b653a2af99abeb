package nano

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"hash"
	"iter"
	"net/http"
	"reflect"
	"strconv"

	"github.com/zmylab/zmy/codec"
)

// HandleStream returns a handler that serves the elements of an iterator as a stream of numbered
// frames (see frame.go and docs/guide/nano.md). Accept chooses the codec by its media type of
// streams ([StreamType]). Each element is sent as soon as the iterator yields it. The stream is
// complete when the iterator returns. If the iterator yields an error before the first element, the
// error decides the status. A later error becomes the last frame, which says that the stream has
// failed.
func HandleStream[In, Out any](reg *codec.Registry, f func(context.Context, In) iter.Seq2[Out, error], opts ...Option) http.Handler {
	return HandleStreamBy(NewService(reg, opts...), f)
}

// HandleStreamBy is [HandleStream] on a service that several handlers share.
func HandleStreamBy[In, Out any](s *Service, f func(context.Context, In) iter.Seq2[Out, error]) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := RunStream(s, w, r, f); err != nil {
			s.Fail(w, r, err)
		}
	})
}

// RunStream is [Run] for streams. If it returns an error, nothing was written, and the caller
// answers.
func RunStream[In, Out any](s *Service, w http.ResponseWriter, r *http.Request,
	f func(context.Context, In) iter.Seq2[Out, error]) (err error) {
	x := s.Begin(w, r)
	defer x.End(&err)
	if err := x.NegotiateStreamFor(reflect.TypeFor[Out]()); err != nil {
		return err
	}
	if err := x.Admit(); err != nil {
		return x.orSnapshot(err)
	}
	if err := x.resume.open(&x.call); err != nil {
		return err
	}
	var in In
	if err := x.Decode(target(&in)); err != nil {
		return err
	}
	x.keepHeader()
	return x.orSnapshot(ReplyStream(x, f(&x.ctx, in)))
}

// ReplyStream sends the elements of seq. If a client resumes the stream, it begins after the
// elements that the client has. An error of ReplyStream may still be answered while
// [Exchange.Written] is false. Later errors of seq end the stream with a failed frame and are not
// returned. If the client has gone or cannot be written to, ReplyStream returns an error too; then
// the connection can only be cut.
func ReplyStream[Out any](x *Exchange, seq iter.Seq2[Out, error]) error {
	if err := x.NegotiateStreamFor(reflect.TypeFor[Out]()); err != nil {
		return err
	}
	if err := x.resume.open(&x.call); err != nil {
		return err
	}
	w := &streamWriter{x: x, seq: x.resume.last, lines: x.format.media == ndjson, out: x.s.pool.Get(buffered), kept: x.record()}
	defer w.close()
	if x.r.Method == http.MethodHead {
		w.begin()
		return nil
	}
	err := pump(w, seq)
	w.pulse.stop() // from here on only this goroutine writes
	if err == nil {
		return w.complete()
	}
	if !x.answer.wrote || w.broken || x.clientGone() {
		return err
	}
	x.ending.failure = err
	p := *problemOf(err)
	x.logProblem(&p)
	return w.end(frame{kind: frameFailed, payload: p.JSON()})
}

// pump sends elements until the iterator ends or there is an error. It turns a panic of the
// iterator or of the codec into an error.
func pump[Out any](w *streamWriter, seq iter.Seq2[Out, error]) (err error) {
	defer func() {
		if p := recover(); p != nil {
			if p == http.ErrAbortHandler {
				panic(p)
			}
			err = w.x.panicked(p)
		}
	}()
	passed := uint64(0)
	var element Out // the same variable for all elements: codecs keep no reference to it
	for v, err := range seq {
		if err != nil {
			return err
		}
		if err := w.x.ctx.Err(); err != nil {
			return err
		}
		if passed < w.x.resume.last && !w.x.resume.taken {
			passed++
			continue
		}
		element = v
		if err := w.element(reference(&element)); err != nil {
			return err
		}
	}
	if passed < w.x.resume.last && !w.x.resume.taken {
		return Problemf(http.StatusRequestedRangeNotSatisfiable, "the stream has %d elements, %s is %d",
			passed, LastSequence, w.x.resume.last)
	}
	return w.x.ctx.Err()
}

// The header fields of resumable streams. The answer to a stream that can be resumed has a
// Resume-Token. If a client is cut off, it sends its request again with that token. The field
// Last-Sequence then has the number of the last frame that the client has received, 0 for none. The
// stream goes on with the next frame.
//
// The token identifies the version of the content in which frames were numbered. If the content has
// another version by then, the answer is 412 and the client starts anew. The token is bound to the
// target of the request but not to its body, so the client sends the same body again.
const (
	ResumeToken  = "Resume-Token"
	LastSequence = "Last-Sequence"
)

// resumption says where a stream begins.
type resumption struct {
	token string // of the answer, "" if the stream cannot be resumed
	last  uint64 // number of the last frame that the client has
	taken bool   // the function has called ResumeAt, so it does not yield the elements up to last

	opened bool
	err    error // the result of read
}

// ResumeAt returns the number of elements that the client of a resumed stream already has, 0 for a
// new stream. A function that calls ResumeAt yields the elements after these. If it does not call
// ResumeAt, it yields all elements, and the first ones are dropped.
func ResumeAt(ctx context.Context) uint64 {
	x := FromContext(ctx)
	if x == nil || x.resume.open(&x.call) != nil { // ReplyStream will return the error
		return 0
	}
	x.resume.taken = true
	return x.resume.last
}

// open calls read once and keeps its error.
func (p *resumption) open(q *call) error {
	if !p.opened {
		p.opened = true
		p.err = p.read(q)
	}
	return p.err
}

// read checks the header fields of a resumed stream and makes the token of the answer.
func (p *resumption) read(q *call) error {
	sent := q.r.Header[ResumeToken]
	if q.s.version == nil {
		if len(sent) > 0 {
			return Problemf(http.StatusBadRequest, "this stream cannot be resumed; send the request without %s", ResumeToken)
		}
		return nil
	}
	version, err := q.s.version(&q.ctx, q.r)
	if err != nil {
		return err
	}
	p.token = q.token(version)
	if len(sent) == 0 {
		return nil
	}
	if len(sent) > 1 || !q.genuine(sent[0]) {
		return Problemf(http.StatusBadRequest, "%s is not one that was given for this request", ResumeToken)
	}
	if sent[0] != p.token {
		return Problemf(http.StatusPreconditionFailed, "the content has changed since the stream was cut off; begin anew, without %s",
			ResumeToken)
	}
	last, err := strconv.ParseUint(q.r.Header.Get(LastSequence), 10, 63)
	if err != nil {
		return Problemf(http.StatusBadRequest, "%s is %q, want the number of the last frame received",
			LastSequence, clip(q.r.Header.Get(LastSequence)))
	}
	p.last = last
	return nil
}

// A token is written in base64 (RFC 4648, section 5, unpadded). It consists of a format version (1
// byte, value 1), a hash of the content's version (8 bytes), and the first 16 bytes of an
// HMAC-SHA-256. The HMAC is over these 9 bytes and over the request's method, target, tenant and
// version of the interface. The token holds no time, since clocks may jump.
const (
	tokenForm    = 1
	tokenVersion = 1 + 8
	tokenSize    = tokenVersion + 16
)

func (q *call) token(version string) string {
	b := make([]byte, 1, tokenSize)
	b[0] = tokenForm
	m := hmac.New(sha256.New, q.s.resumeKey)
	writeParts(m, "version", version) // a keyed hash, so that the token reveals nothing about the version
	b = append(b, m.Sum(nil)[:8]...)
	b = append(b, q.seal(b)...)
	return base64.RawURLEncoding.EncodeToString(b)
}

// genuine reports whether the token was made for this request, with any version of the content.
// The length is checked since the decoder skips line breaks: one token would have many spellings.
func (q *call) genuine(token string) bool {
	if len(token) != base64.RawURLEncoding.EncodedLen(tokenSize) {
		return false
	}
	b, err := base64.RawURLEncoding.Strict().DecodeString(token)
	return err == nil && len(b) == tokenSize && b[0] == tokenForm &&
		hmac.Equal(b[tokenVersion:], q.seal(b[:tokenVersion]))
}

func (q *call) seal(head []byte) []byte {
	m := hmac.New(sha256.New, q.s.resumeKey)
	writeParts(m, "token", string(head), q.r.Method, q.r.URL.RequestURI(), q.key.Tenant, q.key.Version)
	return m.Sum(nil)[:tokenSize-tokenVersion]
}

// writeParts writes each text with its length, so that different lists of texts are different
// bytes.
func writeParts(h hash.Hash, parts ...string) {
	var n [8]byte
	for _, p := range parts {
		binary.BigEndian.PutUint64(n[:], uint64(len(p)))
		h.Write(n[:])
		h.Write([]byte(p))
	}
}
