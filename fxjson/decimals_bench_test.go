package fxjson_test

import (
	"encoding/json"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/zmylab/zmy/fxjson"
)

// exact has floats with all the digits that they need, rounded two decimals by a struct tag, and
// ownRounded by a method that users of encoding/json write.
type (
	exact struct {
		V []float64 `json:"v"`
	}
	rounded struct {
		V []float64 `json:"v" fxjson:"decimals=2"`
	}
	ownRounded struct{ V []float64 }
)

func (o ownRounded) MarshalJSON() ([]byte, error) {
	b := append(make([]byte, 0, 16+8*len(o.V)), `{"v":[`...)
	for i, f := range o.V {
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendFloat(b, f, 'f', 2, 64)
	}
	return append(b, "]}"...), nil
}

// decimalFloats returns floats below 1000 whose shortest form has 15 to 17 digits.
func decimalFloats() []float64 {
	r, v := rand.New(rand.NewPCG(1, 2)), make([]float64, 1024)
	for i := range v {
		v[i] = 1000 * r.Float64()
	}
	return v
}

func TestDecimalsAgree(t *testing.T) {
	v := decimalFloats()
	own, err := json.Marshal(ownRounded{v})
	if err != nil {
		t.Fatal(err)
	}
	if tagged, err := fxjson.Marshal(&rounded{v}); err != nil || string(tagged) != string(own) {
		t.Errorf("%v: fxjson writes %.60s, the method %.60s", err, tagged, own)
	}
}

// BenchmarkDecimals compares the shortest form of floats with two decimals.
func BenchmarkDecimals(b *testing.B) {
	v := decimalFloats()
	for _, c := range []struct {
		name    string
		marshal func() ([]byte, error)
	}{
		{"encoding-json", func() ([]byte, error) { return json.Marshal(exact{v}) }},
		{"encoding-json-own", func() ([]byte, error) { return json.Marshal(ownRounded{v}) }},
		{"fxjson", func() ([]byte, error) { return fxjson.Marshal(&exact{v}) }},
		{"fxjson-decimals", func() ([]byte, error) { return fxjson.Marshal(&rounded{v}) }},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := c.marshal(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
