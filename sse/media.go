package sse

import (
	"strings"

	"github.com/zmylab/zmy/codec"
)

// IsText reports whether c's media type is a text type, whose messages are sent as they are:
// text/*, JSON, XML, YAML and the types with their suffixes (RFC 6839).
func IsText(c codec.Codec) bool {
	base, _, _ := strings.Cut(codec.MediaType(c), ";")
	base = strings.ToLower(strings.TrimSpace(base))
	kind, sub, _ := strings.Cut(base, "/")
	if kind == "text" {
		return true
	}
	for _, suffix := range []string{"+json", "+xml", "+yaml"} {
		if strings.HasSuffix(sub, suffix) {
			return true
		}
	}
	switch base {
	case "application/json", "application/xml", "application/yaml", "application/x-ndjson", "application/json-seq":
		return true
	}
	return false
}
