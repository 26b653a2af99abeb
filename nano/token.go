package nano

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"hash"
	"net/http"
	"strconv"
)

// The header fields of resumable streams. The answer to a stream that can be resumed carries
// Resume-Token. A client that was cut off sends its request again with that token and, in
// Last-Sequence, the number of the last frame that it has (0 for none); the stream goes on with
// the next. The token proves which content the numbers count: once that has another
// version the answer is 412, and the client starts anew. It knows the target of the request and not
// its body, which the client sends again as it was.
const (
	ResumeToken  = "Resume-Token"
	LastSequence = "Last-Sequence"
)

// resumption is where a stream begins.
type resumption struct {
	token string // for the answer, "" where the stream cannot be resumed
	last  uint64 // what the client has
	taken bool   // the function begins there itself

	opened bool
	err    error // of opening
}

// ResumeAt returns how many elements the client of a resumed stream already has, 0
// for a new one. A function that calls it begins with the one behind them; of one that does not,
// as many elements are dropped.
func ResumeAt(ctx context.Context) uint64 {
	x := FromContext(ctx)
	if x == nil || x.openResume() != nil { // an error is that of ReplyStream
		return 0
	}
	x.resume.taken = true
	return x.resume.last
}

// openResume opens the resumption once.
func (x *Exchange) openResume() error {
	if !x.resume.opened {
		x.resume.opened = true
		x.resume.err = x.readResume()
	}
	return x.resume.err
}

// readResume reads the fields of a resumed stream and makes the token of the answer.
func (x *Exchange) readResume() error {
	sent := x.r.Header[ResumeToken]
	if x.s.version == nil {
		if len(sent) > 0 {
			return Problemf(http.StatusBadRequest, "this stream cannot be resumed; send the request without %s", ResumeToken)
		}
		return nil
	}
	version, err := x.s.version(&x.ctx, x.r)
	if err != nil {
		return err
	}
	x.resume.token = x.token(version)
	if len(sent) == 0 {
		return nil
	}
	if len(sent) > 1 || !x.genuine(sent[0]) {
		return Problemf(http.StatusBadRequest, "%s is not one that was given for this request", ResumeToken)
	}
	if sent[0] != x.resume.token {
		return Problemf(http.StatusPreconditionFailed, "the content has changed since the stream was cut off; begin anew, without %s", ResumeToken)
	}
	last, err := strconv.ParseUint(x.r.Header.Get(LastSequence), 10, 63)
	if err != nil {
		return Problemf(http.StatusBadRequest, "%s is %q, want the number of the last frame received", LastSequence, clip(x.r.Header.Get(LastSequence)))
	}
	x.resume.last = last
	return nil
}

// A token is, as base64 (RFC 4648, section 5, unpadded): its form (1), a hash of the content's
// version (8 bytes), and the first 16 bytes of the HMAC-SHA-256 of both and of what the request
// is: method, target, tenant, version of the interface. It holds no time: clocks may jump.
const (
	tokenForm    = 1
	tokenVersion = 1 + 8
	tokenSize    = tokenVersion + 16
)

func (x *Exchange) token(version string) string {
	b := make([]byte, 1, tokenSize)
	b[0] = tokenForm
	m := hmac.New(sha256.New, x.s.resumeKey)
	writeParts(m, "version", version) // keyed, so that it tells nothing of the version
	b = append(b, m.Sum(nil)[:8]...)
	b = append(b, x.seal(b)...)
	return base64.RawURLEncoding.EncodeToString(b)
}

// genuine reports whether the token was made for such a request, for whatever version.
func (x *Exchange) genuine(token string) bool {
	b, err := base64.RawURLEncoding.Strict().DecodeString(token)
	return err == nil && len(b) == tokenSize && b[0] == tokenForm &&
		hmac.Equal(b[tokenVersion:], x.seal(b[:tokenVersion]))
}

func (x *Exchange) seal(head []byte) []byte {
	m := hmac.New(sha256.New, x.s.resumeKey)
	writeParts(m, "token", string(head), x.r.Method, x.r.URL.RequestURI(), x.key.Tenant, x.key.Version)
	return m.Sum(nil)[:tokenSize-tokenVersion]
}

// writeParts writes texts so that no two lists of them are the same bytes.
func writeParts(h hash.Hash, parts ...string) {
	var n [8]byte
	for _, p := range parts {
		binary.BigEndian.PutUint64(n[:], uint64(len(p)))
		h.Write(n[:])
		h.Write([]byte(p))
	}
}
