package values

import (
	"encoding"
	"encoding/json"
	"fmt"
	"math/big"
	"reflect"
	"time"
)

// known fills the types of the standard library whose meaning is not that of
// their fields. It reports whether v was of such a type.
func (f *filler) known(v reflect.Value, h hint) bool {
	if !v.CanAddr() || !v.CanSet() {
		return false
	}
	switch p := v.Addr().Interface().(type) {
	case *time.Time:
		*p = f.drawTime(h)
	case *time.Duration:
		*p = f.drawDuration()
	case *time.Location:
		// has no exported part; UTC is its zero value
	case *big.Int:
		p.Set(f.drawBigInt())
	case *big.Float:
		p.Set(f.drawBigFloat())
	case *big.Rat:
		p.SetFrac64(f.r.Int64N(10_000), 1+f.r.Int64N(999))
	case *json.RawMessage:
		*p = f.drawRaw()
	case *json.Number:
		*p = json.Number(f.decimal(2))
	default:
		return f.knownByName(v)
	}
	return true
}

// knownByName fills types of package net/url, which is not imported: it would bring
// the whole network into every worker. Addresses (net, net/netip) read texts.
func (f *filler) knownByName(v reflect.Value) bool {
	if v.Type().PkgPath() != "net/url" || v.Type().Name() != "URL" {
		return false
	}
	v.FieldByName("Scheme").SetString("https")
	v.FieldByName("Host").SetString(f.host())
	v.FieldByName("Path").SetString("/" + pick(f.r, words))
	return true
}

// drawBigInt draws an integer of 40 to 200 bits.
func (f *filler) drawBigInt() *big.Int {
	n := new(big.Int)
	for range 1 + f.r.IntN(3) {
		n.Lsh(n, 64).Or(n, new(big.Int).SetUint64(f.r.Uint64()>>f.r.UintN(24)))
	}
	return n
}

func (f *filler) drawBigFloat() *big.Float {
	x, _, err := big.ParseFloat(f.decimal(2), 10, 64, big.ToNearestEven)
	if err != nil {
		panic(err) // decimal makes decimals
	}
	return x
}

// drawRaw draws an object of attributes that JSON holds natively.
func (f *filler) drawRaw() json.RawMessage {
	m := map[string]any{}
	for range 1 + f.r.IntN(5) {
		k, v := f.drawPair(1)
		m[k] = v
	}
	b, err := json.Marshal(m)
	if err != nil {
		panic(err) // drawPair makes strings, numbers, bools, times and bytes
	}
	return b
}

var (
	textReader = reflect.TypeFor[encoding.TextUnmarshaler]()
	textWriter = reflect.TypeFor[encoding.TextMarshaler]()
	jsonReader = reflect.TypeFor[json.Unmarshaler]()
	jsonWriter = reflect.TypeFor[json.Marshaler]()
)

// spellsItself reports whether t has its own text or JSON form in both directions.
func spellsItself(t reflect.Type) bool {
	if t.Name() == "" || t.Kind() == reflect.Interface {
		return false
	}
	p := reflect.PointerTo(t)
	return p.Implements(textReader) && p.Implements(textWriter) || p.Implements(jsonReader) && p.Implements(jsonWriter)
}

// fillSpelt fills a type that has its own text or JSON form. Not every value of
// its Go type need be one that it can spell (an enum of three names is an int),
// so that natural draws, small numbers and texts are tried in turn and the first
// that survives its own round trip is kept; else it stays zero, as a last resort.
func (f *filler) fillSpelt(v reflect.Value, h hint) {
	opaque := v.Kind() == reflect.Struct && !settable(v) || v.Type().PkgPath() == "net"
	if !opaque {
		f.fillKind(v, h)
		if f.err != nil || respells(v) {
			return
		}
	}
	start := f.r.IntN(8)
	texts := f.texts()
	for i, text := range texts {
		small := int64((start + i) % 8)
		switch {
		case v.CanInt():
			v.SetInt(small)
		case v.CanUint():
			v.SetUint(uint64(small))
		case !read(v, text):
			continue
		}
		if respells(v) {
			return
		}
	}
	v.SetZero()
}

// settable reports whether a struct has a field that can be filled.
func settable(v reflect.Value) bool {
	for i := range v.NumField() {
		if v.Field(i).CanSet() {
			return true
		}
	}
	return false
}

// texts draws what types like to read.
func (f *filler) texts() []string {
	t := f.drawTime(hint{})
	return []string{f.decimal(2), f.uuid(), t.Format(time.RFC3339), t.Format(time.DateOnly), f.ip(),
		fmt.Sprintf("10.0.0.%d:%d", f.r.IntN(256), 1024+f.r.IntN(60_000)), fmt.Sprintf("10.%d.0.0/16", f.r.IntN(256)),
		f.email(), pick(f.r, words), "active"}
}

// read makes v read a text.
func read(v reflect.Value, text string) (ok bool) {
	defer func() { ok = recover() == nil && ok }()
	v.SetZero()
	switch p := v.Addr().Interface().(type) {
	case encoding.TextUnmarshaler:
		return p.UnmarshalText([]byte(text)) == nil
	case json.Unmarshaler:
		quoted, _ := json.Marshal(text)
		return p.UnmarshalJSON([]byte(text)) == nil || p.UnmarshalJSON(quoted) == nil
	}
	return false
}

// respells reports whether v's own form reads back as an equal value. Structs
// are equal when their forms are: a decimal may hold 1.0 in several ways.
func respells(v reflect.Value) (ok bool) {
	again := reflect.New(v.Type())
	defer func() {
		ok = recover() == nil && ok && (v.Kind() == reflect.Struct || reflect.DeepEqual(v.Interface(), again.Elem().Interface()))
	}()
	switch p := v.Addr().Interface().(type) {
	case interface {
		encoding.TextMarshaler
		encoding.TextUnmarshaler
	}:
		text, err := p.MarshalText()
		if err != nil || again.Interface().(encoding.TextUnmarshaler).UnmarshalText(text) != nil {
			return false
		}
		text2, err := again.Interface().(encoding.TextMarshaler).MarshalText()
		return err == nil && string(text) == string(text2)
	case interface {
		json.Marshaler
		json.Unmarshaler
	}:
		doc, err := p.MarshalJSON()
		if err != nil || again.Interface().(json.Unmarshaler).UnmarshalJSON(doc) != nil {
			return false
		}
		doc2, err := again.Interface().(json.Marshaler).MarshalJSON()
		return err == nil && string(doc) == string(doc2)
	}
	return false
}
