package serve

import (
	"bytes"
	"fmt"
	"reflect"
	"time"

	"github.com/zmylab/zmy/lab/fidelity"
	"github.com/zmylab/zmy/lab/worker"
	"github.com/zmylab/zmy/lab/worker/anatomy"
	"github.com/zmylab/zmy/lab/worker/bench"
)

// capable makes the checks CheckSame, CheckTimes and CheckAny. They do not judge what the codec
// does to values. If the codec fails during a check, the result is n/a.
func (b *binding[T, N]) capable() []worker.Check {
	return []worker.Check{
		tolerant(worker.CheckSame, b.checkSame),
		tolerant(worker.CheckTimes, b.checkTimes),
		tolerant(worker.CheckAny, b.checkAny),
	}
}

func unknown(name, why string) worker.Check {
	return worker.Check{Name: name, Result: "n/a", Detail: why}
}

// tolerant makes a check. If the codec panics meanwhile, the result is n/a.
func tolerant(name string, check func() worker.Check) (c worker.Check) {
	if err := bench.Try(func() error { c = check(); return nil }); err != nil {
		c = unknown(name, err.Error())
	}
	return c
}

// checkSame encodes sameValues values with maps, sameTries times each, to see whether the bytes
// differ. A map of two entries has the same order in every second try.
const (
	sameValues = 4
	sameTries  = 8
)

func (b *binding[T, N]) checkSame() worker.Check {
	enc, tried := b.Codec.Encoders[0].New(), 0
	for i := range b.Vals {
		if tried == sameValues {
			break
		}
		if !anatomy.HasMap(b.original(i)) {
			continue
		}
		tried++
		var first []byte
		for try := range sameTries {
			out, err := enc(nil, &b.Vals[i])
			switch {
			case err != nil:
				return unknown(worker.CheckSame, err.Error())
			case try == 0:
				first = bytes.Clone(out)
			case !bytes.Equal(first, out):
				return worker.Check{Name: worker.CheckSame, Result: "no", Detail: fmt.Sprintf("value %d was encoded twice, to other bytes", i)}
			}
		}
	}
	if tried == 0 {
		return unknown(worker.CheckSame, "the values have no map of two entries to tell it by")
	}
	return worker.Check{Name: worker.CheckSame, Result: "yes"}
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

func (b *binding[T, N]) checkTimes() worker.Check {
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
			return unknown(worker.CheckTimes, why)
		case fidelity.Grade(diffs) == fidelity.GradeLossy:
		case i == 0:
			return worker.Check{Name: worker.CheckTimes, Result: "yes", Detail: u.name}
		default:
			return worker.Check{Name: worker.CheckTimes, Result: "no", Detail: u.name}
		}
	}
	return worker.Check{Name: worker.CheckTimes, Result: "no", Detail: "not even seconds are kept"}
}

func (b *binding[T, N]) checkAny() worker.Check {
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
		return unknown(worker.CheckAny, why)
	case len(diffs) == 0:
		return worker.Check{Name: worker.CheckAny, Result: "yes"}
	case fidelity.Grade(diffs) == fidelity.GradeLossy:
		return worker.Check{Name: worker.CheckAny, Result: "no", Detail: diffs[0].Before + " became " + diffs[0].After}
	}
	return worker.Check{Name: worker.CheckAny, Result: "yes", Detail: diffs[0].Cause}
}

// trip takes a value through the codec twice: first to get a copy that may be changed, and then
// with set applied to all parts of the copy. It returns the differences of the second round trip.
// If nothing could be checked, why says so. That is always so for codecs with their own generated
// type, because they return no copies of the subject.
func (b *binding[T, N]) trip(set func(reflect.Value) bool) (diffs []fidelity.Diff, why string) {
	if reflect.TypeFor[T]() != reflect.TypeFor[N]() {
		return nil, "the row beside it tells"
	}
	enc, dec := b.Codec.Encoders[0].New(), b.Codec.Decoders[0].New()
	for i := range min(len(b.Vals), 32) {
		var before, after N
		if err := again(enc, dec, &b.Vals[i], &before); err != nil {
			return nil, err.Error()
		}
		if !anatomy.Change(&before, set) {
			continue
		}
		want := before
		if err := again(enc, dec, &before, &after); err != nil {
			return nil, err.Error()
		}
		return fidelity.Compare(want, after, alike), ""
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
