package anatomy

import (
	"math/big"
	"net/netip"
	"net/url"
	"reflect"
	"testing"
	"time"
)

type (
	keeps  struct{ text *string }
	number [16]byte
	level  int
	ring   struct{ Next *ring }
)

func (k *keeps) MarshalText() ([]byte, error) { return nil, nil }
func (number) MarshalText() ([]byte, error)   { return nil, nil }
func (*level) MarshalText() ([]byte, error)   { return nil, nil }

// TestOwnCode: goroutines share values unless a method of the user's could write to them.
func TestOwnCode(t *testing.T) {
	for _, c := range []struct {
		v    any
		want bool
	}{
		{mixed{}, false},
		{ring{}, false},
		{struct {
			T time.Time
			B *big.Int
			A netip.Addr
			U *url.URL
			X any
		}{}, false},
		{number{}, false},
		{map[number][]string{}, false},
		{level(0), true},
		{map[string][]keeps{}, true},
		{struct{ A [2]*keeps }{}, true},
		{map[keeps]int{}, true},
		{struct{ hidden keeps }{}, true},
		{struct{ S interface{ String() string } }{}, true},
	} {
		if got := OwnCode(reflect.TypeOf(c.v)); got != c.want {
			t.Errorf("%T: %v", c.v, got)
		}
	}
}
