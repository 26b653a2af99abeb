package worker

import (
	"bytes"
	"fmt"
	"reflect"
	"time"

	"github.com/zmylab/zmy/lab/fidelity"
)

// capable makes these checks. They do not judge what the codec does to values, so if it fails on
// the way, the result is n/a.
func (b *binding[T, N]) capable() []Check {
	return []Check{
		tolerant(CheckSame, b.checkSame),
		tolerant(CheckTimes, b.checkTimes),
		tolerant(CheckAny, b.checkAny),
	}
}

func unknown(name, why string) Check { return Check{Name: name, Result: "n/a", Detail: why} }

func tolerant(name string, check func() Check) (c Check) {
	defer func() {
		if p := recover(); p != nil {
			c = unknown(name, fmt.Sprint("panic: ", p))
		}
	}()
	return check()
}

// sameValues values with maps are each encoded sameTries times, to see whether the bytes differ. A
// map of two entries has the same order in every second try.
const (
	sameValues = 4
	sameTries  = 8
)

func (b *binding[T, N]) checkSame() Check {
	enc, tried := b.codec.Encoders[0].New(), 0
	for i := range b.vals {
		if tried == sameValues {
			break
		}
		if !hasMap(reflect.ValueOf(b.original(i))) {
			continue
		}
		tried++
		var first []byte
		for try := range sameTries {
			out, err := enc(nil, &b.vals[i])
			switch {
			case err != nil:
				return unknown(CheckSame, err.Error())
			case try == 0:
				first = bytes.Clone(out)
			case !bytes.Equal(first, out):
				return Check{Name: CheckSame, Result: "no", Detail: fmt.Sprintf("value %d was encoded twice, to other bytes", i)}
			}
		}
	}
	if tried == 0 {
		return unknown(CheckSame, "the values have no map of two entries to tell it by")
	}
	return Check{Name: CheckSame, Result: "yes"}
}

// units are the precisions that times may keep, finest first.
var units = []struct {
	name string
	time time.Time
}{
	{"nanoseconds", time.Unix(1700000000, 123456789).UTC()},
	{"microseconds", time.Unix(1700000000, 123456000).UTC()},
	{"milliseconds", time.Unix(1700000000, 123000000).UTC()},
	{"seconds", time.Unix(1700000000, 0).UTC()},
}

func (b *binding[T, N]) checkTimes() Check {
	for i, u := range units {
		set := func(x reflect.Value) bool {
			if x.Type() == reflect.TypeFor[time.Time]() && x.CanSet() {
				x.Set(reflect.ValueOf(u.time))
				return true
			}
			return false
		}
		diffs, why := b.trip(set)
		switch {
		case why != "":
			return unknown(CheckTimes, why)
		case fidelity.Grade(diffs) == fidelity.GradeLossy:
		case i == 0:
			return Check{Name: CheckTimes, Result: "yes", Detail: u.name}
		default:
			return Check{Name: CheckTimes, Result: "no", Detail: u.name}
		}
	}
	return Check{Name: CheckTimes, Result: "no", Detail: "not even seconds are kept"}
}

func (b *binding[T, N]) checkAny() Check {
	const wide = 1<<53 + 1 // float64 does not hold it
	set := func(x reflect.Value) bool {
		if x.Kind() == reflect.Interface && x.NumMethod() == 0 && x.CanSet() {
			x.Set(reflect.ValueOf(wide))
			return true
		}
		return false
	}
	diffs, why := b.trip(set)
	switch {
	case why != "":
		return unknown(CheckAny, why)
	case len(diffs) == 0:
		return Check{Name: CheckAny, Result: "yes"}
	case fidelity.Grade(diffs) == fidelity.GradeLossy:
		return Check{Name: CheckAny, Result: "no", Detail: diffs[0].Before + " became " + diffs[0].After}
	}
	return Check{Name: CheckAny, Result: "yes", Detail: diffs[0].Cause}
}

// trip takes a value through the codec twice: first to get a copy that may be changed, and then
// with set applied to all parts of the copy. It returns the differences of the second round trip.
// why is not empty if nothing could be checked, as for codecs with their own generated type, which
// return no copies.
func (b *binding[T, N]) trip(set func(reflect.Value) bool) (diffs []fidelity.Diff, why string) {
	if reflect.TypeFor[T]() != reflect.TypeFor[N]() {
		return nil, "the row beside it tells"
	}
	enc, dec := b.codec.Encoders[0].New(), b.codec.Decoders[0].New()
	for i := range min(len(b.vals), 32) {
		var before, after N
		if err := again(enc, dec, &b.vals[i], &before); err != nil {
			return nil, err.Error()
		}
		if !change(reflect.ValueOf(&before).Elem(), set) {
			continue
		}
		want := before
		if err := again(enc, dec, &before, &after); err != nil {
			return nil, err.Error()
		}
		return fidelity.Compare(want, after, fidelity.Options{}), ""
	}
	return nil, "the values have none"
}

func again[N any](enc func([]byte, *N) ([]byte, error), dec func([]byte, *N) error, from, to *N) error {
	out, err := enc(nil, from)
	if err != nil {
		return err
	}
	return dec(bytes.Clone(out), to)
}
