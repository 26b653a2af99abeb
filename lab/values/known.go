package values

import (
	"encoding/json"
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
