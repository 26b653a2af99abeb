package blob128k_test

import (
	"errors"
	"fmt"
	"log"
	"math/rand/v2"

	"github.com/zmylab/zmy"
	"github.com/zmylab/zmy/examples/blob128k"
)

// Messages beyond 128 KiB need a higher limit on both sides.
func Example() {
	v := blob128k.SampleBlob(rand.New(rand.NewPCG(1, 0)))
	_, err := zmy.Marshal(&v)
	fmt.Println("refused:", errors.Is(err, zmy.ErrTooLarge))

	const limit = 1 << 20
	b, err := zmy.MarshalOptions{MaxWire: limit}.Marshal(&v)
	if err != nil {
		log.Fatal(err)
	}
	var back blob128k.Blob
	if err := (zmy.UnmarshalOptions{MaxWire: limit}).Unmarshal(b, &back); err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(back.Payload), "of", len(b), "bytes are payload")
	// Output:
	// refused: true
	// 131072 of 131159 bytes are payload
}
