package zmy_test

import (
	"errors"
	"testing"

	"github.com/zmylab/zmy"
	"github.com/zmylab/zmy/internal/zmycase"
)

// VerifyOrder says what unmarshalling says, and takes no memory.
func TestVerify(t *testing.T) {
	v := sampleOrder()
	b, err := zmy.Marshal(&v)
	if err != nil {
		t.Fatal(err)
	}
	if err := zmycase.VerifyOrder(b); err != nil {
		t.Error(err)
	}
	if n := testing.AllocsPerRun(100, func() { _ = zmycase.VerifyOrder(b) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
	for i := range b {
		var x zmycase.Order
		want, got := x.UnmarshalZMY(b[:i]), zmycase.VerifyOrder(b[:i])
		if got == nil || want == nil || got.Error() != want.Error() {
			t.Fatalf("the first %d bytes: verify says %v, unmarshal %v", i, got, want)
		}
	}
	if err := zmycase.VerifyOrderOptions(b, zmy.UnmarshalOptions{MaxWire: len(b) - 1}); !errors.Is(err, zmy.ErrTooLarge) {
		t.Error(err)
	}
}
