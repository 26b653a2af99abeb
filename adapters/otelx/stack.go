package otelx

import (
	"runtime"
	"strconv"
	"strings"
)

// NOTE: to find the function that uses a codec, callers skips the frames of this package and of
// packages that wrap codecs: an observed codec, the functions that call it, several observers,
// canaries, shadows. The number of these frames differs from call to call, so they are recognised
// by their packages.

// mostWrapping is how many frames are searched for wrappers.
const mostWrapping = 32

// wrapping reports whether a function belongs to this package or to one that wraps codecs.
func wrapping(function string) bool {
	rest, ok := strings.CutPrefix(function, module+"/")
	return ok && (strings.HasPrefix(rest, "codec.") || strings.HasPrefix(rest, "codec/") || strings.HasPrefix(rest, "adapters/otelx."))
}

// callers fills pcs with the stack that begins at the function that uses the codec, and returns the
// number of frames. It leaves out the first depth frames of that stack.
func callers(depth int, pcs []uintptr) int {
	var top [mostWrapping]uintptr
	frames, skip := runtime.CallersFrames(top[:runtime.Callers(0, top[:])]), 1 // runtime.Callers itself
	_, more := frames.Next()
	for more {
		var f runtime.Frame
		if f, more = frames.Next(); !wrapping(f.Function) {
			break
		}
		skip++
	}
	return runtime.Callers(skip+depth, pcs)
}

// deeper reports whether the codec is used more than depth frames deep in the stack.
func deeper(depth int) bool {
	var pc [1]uintptr
	return callers(depth, pc[:]) > 0
}

// stack describes the first n frames that begin at the function that uses the codec.
func stack(n int) string {
	pcs := make([]uintptr, n)
	pcs = pcs[:callers(0, pcs)]
	if len(pcs) == 0 {
		return ""
	}
	frames := runtime.CallersFrames(pcs)
	var b strings.Builder
	for {
		f, more := frames.Next()
		if f.Function != "" {
			b.WriteString(f.Function + "\n\t" + f.File + ":" + strconv.Itoa(f.Line) + "\n")
		}
		if !more {
			return b.String()
		}
	}
}
