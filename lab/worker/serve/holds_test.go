package serve

import (
	"math/rand/v2"
	"testing"

	"github.com/zmylab/zmy/lab/worker"
)

// TestBits: a codec that packs bools into bits holds its values; one that leaves half of them out
// does not.
func TestBits(t *testing.T) {
	type flags struct{ On [96]bool }
	pack := func(n int) worker.Contender[flags] {
		return worker.Contender[flags]{Name: "bits", Family: "binary",
			Encoders: []worker.Encoder[flags]{{Mode: "fresh", New: func() func([]byte, *flags) ([]byte, error) {
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
			Decoders: []worker.Decoder[flags]{{Mode: "fresh", New: func() func([]byte, *flags) error {
				return func(b []byte, v *flags) error { return nil }
			}}}}
	}
	for n, want := range map[int]string{96: "ok", 32: "bad"} {
		b := newBinding(worker.Subject[flags]{Name: "worker.flags", Sample: func(r *rand.Rand) (f flags) {
			for i := range f.On {
				f.On[i] = r.IntN(2) == 0
			}
			return f
		}}, pack(n), nil)
		if _, err := b.values(&worker.Request{Seed: 3, N: 64}); err != nil {
			t.Fatal(err)
		}
		if c := verdict(worker.CheckHolds, b.checkHolds()); c.Result != want {
			t.Errorf("%d of 96 bits: %+v", n, c)
		}
	}
}
