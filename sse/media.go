package sse

import "strings"

// isTextType reports whether messages of a media type are UTF-8 text.
func isTextType(mediaType string) bool {
	base, _, _ := strings.Cut(mediaType, ";")
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
