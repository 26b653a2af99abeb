package jsonrt

import (
	"unsafe"

	"github.com/zmylab/zmy/fxjson/internal/jsonwire"
)

// DecodeInts is [DecodeSlice] for integers without a call for each element. A short new slice is
// one of the document's texts, if there is room (BenchmarkUnmarshal/session).
func DecodeInts[S ~[]E, E Signed](d *Dec, i int, v *S) int {
	if cap(*v) > 0 {
		return DecodeSlice(d, i, v, DecodeInt)
	}
	i, open := openSlice(d, i, v)
	if !open {
		return i
	}
	a, first := numbers[E](d), i
	for more := true; more; {
		if len(a) == cap(a) { // no room: read the list again, into memory that grows
			i, *v = decodeElems[S](d, first, DecodeInt[E])
			if n := len(*v); n <= maxNumbers {
				d.before += n * int(unsafe.Sizeof(*new(E)))
			}
			return i
		}
		x, e := jsonwire.ParseInt(d.doc, i)
		y := E(x)
		if e < 0 || int64(y) != x { // white space, null, or no number
			y = 0
			e = DecodeInt(d, i, &y)
		}
		a = append(a, y)
		i, more = d.next(e, ']')
	}
	*v = useNumbers(d, a)
	return i
}
