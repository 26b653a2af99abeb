package jsonrt

import (
	"encoding/json"
	"math/big"
	"reflect"
	"testing"
	"time"

	"github.com/zmylab/zmy/fxjson/internal/jsonwire"
)

// TestForeign: encoding/json gets the types that only its version 2 knows, and no others. Of
// json.Number and json.RawMessage version 2 knows methods, but they mean what the functions of this
// package do.
func TestForeign(t *testing.T) {
	if !jsonwire.StdV2 {
		t.Skip("encoding/json of this toolchain is version 1")
	}
	for _, c := range []struct {
		t    reflect.Type
		want bool
	}{
		{reflect.TypeFor[json.Number](), false},
		{reflect.TypeFor[*json.Number](), false},
		{reflect.TypeFor[**json.RawMessage](), false},
		{reflect.TypeFor[[]*time.Time](), false},
		{reflect.TypeFor[map[string]*json.Number](), false},
		{reflect.TypeFor[struct {
			N *json.Number    `json:",string,omitempty"`
			R json.RawMessage `json:",omitzero"`
			B *big.Int
		}](), false},
		{reflect.TypeFor[map[*int]int](), true},
		{reflect.TypeFor[*map[float64]int](), true},
		{reflect.TypeFor[*struct {
			T time.Time `json:",format:RFC1123"`
		}](), true},
	} {
		if got := foreign(c.t); got != c.want {
			t.Errorf("%s is left to encoding/json: %t, want %t", c.t, got, c.want)
		}
	}
}
