package zmy_test

import (
	"errors"
	"testing"

	"github.com/zmylab/zmy"
	"github.com/zmylab/zmy/internal/zmycase"
)

// TestVerify: VerifyOrder says what unmarshalling says, but for the path, and takes no memory.
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
		if got == nil || want == nil || got.Error() != withoutPath(want).Error() {
			t.Fatalf("the first %d bytes: verify says %v, unmarshal %v", i, got, want)
		}
	}
	if err := zmycase.VerifyOrderOptions(b, zmy.UnmarshalOptions{MaxWire: len(b) - 1}); !errors.Is(err, zmy.ErrTooLarge) {
		t.Error(err)
	}
}

// withoutPath is err as a verifier returns it: verifiers know no names of fields.
func withoutPath(err error) error {
	var e *zmy.DecodeError
	if !errors.As(err, &e) {
		return err
	}
	c := *e
	c.Path = ""
	return &c
}
