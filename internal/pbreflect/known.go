package pbreflect

import (
	"fmt"
	"math"
	"reflect"
	"time"

	"github.com/zmylab/zmy/internal/pbtype"
	"github.com/zmylab/zmy/internal/pbwire"
)

// The field numbers of google.protobuf.Timestamp and google.protobuf.Duration.
const (
	knownSeconds = 1
	knownNanos   = 2
)

const second = int64(time.Second)

// part is a field of a Timestamp or a Duration.
type part struct {
	set bool
	x   int64
}

// known merges the Timestamp or Duration from i to end into v. It refuses a message that
// time.Time or time.Duration would have to change. Whether it does depends on this message alone,
// not on v, so that Verify agrees.
func (d *decoder) known(k pbtype.Kind, v reflect.Value, i, end int, at frame) *Error {
	if at.left < 1 {
		return fail(pbwire.ErrDepth, i, "")
	}
	seconds, nanos, err := d.parts(i, end)
	if err != nil {
		return err
	}
	if !holds(k, seconds.x, nanos.x) {
		return fail(ErrRange, i, fmt.Sprintf("%v of %d s and %d ns", k, seconds.x, nanos.x))
	}
	if !v.IsValid() {
		return nil
	}
	oldSeconds, oldNanos := split(k, v)
	if !seconds.set {
		seconds.x = oldSeconds
	}
	if !nanos.set {
		nanos.x = oldNanos
	}
	join(k, v, seconds.x, nanos.x)
	return nil
}

// parts reads the fields of a Timestamp or a Duration. Other fields are dropped.
func (d *decoder) parts(i, end int) (seconds, nanos part, err *Error) {
	for i < end {
		num, t, n := pbwire.ConsumeTag(d.b[i:end])
		if n < 0 {
			return seconds, nanos, failed(n, i)
		}
		value := i + n
		n = pbwire.ConsumeValue(num, t, d.b[value:end], pbwire.MaxDepth)
		if n < 0 {
			return seconds, nanos, failed(n, i)
		}
		if t == pbwire.VarintType {
			switch x, _ := pbwire.ConsumeVarint(d.b[value:end]); num {
			case knownSeconds:
				seconds = part{true, int64(x)}
			case knownNanos:
				nanos = part{true, int64(int32(x))}
			}
		}
		i = value + n
	}
	return seconds, nanos, nil
}

// holds reports whether the Go type holds the seconds and nanoseconds unchanged.
func holds(k pbtype.Kind, seconds, nanos int64) bool {
	if k == pbtype.Timestamp {
		return 0 <= nanos && nanos < second
	}
	const most = math.MaxInt64 / second
	switch {
	case seconds > most || seconds < -most, nanos <= -second || nanos >= second:
		return false
	case seconds > 0:
		return nanos >= 0 && seconds*second+nanos > 0
	case seconds < 0:
		return nanos <= 0 && seconds*second+nanos < 0
	}
	return true
}

// split returns the seconds and nanoseconds of v. A zero time counts as absent.
func split(k pbtype.Kind, v reflect.Value) (seconds, nanos int64) {
	if k == pbtype.Duration {
		return v.Int() / second, v.Int() % second
	}
	if x := v.Interface().(time.Time); !x.IsZero() {
		return x.Unix(), int64(x.Nanosecond())
	}
	return 0, 0
}

// join sets v. A sum of a Duration that does not fit, which only two messages together can have,
// becomes the nearest one.
func join(k pbtype.Kind, v reflect.Value, seconds, nanos int64) {
	if k == pbtype.Timestamp {
		v.Set(reflect.ValueOf(time.Unix(seconds, nanos).UTC()))
		return
	}
	sum := seconds*second + nanos
	switch {
	case seconds > 0 && nanos > 0 && sum < 0:
		sum = math.MaxInt64
	case seconds < 0 && nanos < 0 && sum > 0:
		sum = math.MinInt64
	}
	v.SetInt(sum)
}
