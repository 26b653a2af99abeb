package worker

import (
	"math/rand/v2"
	"reflect"
	"testing"
)

// TestBits: a codec that packs bools into bits holds its values; one that leaves half of them out
// does not.
func TestBits(t *testing.T) {
	type flags struct{ On [96]bool }
	pack := func(n int) Contender[flags] {
		return Contender[flags]{Name: "bits", Family: "binary",
			Encoders: []Encoder[flags]{{Mode: "fresh", New: func() func([]byte, *flags) ([]byte, error) {
				return func(_ []byte, v *flags) ([]byte, error) {
					out := make([]byte, n/8)
					for i, on := range v.On[:n] {
						if on {
							out[i/8] |= 1 << (i % 8)
						}
					}
					return out, nil
				}
			}}},
			Decoders: []Decoder[flags]{{Mode: "fresh", New: func() func([]byte, *flags) error {
				return func(b []byte, v *flags) error { return nil }
			}}}}
	}
	for n, want := range map[int]string{96: "ok", 32: "bad"} {
		b := &bench[flags, flags]{codec: pack(n), own: func(v []flags) []flags { return v },
			subject: Subject[flags]{Name: "worker.flags", Sample: func(r *rand.Rand) (f flags) {
				for i := range f.On {
					f.On[i] = r.IntN(2) == 0
				}
				return f
			}}}
		if _, err := b.values(&Request{Seed: 3, N: 64}); err != nil {
			t.Fatal(err)
		}
		if c := b.checkHolds(); c.Result != want {
			t.Errorf("%d of 96 bits: %+v", n, c)
		}
	}
}

// TestLengthen: strings and bytes grow in maps, arrays and interfaces too, and keys of maps.
func TestLengthen(t *testing.T) {
	type named []byte
	v := struct {
		M   map[string]string
		A   [2]string
		Any any
		B   named
		L   []string
	}{map[string]string{"k": "v"}, [2]string{"a", "b"}, "x", named("y"), []string{"1", "2", "3", "4", "5", "6"}}
	lengthen(reflect.ValueOf(&v).Elem(), 50, 0)
	long := string(letters(50))
	if v.M["k"] != long || v.M[long] != long || v.A != [2]string{long, long} || v.Any != long || string(v.B) != long ||
		v.L[5] != long || v.L[4] != "5" {
		t.Errorf("%+v", v)
	}
}
