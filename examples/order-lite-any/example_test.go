package orderliteany_test

import (
	"fmt"
	"log"
	"math/rand/v2"

	"github.com/zmylab/zmy"
	orderliteany "github.com/zmylab/zmy/examples/order-lite-any"
	"github.com/zmylab/zmy/fxjson"
)

// An int behind any stays an int in the native format.
func Example() {
	v := orderliteany.SampleOrder(rand.New(rand.NewPCG(1, 0)))
	b, err := zmy.Marshal(&v)
	if err != nil {
		log.Fatal(err)
	}
	var back orderliteany.Order
	if err := zmy.Unmarshal(b, &back); err != nil {
		log.Fatal(err)
	}
	text, err := fxjson.Marshal(&v)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d items, points %T; %d bytes native, %d of JSON\n", len(back.Items), back.Metadata["points"], len(b), len(text))
	// Output:
	// 2 items, points int; 239 bytes native, 334 of JSON
}
