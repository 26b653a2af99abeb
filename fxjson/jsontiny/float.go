package jsontiny

import (
	"math"
	"strconv"
	"unsafe"

	"github.com/zmylab/zmy/fxjson/internal/jsonwire"
)

// NOTE: Floats are written and read by strconv, which programs link anyway. The kernels of package
// jsonwire are several times as fast, but would add a second table of powers of ten: 11 KB that do
// not compress.

// EncodeFloat appends the shortest digits that read back as *v; infinities and NaN fail.
func EncodeFloat[T Float](e *Enc, b []byte, v *T) []byte {
	f := float64(*v)
	if f-f != 0 {
		return e.fail(b, "a float is infinite or no number", nil)
	}
	return appendFloat(b, f, int(unsafe.Sizeof(*v))*8)
}

// appendFloat appends f as encoding/json does. Very small and very large numbers have an exponent
// of as few digits as possible, as in ECMAScript.
func appendFloat(b []byte, f float64, bits int) []byte {
	format, small, large := byte('f'), 1e-6, 1e21
	abs := math.Abs(f)
	if bits == 32 {
		small, large = float64(float32(small)), float64(float32(large))
	}
	if abs != 0 && (abs < small || abs >= large) {
		format = 'e'
	}
	b = strconv.AppendFloat(b, f, format, -1, bits)
	if n := len(b); format == 'e' && n >= 4 && b[n-4] == 'e' && b[n-2] == '0' {
		b[n-2] = b[n-1]
		b = b[:n-1]
	}
	return b
}

// DecodeFloat reads a number into *v, rounded to the nearest T.
func DecodeFloat[T Float](d *Dec, i int, v *T) int {
	i = jsonwire.SkipSpace(d.doc, i)
	if e := jsonwire.SkipNumber(d.doc, i); e > 0 {
		if x, err := strconv.ParseFloat(string(d.doc[i:e]), int(unsafe.Sizeof(*v))*8); err == nil {
			*v = T(x)
			return e
		}
	}
	return d.null(i, sized("a float", unsafe.Sizeof(*v)))
}

// isFloat64 reports whether there is a number at i that a float64 can hold.
func isFloat64(d *Dec, i int) bool {
	_, err := strconv.ParseFloat(string(d.doc[i:max(i, jsonwire.SkipNumber(d.doc, i))]), 64)
	return err == nil
}
