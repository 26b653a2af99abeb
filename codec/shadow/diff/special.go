package diff

import (
	"bytes"
	"encoding/json"
	"math"
	"math/big"
	"reflect"
	"time"
)

func pointerTo[T any](v reflect.Value) *T { return addressable(v).Addr().Interface().(*T) }

// sameTime compares instants. Zones count only with Options.Zone, and the reading of the monotonic
// clock never, since it is not sent.
func sameTime(w *walker, a, b reflect.Value) (bool, bool) {
	x, y := pointerTo[time.Time](a), pointerTo[time.Time](b)
	if !x.Equal(*y) {
		return false, true
	}
	if w.Zone {
		_, p := x.Zone()
		_, q := y.Zone()
		return p == q, true
	}
	return true, true
}

func sameBigInt(_ *walker, a, b reflect.Value) (bool, bool) {
	return pointerTo[big.Int](a).Cmp(pointerTo[big.Int](b)) == 0, true
}

func sameBigRat(_ *walker, a, b reflect.Value) (bool, bool) {
	return pointerTo[big.Rat](a).Cmp(pointerTo[big.Rat](b)) == 0, true
}

func sameBigFloat(w *walker, a, b reflect.Value) (bool, bool) {
	x, y := pointerTo[big.Float](a), pointerTo[big.Float](b)
	same := x.Cmp(y) == 0 &&
		(!w.NegativeZero || x.Signbit() == y.Signbit()) &&
		(!w.Precision || x.Prec() == y.Prec())
	return same, true
}

// sameRaw ignores spaces between tokens. An empty message equals null.
func sameRaw(w *walker, a, b reflect.Value) (bool, bool) {
	x, y := a.Bytes(), b.Bytes()
	if bytes.Equal(x, y) {
		return !w.Nil || a.IsNil() == b.IsNil(), true
	}
	if w.Spelling {
		return false, true
	}
	if w.values += (len(x) + len(y)) / 64; w.values > w.MaxValues { // 64 bytes of text are as much work as a value
		w.truncated = true
		return true, true
	}
	return bytes.Equal(compact(x), compact(y)), true
}

func compact(b []byte) []byte {
	if len(b) == 0 {
		return []byte("null")
	}
	var out bytes.Buffer
	if json.Compact(&out, b) != nil {
		return b
	}
	return out.Bytes()
}

// sameScalar compares two numbers, strings or booleans of one type.
func (w *walker) sameScalar(a, b reflect.Value) bool {
	switch k := a.Kind(); {
	case k == reflect.String:
		return a.String() == b.String()
	case k == reflect.Bool:
		return a.Bool() == b.Bool()
	case a.CanInt():
		return a.Int() == b.Int()
	case a.CanUint():
		return a.Uint() == b.Uint()
	case a.CanFloat():
		return w.sameFloat(a.Float(), b.Float())
	}
	x, y := a.Complex(), b.Complex()
	return w.sameFloat(real(x), real(y)) && w.sameFloat(imag(x), imag(y))
}

func (w *walker) sameFloat(x, y float64) bool {
	switch {
	case x != x || y != y:
		return x != x && y != y && !w.NaN
	case w.NegativeZero && x == 0 && y == 0:
		return math.Signbit(x) == math.Signbit(y)
	}
	return x == y
}

// number returns the exact value of a number of any type.
func number(v reflect.Value) (*big.Rat, bool) {
	switch {
	case v.CanInt():
		return new(big.Rat).SetInt64(v.Int()), true
	case v.CanUint():
		return new(big.Rat).SetUint64(v.Uint()), true
	case v.CanFloat():
		r := new(big.Rat).SetFloat64(v.Float())
		return r, r != nil
	case v.Type() == reflect.TypeFor[json.Number]():
		return rat(v.String())
	}
	return nil, false
}

// rat reads a number of JSON. It returns false if its digits or its exponent are too many to write
// out.
func rat(text string) (*big.Rat, bool) {
	f, _, err := big.ParseFloat(text, 10, 64, big.ToNearestEven)
	if err != nil || len(text) > 400 || f.MantExp(nil) > 4096 || f.MantExp(nil) < -4096 {
		return nil, false
	}
	return new(big.Rat).SetString(text)
}
