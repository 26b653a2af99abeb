package worker

import (
	"bytes"
	"fmt"
	"reflect"
	"time"

	"github.com/zmylab/zmy/lab/fidelity"
)

// The capabilities that the subject's own values can tell. Their results are yes or
// no, and n/a where the type has no map, time or interface to tell them by.
const (
	CheckSame  = "equal values give equal bytes"
	CheckTimes = "times keep nanoseconds"
	CheckAny   = "integers in interfaces stay integers"
)

// capable looks for them. What a codec makes of the values is not judged here, so
// that one which breaks on the way says nothing.
func (b *bench[T, N]) capable() []Check {
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

// A few values with maps are encoded this often each, to see whether the bytes
// differ: two entries come in the same order in one of two tries.
const (
	sameValues = 4
	sameTries  = 8
)

func (b *bench[T, N]) checkSame() Check {
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

// hasMap reports whether a map of at least two entries is in v.
func hasMap(v reflect.Value) (found bool) {
	walkValue(v, func(x reflect.Value) bool {
		found = found || x.Kind() == reflect.Map && x.Len() > 1
		return !found
	})
	return found
}

// units are what times may be cut to, finest first.
var units = []struct {
	name string
	time time.Time
}{
	{"nanoseconds", time.Unix(1700000000, 123456789).UTC()},
	{"microseconds", time.Unix(1700000000, 123456000).UTC()},
	{"milliseconds", time.Unix(1700000000, 123000000).UTC()},
	{"seconds", time.Unix(1700000000, 0).UTC()},
}

func (b *bench[T, N]) checkTimes() Check {
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

func (b *bench[T, N]) checkAny() Check {
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

// trip takes a value through the codec twice: once to get a copy of it that can be
// changed, then, with set applied to all its parts, to see what that becomes. It
// compares before and after the second time; why says that there is nothing to
// tell. Values of codecs on types of their own are no copies.
func (b *bench[T, N]) trip(set func(reflect.Value) bool) (diffs []fidelity.Diff, why string) {
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

// change applies set to what it accepts in v, also in values of maps. It reports
// whether there was any.
func change(v reflect.Value, set func(reflect.Value) bool) (changed bool) {
	walkValue(v, func(x reflect.Value) bool {
		if set(x) {
			changed = true
			return false
		}
		if x.Kind() == reflect.Map && x.Len() > 0 {
			for _, k := range x.MapKeys() {
				elem := reflect.New(x.Type().Elem()).Elem()
				elem.Set(x.MapIndex(k))
				if change(elem, set) {
					x.SetMapIndex(k, elem)
					changed = true
				}
			}
			return false
		}
		return true
	})
	return changed
}

// walkValue visits v and the exported parts below it, as long as visit wants those
// of what it was given. Values that decoders made have no cycles.
func walkValue(v reflect.Value, visit func(reflect.Value) bool) {
	if !v.IsValid() || !visit(v) {
		return
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			walkValue(v.Elem(), visit)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				walkValue(v.Field(i), visit)
			}
		}
	case reflect.Slice, reflect.Array:
		if k := v.Type().Elem().Kind(); k < reflect.Array || k == reflect.String {
			return
		}
		for i := range v.Len() {
			walkValue(v.Index(i), visit)
		}
	case reflect.Map:
		for it := v.MapRange(); it.Next(); {
			walkValue(it.Value(), visit)
		}
	}
}
