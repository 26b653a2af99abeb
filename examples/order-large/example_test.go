package orderlarge_test

import (
	"errors"
	"fmt"
	"log"
	"math/rand/v2"

	"github.com/zmylab/zmy"
	orderlarge "github.com/zmylab/zmy/examples/order-large"
)

// Messages beyond 128 KiB need a higher limit on both sides.
func Example() {
	v := orderlarge.SampleOrder(rand.New(rand.NewPCG(1, 0)))
	_, err := zmy.Marshal(&v)
	fmt.Println("refused:", errors.Is(err, zmy.ErrTooLarge))

	const limit = 1 << 20
	b, err := zmy.MarshalOptions{MaxWire: limit}.Marshal(&v)
	if err != nil {
		log.Fatal(err)
	}
	var back orderlarge.Order
	if err := (zmy.UnmarshalOptions{MaxWire: limit}).Unmarshal(b, &back); err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(back.Items), "items,", len(b), "bytes")
	// Output:
	// refused: true
	// 623 items, 397726 bytes
}
