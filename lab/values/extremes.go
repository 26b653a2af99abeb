package values

import (
	"bytes"
	"encoding/json"
	"math"
	"math/big"
	"reflect"
	"slices"
	"strings"
	"time"
)

// NOTE: classesOf says which extremes a place can take. A place has the class of its own type, and
// further classes for what a codec may do wrong around it: the target of a pointer, the keys and
// elements of a map, the depth of a type that contains itself. Extremes that fit one class have one
// name in reports, in whatever type they occur, so that the capability matrix has one row for each.

// change is one extreme for a class of places. If to or from returns an invalid Value, the place
// has no such extreme.
type change struct {
	name   string
	to     func(t reflect.Type) reflect.Value
	from   func(was reflect.Value) reflect.Value // used in place of to if the extreme depends on the present value
	most   int                                   // most places that are changed together; 0: no limit
	groups int                                   // most groups of places that are not the first of their type; 0: maxGroups
	plain  bool                                  // an ordinary program may have such a value
}

// at returns the value to put into place p.
func (c *change) at(p *place) reflect.Value {
	if c.from != nil {
		return c.from(p.was)
	}
	return c.to(p.typ)
}

// is returns a change to x, converted to the type of the place.
func is(name string, x any) change {
	return change{name: name, to: func(t reflect.Type) reflect.Value { return reflect.ValueOf(x).Convert(t) }}
}

var (
	bigIntPtr   = reflect.TypeFor[*big.Int]()
	bigFloatPtr = reflect.TypeFor[*big.Float]()
	bigRatPtr   = reflect.TypeFor[*big.Rat]()
	numberType  = reflect.TypeFor[json.Number]()
	timeType    = reflect.TypeFor[time.Time]()
	rawType     = reflect.TypeFor[json.RawMessage]()
)

// isWhole reports whether values of type t have no parts that are places of their own.
func isWhole(t reflect.Type) bool {
	switch t {
	case bigIntPtr, bigFloatPtr, bigRatPtr, timeType, rawType:
		return true
	}
	return t.PkgPath() == "math/big" || spellsItself(t) || isBytes(t) || isURL(t)
}

// isBytes reports whether t is a list of bytes, also of a named byte type, unless that type spells
// itself.
func isBytes(t reflect.Type) bool {
	return t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Uint8 && !spellsItself(t.Elem())
}

// ownClasses holds, by type, the classes that only places of that type have.
var ownClasses = map[reflect.Type]placeClass{
	timeType:           {"time", timeExtremes},
	bigIntPtr:          {"big.Int", append(nilOf("big.Int nil"), bigIntExtremes...)},
	bigFloatPtr:        {"big.Float", append(nilOf("big.Float nil"), bigFloatExtremes...)},
	bigRatPtr:          {"big.Rat", append(nilOf("big.Rat nil"), bigRatExtremes...)},
	bigIntPtr.Elem():   {"big.Int value", bigIntExtremes},
	bigFloatPtr.Elem(): {"big.Float value", bigFloatExtremes},
	bigRatPtr.Elem():   {"big.Rat value", bigRatExtremes},
	rawType:            {"raw", rawExtremes},
	numberType:         {"json.Number", numberExtremes},
}

// extremesOf returns the class of places of type t, and its extremes.
func extremesOf(t reflect.Type) (string, []change) {
	if c, ok := ownClasses[t]; ok {
		return c.name, c.changes
	}
	switch {
	case isURL(t):
		return "url", urlExtremes
	case spellsItself(t):
		return "own form of " + t.String(), ownExtremes(t)
	}
	k := t.Kind()
	switch k {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		ends := []change{{name: k.String() + " minimum", to: minInt}, {name: k.String() + " maximum", to: maxInt}}
		return k.String(), append(ends, limitsOf(t)...)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return k.String(), append([]change{{name: k.String() + " maximum", to: maxUint}}, limitsOf(t)...)
	case reflect.Float32, reflect.Float64:
		return k.String(), floatExtremes(k)
	case reflect.Complex64, reflect.Complex128:
		return k.String(), []change{is(k.String()+" NaN", complex(math.NaN(), 1)), is(k.String()+" -0", complex(1, math.Copysign(0, -1)))}
	case reflect.String:
		return "string", stringExtremes
	case reflect.Slice:
		if isBytes(t) {
			return "bytes", bytesExtremes
		}
		if e := t.Elem(); (e.Kind() <= reflect.Float64 || e.Kind() == reflect.String) && !spellsItself(e) {
			return "slice of scalars", slices.Concat(nilOrEmpty("slice"), longSlices, manyScalars)
		}
		if e := t.Elem().Kind(); e == reflect.Pointer || e == reflect.Interface {
			none := []change{{name: "slice with a nil element", to: func(t reflect.Type) reflect.Value { return reflect.MakeSlice(t, 1, 1) }}}
			return "slice of references", slices.Concat(nilOrEmpty("slice of references"), longSlices, none)
		}
		return "slice", append(nilOrEmpty("slice"), longSlices...)
	case reflect.Map:
		if t.Key().Kind() == reflect.String {
			return "map by string", slices.Concat(nilOrEmpty("map by string"), longMaps, []change{{name: "map with an empty key", to: keyed("")}})
		}
		return "map", append(nilOrEmpty("map"), longMaps...)
	case reflect.Pointer:
		return "pointer", nilOf("pointer nil")
	case reflect.Interface:
		if t.NumMethod() == 0 {
			return "any", anyExtremes
		}
	}
	return "", nil
}

// placeClass is a class of places with its extremes.
type placeClass struct {
	name    string
	changes []change
}

// classesOf returns the classes of a place of type t: its own, then those for its target, its keys
// and its elements.
func classesOf(t reflect.Type) (out []placeClass) {
	if name, changes := extremesOf(t); len(changes) > 0 {
		out = append(out, placeClass{name, changes})
	}
	if isWhole(t) {
		return out
	}
	if loop(t) >= 0 {
		out = append(out, placeClass{nested.name, []change{nested}})
	}
	one := func(name string, to func(reflect.Type) reflect.Value) {
		out = append(out, placeClass{name, []change{{name: name, to: to}}})
	}
	switch t.Kind() {
	case reflect.Pointer:
		one("pointer to zero "+kindOf(t.Elem()), func(t reflect.Type) reflect.Value { return reflect.New(t.Elem()) })
	case reflect.Map:
		switch k := t.Key().Kind(); {
		case spellsItself(t.Key()):
		case k == reflect.String:
			one("map key invalid UTF-8", keyed("a\xffb"))
			one("map key escapes", keyed("\"\\\n<>&\u2028"))
			one("map key of all punctuation", keyed(punctuation))
			one("map key with blanks at its ends", keyed(" \ta\n "))
			long := change{name: "map key of 300 bytes", to: keyed(strings.Repeat("0123456789", 30)), plain: true}
			out = append(out, placeClass{long.name, []change{long}})
			one("map key like null", keyed("null"))
			one("map key like an integer", keyed("007"))
			one("map keys that differ in case", keyed("a", "A"))
			one("map keys that are one when normalised", keyed("\u00e9", "e\u0301"))
		case k >= reflect.Int && k <= reflect.Int64:
			one("map key "+k.String()+" maximum", func(t reflect.Type) reflect.Value { return mapOf(t, maxInt(t.Key()), element(t.Elem())) })
			one("map key "+k.String()+" minimum", func(t reflect.Type) reflect.Value { return mapOf(t, minInt(t.Key()), element(t.Elem())) })
		case k >= reflect.Uint && k <= reflect.Uint64:
			one("map key "+k.String()+" maximum", func(t reflect.Type) reflect.Value { return mapOf(t, maxUint(t.Key()), element(t.Elem())) })
		}
		if e := t.Elem().Kind(); (e == reflect.Pointer || e == reflect.Interface) && t.Key().Kind() == reflect.String && !spellsItself(t.Key()) {
			one("map with a nil element", func(t reflect.Type) reflect.Value {
				return mapOf(t, reflect.ValueOf("key").Convert(t.Key()), reflect.Zero(t.Elem()))
			})
		}
	}
	return out
}

// kindOf names the target of a pointer: by type if its kind does not decide how it is written, else
// by kind.
func kindOf(t reflect.Type) string {
	if t == timeType || spellsItself(t) {
		return t.String()
	}
	return t.Kind().String()
}

// keyed returns a function that makes a map with the given keys.
func keyed(keys ...string) func(reflect.Type) reflect.Value {
	return func(t reflect.Type) reflect.Value {
		m := reflect.MakeMap(t)
		for _, k := range keys {
			m.SetMapIndex(reflect.ValueOf(k).Convert(t.Key()), element(t.Elem()))
		}
		return m
	}
}

// punctuation is all punctuation of ASCII, before and after a letter. Codecs that join parts of
// text with one of these characters have to escape it.
const punctuation = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~ a ~}|{`_^]\\[@?>=<;:/.-,+*)('&%$#\"!"

func mapOf(t reflect.Type, key, elem reflect.Value) reflect.Value {
	m := reflect.MakeMap(t)
	m.SetMapIndex(key, elem)
	return m
}

// element returns a plain element for a map. A pointer or an any is not nil, other types are zero.
func element(t reflect.Type) reflect.Value {
	switch {
	case t.Kind() == reflect.Pointer:
		return reflect.New(t.Elem())
	case t.Kind() == reflect.Interface && t.NumMethod() == 0:
		return reflect.ValueOf("value")
	}
	return reflect.Zero(t)
}

func minInt(t reflect.Type) reflect.Value {
	return reflect.ValueOf(int64(-1) << (t.Bits() - 1)).Convert(t)
}

func maxInt(t reflect.Type) reflect.Value {
	return reflect.ValueOf(int64(1)<<(t.Bits()-1) - 1).Convert(t)
}

func maxUint(t reflect.Type) reflect.Value {
	return reflect.ValueOf(uint64(math.MaxUint64) >> (64 - t.Bits())).Convert(t)
}

func floatExtremes(k reflect.Kind) []change {
	least, most, digits := math.SmallestNonzeroFloat64, math.MaxFloat64, 0.1+math.Nextafter(0.2, 1)
	if k == reflect.Float32 {
		least, most = math.SmallestNonzeroFloat32, math.MaxFloat32
	}
	name := k.String()
	return []change{is(name+" NaN", math.NaN()), is(name+" +Inf", math.Inf(1)), is(name+" -Inf", math.Inf(-1)),
		is(name+" -0", math.Copysign(0, -1)), is(name+" smallest", least), is(name+" largest", most), is(name+" of all digits", digits)}
}

func nilOrEmpty(what string) []change {
	return []change{{name: what + " nil", to: reflect.Zero}, {name: what + " empty, not nil", to: func(t reflect.Type) reflect.Value {
		if t.Kind() == reflect.Map {
			return reflect.MakeMap(t)
		}
		return reflect.MakeSlice(t, 0, 0)
	}}}
}

var (
	stringExtremes = []change{
		is("string empty", ""),
		is("string invalid UTF-8", "a\xff\xc0\xafb"),
		is("string control characters", "a\x00\x01\x1f\x7fb"),
		is("string escapes", "\"\\/\b\f\n\r\t<>&\u2028\u2029"),
		is("string beyond the BMP", "𝄞😀é漢"),
		is("string of all punctuation", punctuation),
		is("string with blanks at its ends", " \t\u00a0a\r\n\t "),
		is("string with quotes at its ends", "\"a'"),
		is("string with separators at its ends", "/a."),
		is("string with NUL at its end", "a\x00"),
		is("string like null", "null"),
		is("string like a truth value", "true"),
		is("string like an integer", "007"),
		is("string like a float", "1e3"),
		is("string like a time", "2024-05-01T00:00:00Z"),
		is("string like an object", "{}"),
		is("string like nothing", "~"),
		is("string with a byte order mark", "\ufeffa"),
		is("string with a combining character", "e\u0301"),
		is("string with the replacement character", "\ufffd"),
		textOf(32), textOf(128), textOf(256),
		{name: "string of 300 bytes", to: is("", strings.Repeat("0123456789", 30)).to, most: 512},
		{name: "string of 64 KiB", to: is("", strings.Repeat("0123456789abcdef", 4096)).to, most: 32},
	}
	timeExtremes = []change{
		is("time zero", time.Time{}),
		{name: "time of the epoch", to: is("", time.Unix(0, 0).UTC()).to, plain: true},
		is("time nanoseconds", time.Date(2024, 5, 1, 12, 30, 0, 123456789, time.UTC)),
		is("time zone", time.Date(2024, 5, 1, 12, 30, 0, 0, time.FixedZone("NPT", 5*3600+45*60))),
		is("time zone with seconds", time.Date(1880, 1, 1, 0, 0, 0, 0, time.FixedZone("LMT", -(4*3600+56*60+2)))),
		is("time before 1970", time.Date(1601, 1, 1, 0, 0, 0, 1, time.UTC)),
		is("time year 9999", time.Date(9999, 12, 31, 23, 59, 59, 999999999, time.UTC)),
		is("time year 10000", time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)),
	}
	bytesExtremes = []change{
		{name: "bytes nil", to: reflect.Zero},
		{name: "bytes empty, not nil", to: bytesOf([]byte{})},
		{name: "bytes of every value", to: bytesOf(everyByte())},
		{name: "bytes with zeros at the ends", to: bytesOf([]byte{0, 0, 7, 0, 0})},
		{name: "bytes of one zero", to: bytesOf([]byte{0})},
		{name: "bytes that are text", to: bytesOf([]byte(" null\n"))},
		blobOf(128), blobOf(65_536),
		{name: "bytes of more than 64 KiB", to: bytesOf(bytes.Repeat(everyByte(), 257)), most: 32},
	}
	rawExtremes = []change{
		{name: "raw JSON none", to: reflect.Zero},
		is("raw JSON null", json.RawMessage("null")),
		is("raw JSON with white space", json.RawMessage("{ \"b\" : [ 1 ,\n2 ] }")),
		is("raw JSON large number", json.RawMessage("123456789012345678901234567890.125e-3")),
	}
	bigIntExtremes = []change{
		number("big.Int zero", new(big.Int)),
		number("big.Int negative, 1000 bits", new(big.Int).Neg(new(big.Int).Lsh(big.NewInt(1), 1000))),
	}
	bigFloatExtremes = []change{
		number("big.Float of precision 53", big.NewFloat(12.34)),
		number("big.Float of precision 200", new(big.Float).SetPrec(200).Quo(big.NewFloat(1), big.NewFloat(3))),
		number("big.Float -0", new(big.Float).Neg(new(big.Float))),
		number("big.Float +Inf", new(big.Float).SetInf(false)),
	}
	bigRatExtremes = []change{
		number("big.Rat zero", new(big.Rat)),
		number("big.Rat negative", big.NewRat(-22, 7)),
	}
	anyExtremes = []change{
		{name: "any nil", to: reflect.Zero},
		is("any int", 42),
		is("any int64 minimum", int64(math.MinInt64)),
		is("any int64 beyond 2^53", int64(1)<<53+1),
		is("any integers of all sizes", []any{int8(-8), int16(-300), int32(-70_000), uint(7), uint8(200), uint16(60_000), uint32(4_000_000_000)}),
		is("any uint64 maximum", uint64(math.MaxUint64)),
		is("any float64 integral", 3.0),
		is("any float32", float32(0.1)),
		is("any float64 -0", math.Copysign(0, -1)),
		is("any float64 NaN", math.NaN()),
		is("any string invalid UTF-8", "a\xff\xc0\xafb"),
		is("any string like null", "null"),
		is("any string like a number", "1e3"),
		is("any string like a time", "2024-05-01T00:00:00Z"),
		is("any time", time.Date(2024, 5, 1, 12, 30, 0, 0, time.UTC)),
		is("any duration", 90*time.Second),
		is("any bytes", []byte{0, 1, 254, 255}),
		is("any string of 300 bytes", strings.Repeat("0123456789", 30)),
		is("any bytes of 300", bytes.Repeat([]byte{0, 1, 254}, 100)),
		is("any list of 300", manyAny(300)),
		is("any map of 300", manyKeys(300)),
		is("any []string", []string{"a", "b"}),
		is("any map[string]int", map[string]int{"a": 1}),
		is("any nested", map[string]any{"list": []any{1, "two", map[string]any{"three": 3.5}}}),
		is("any *big.Int", new(big.Int).Lsh(big.NewInt(1), 100)),
		is("any json.Number", json.Number("1.50")),
	}
)

// nilOf returns the extreme of a nil pointer.
func nilOf(name string) []change { return []change{{name: name, to: reflect.Zero}} }

// number returns a change to a number of package math/big, or to a pointer to it.
func number[T any](name string, x *T) change {
	return change{name: name, to: func(t reflect.Type) reflect.Value {
		if t.Kind() == reflect.Pointer {
			return reflect.ValueOf(x)
		}
		return reflect.ValueOf(x).Elem()
	}}
}

// bytesOf returns a function that makes a list of bytes of any type.
func bytesOf(b []byte) func(reflect.Type) reflect.Value {
	return func(t reflect.Type) reflect.Value {
		v := reflect.New(t).Elem()
		v.SetBytes(bytes.Clone(b))
		return v
	}
}

func everyByte() []byte {
	b := make([]byte, 256)
	for i := range b {
		b[i] = byte(i)
	}
	return b
}
