// Package web holds the scripts for browsers, so that a program can serve them without separate
// files.
package web

import (
	"bytes"
	_ "embed"
	"net/http"
	"time"
)

// SSE is zmy-sse.js, a JavaScript module. It follows streams of events and continues them after
// every kind of failure, and it reads messages of ZMY native in place.
//
//go:embed zmy-sse.js
var SSE []byte

// Handler returns a handler that serves [SSE] at any path.
func Handler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.ServeContent(w, r, "zmy-sse.js", time.Time{}, bytes.NewReader(SSE))
	})
}
