package otelx

import (
	"runtime"
	"strconv"
	"strings"
)

// Where a codec is used begins behind the frames of this package and of those that wrap codecs: an
// observed codec, the functions by which it is called, several observers, canaries, shadows. How
// many these are differs from call to call, so they are told by their packages.

// mostWrapping is how many frames of wrappers are looked for.
const mostWrapping = 32

// wrapping reports whether a function is one of this package or wraps codecs.
func wrapping(function string) bool {
	rest, ok := strings.CutPrefix(function, module+"/")
	return ok && (strings.HasPrefix(rest, "codec.") || strings.HasPrefix(rest, "codec/") || strings.HasPrefix(rest, "adapters/otelx."))
}

// callers fills pcs with the stack from the function that uses the codec on, and returns how many
// frames there are. The frames of the calling function and of depth frames below the user are left
// out.
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

// stack is the first n frames from the function that uses the codec on.
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
