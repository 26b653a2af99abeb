package zmyvector

import (
	"math/rand/v2"
	"testing"

	"github.com/zmylab/zmy/internal/zmymodel"
)

// Random values of each type, whole and damaged.
func TestAgree(t *testing.T) {
	for i, r := range Readers() {
		t.Run(r.Name, func(t *testing.T) {
			rnd := rand.New(rand.NewPCG(uint64(i), 1))
			bad, accepted := 0, 0
			for n := range 150 {
				v := zmymodel.Random(r.Type, rnd, 1+n%5, 1+n%4)
				b := zmymodel.Encode(r.Type, v)
				if x, err := Agree(r, b, zmymodel.Limits{}); err != nil || string(x) != string(b) {
					t.Errorf("%x: %v", b, err)
					if bad++; bad > 3 {
						return
					}
				}
				for range 10 {
					x := zmymodel.Damage(rnd, b)
					again, err := Agree(r, x, zmymodel.Limits{Exact: n%4 == 0})
					if again != nil {
						accepted++
					}
					if err != nil {
						t.Errorf("%x: %v", x, err)
						if bad++; bad > 5 {
							return
						}
					}
				}
			}
			t.Log(accepted, "accepted")
		})
	}
}
