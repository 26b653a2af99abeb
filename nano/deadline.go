package nano

import (
	"net/http"
	"time"
)

// Deadlines are set as http.ResponseController does it, but without an allocation where a
// response writer has none. They report whether the deadline is set.

// setReadDeadline takes a response writer that panics for one that has no deadlines: who calls it may be a timer's
// goroutine, which nobody recovers, or the end of an exchange.
func setReadDeadline(w http.ResponseWriter, t time.Time) (ok bool) {
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	for {
		switch v := w.(type) {
		case interface{ SetReadDeadline(time.Time) error }:
			return v.SetReadDeadline(t) == nil
		case interface{ Unwrap() http.ResponseWriter }:
			w = v.Unwrap()
		default:
			return false
		}
	}
}

func setWriteDeadline(w http.ResponseWriter, t time.Time) bool {
	for {
		switch v := w.(type) {
		case interface{ SetWriteDeadline(time.Time) error }:
			return v.SetWriteDeadline(t) == nil
		case interface{ Unwrap() http.ResponseWriter }:
			w = v.Unwrap()
		default:
			return false
		}
	}
}

// flush sends what the response writer holds; without the means to it reports false.
func flush(w http.ResponseWriter) (ok bool, err error) {
	for {
		switch v := w.(type) {
		case interface{ FlushError() error }:
			return true, v.FlushError()
		case http.Flusher:
			v.Flush()
			return true, nil
		case interface{ Unwrap() http.ResponseWriter }:
			w = v.Unwrap()
		default:
			return false, nil
		}
	}
}
