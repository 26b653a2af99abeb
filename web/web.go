// Package web holds the scripts for browsers, so that a program can serve them without files beside
// it.
package web

import (
	"bytes"
	_ "embed"
	"net/http"
	"time"
)

// SSE is zmy-sse.js, a module of JavaScript: streams of events that continue after every kind of
// failure, and messages of ZMY native read in place.
//
//go:embed zmy-sse.js
var SSE []byte

// Handler serves [SSE], whatever the path.
func Handler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.ServeContent(w, r, "zmy-sse.js", time.Time{}, bytes.NewReader(SSE))
	})
}
