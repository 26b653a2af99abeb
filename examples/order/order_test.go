package order

import (
	"math"
	"math/big"
	"reflect"
	"testing"
	"time"

	"github.com/zmylab/zmy/examples/internal/sampletest"
)

func TestSample(t *testing.T) {
	sampletest.Check(t, 150, sampletest.SameText, SampleOrder)
}

func TestItemCount(t *testing.T) {
	r := sampletest.Rand(3)
	n, items := 5000, 0
	for range n {
		k := len(SampleOrder(r).Items)
		if k < 1 || k > 15 {
			t.Fatalf("%d items, want 1–15", k)
		}
		items += k
	}
	// Five standard errors of a mean whose variance is below 4.2.
	if mean, tol := float64(items)/float64(n), 5*math.Sqrt(4.2/float64(n)); math.Abs(mean-4.2) > tol {
		t.Errorf("%.3f items on average, want 4.2 within %.3f", mean, tol)
	}
}

// fields counts the leaves of an order as the package comment defines them.
func fields(o Order) (fixed, dynamic int) {
	fixed = 2 // ID, Timestamp
	for range o.Items {
		fixed += 2 + 4 // Sku, Price; Details
		dynamic++      // Attrs
	}
	return fixed, dynamic + leaves(o.Metadata)
}

func leaves(v any) int {
	m, ok := v.(map[string]any)
	if !ok {
		return 1
	}
	n := 0
	for _, e := range m {
		n += leaves(e)
	}
	return n
}

func TestAtLeast37PercentOfFieldsAreDynamic(t *testing.T) {
	if n := reflect.TypeFor[SkuDetails]().NumField(); n != 4 {
		t.Fatalf("SkuDetails has %d fields: mend fields above", n)
	}
	r := sampletest.Rand(3)
	least, fixedSum, dynamicSum := 1.0, 0, 0
	for range 2000 {
		fixed, dynamic := fields(SampleOrder(r))
		fixedSum, dynamicSum = fixedSum+fixed, dynamicSum+dynamic
		least = min(least, float64(dynamic)/float64(fixed+dynamic))
	}
	mean := float64(dynamicSum) / float64(fixedSum+dynamicSum)
	t.Logf("dynamic: %.0f%% of all fields, %.0f%% in the least dynamic order", 100*mean, 100*least)
	if least < 0.37 {
		t.Errorf("%.1f%% in the least dynamic order, want 37%%", 100*least)
	}
}

func TestMetadataHasEveryKind(t *testing.T) {
	missing := map[reflect.Type]bool{
		reflect.TypeFor[time.Time](): true, reflect.TypeFor[*big.Int](): true, reflect.TypeFor[[]byte](): true,
		reflect.TypeFor[map[string]any](): true, reflect.TypeFor[int](): true, reflect.TypeFor[float64](): true,
		reflect.TypeFor[string](): true, reflect.TypeFor[bool](): true,
	}
	o := SampleOrder(sampletest.Rand(3))
	for k, v := range o.Metadata {
		delete(missing, reflect.TypeOf(v))
		if x, ok := v.(*big.Int); ok && x.IsUint64() {
			t.Errorf("%s: %v fits 64 bits", k, x)
		}
	}
	for typ := range missing {
		t.Errorf("no value is a %v", typ)
	}
}
