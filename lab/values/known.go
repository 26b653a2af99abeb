package values

import (
	"encoding/json"
	"math/big"
	"reflect"
	"time"
)

// known fills types of the standard library whose meaning is more than their fields. It reports
// whether v was of such a type. Addresses of net and net/netip are not among them, since they are
// read from text; see forms.go.
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
		// it has no exported field; its zero value is UTC
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
		if !isURL(v.Type()) {
			return false
		}
		v.FieldByName("Scheme").SetString("https")
		v.FieldByName("Host").SetString(f.host())
		v.FieldByName("Path").SetString("/" + pick(f.r, words))
	}
	return true
}

// drawBigInt draws an integer of at most 192 bits.
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
		panic(err) // decimal returns decimals
	}
	return x
}

// drawRaw draws an object of attributes, with values that JSON can hold.
func (f *filler) drawRaw() json.RawMessage {
	m := map[string]any{}
	for range 1 + f.r.IntN(5) {
		k, v := f.drawPair(1)
		m[k] = v
	}
	b, err := json.Marshal(m)
	if err != nil {
		panic(err) // drawPair returns only values that JSON can hold
	}
	return b
}
