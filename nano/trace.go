package nano

import (
	"encoding/hex"
	"math/rand/v2"
	"strings"
)

// TraceID returns the trace of the request: that of its traceparent header (W3C Trace
// Context, section 3.2), else a random one that stays the same for the exchange.
func (x *Exchange) TraceID() string {
	if x.trace == "" {
		x.trace = traceOf(x.r.Header["Traceparent"])
	}
	return x.trace
}

func traceOf(lines []string) string {
	if len(lines) == 1 {
		if id, ok := parseTraceparent(lines[0]); ok {
			return id
		}
	}
	var b [16]byte
	for i := range b { // an identifier, not a secret
		b[i] = byte(rand.Uint32())
	}
	return hex.EncodeToString(b[:])
}

// parseTraceparent returns the trace ID of version-traceid-parentid-flags. Versions after 00
// may have more behind a further dash.
func parseTraceparent(s string) (string, bool) {
	const size = 2 + 1 + 32 + 1 + 16 + 1 + 2
	if len(s) < size || s[2] != '-' || s[35] != '-' || s[52] != '-' {
		return "", false
	}
	version, id, parent, flags := s[:2], s[3:35], s[36:52], s[53:55]
	if !lowerHex(version) || !lowerHex(id) || !lowerHex(parent) || !lowerHex(flags) || version == "ff" {
		return "", false
	}
	if len(s) > size && (version == "00" || s[size] != '-') {
		return "", false
	}
	if strings.Trim(id, "0") == "" || strings.Trim(parent, "0") == "" {
		return "", false
	}
	return id, true
}

func lowerHex(s string) bool {
	for _, c := range []byte(s) {
		if (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}
