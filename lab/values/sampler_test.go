package values

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
)

type parcel struct {
	Name   string
	Weight int
	Items  []parcelItem
	By     map[string]*parcelItem
	First  *parcelItem
	Fee    hiddenFee
}

type parcelItem struct{ Sku string }

// hiddenFee has data that nobody but its package can write.
type hiddenFee struct{ cents int64 }

// A function for a type makes every part of that type, and what stood in the way of a
// value no longer does.
func TestSamplers(t *testing.T) {
	own := []Sampler{
		SamplerOf("SampleItem", func(r *rand.Rand) parcelItem { return parcelItem{"own-" + string(rune('a'+r.IntN(26)))} }),
		SamplerOf("SampleFee", func(r *rand.Rand) hiddenFee { return hiddenFee{1 + r.Int64N(9)} }),
		SamplerOf("SampleUnused", func(*rand.Rand) point { panic("not needed") }),
	}
	if plain, err := Values[parcel](Options{N: 3}); err != nil || !slices.Contains(Untested(plain), "Fee (values.hiddenFee)") {
		t.Fatalf("fees are made without a sampler: the test tests nothing: %v", err)
	}
	vals, err := Values[parcel](Options{Seed: 3, N: 100, Samplers: own})
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, v := range vals {
		all := append([]parcelItem{}, v.Items...)
		for _, p := range v.By {
			all = append(all, *p)
		}
		if v.First != nil {
			all = append(all, *v.First)
		}
		for _, i := range all {
			seen++
			if len(i.Sku) != 5 || i.Sku[:4] != "own-" {
				t.Fatalf("an item of its own: %+v", i)
			}
		}
		if v.Fee.cents < 1 || v.Name == "" {
			t.Fatalf("%+v", v)
		}
	}
	if seen < 100 {
		t.Errorf("only %d items", seen)
	}
	again, err := Values[parcel](Options{Seed: 3, N: 10, Samplers: own})
	if err != nil || !reflect.DeepEqual(again, vals[:10]) {
		t.Errorf("value i depends on how many there are: %v", err)
	}
	if got := Used[parcel](own); !slices.Equal(got, []string{"SampleItem", "SampleFee"}) {
		t.Errorf("used %q", got)
	}
}
