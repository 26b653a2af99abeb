package order_test

import (
	"fmt"
	"log"
	"math/rand/v2"

	"github.com/zmylab/zmy"
	"github.com/zmylab/zmy/examples/order"
	"github.com/zmylab/zmy/fxjson"
)

// Values behind any keep their types in the native format: a time is a time.
func Example() {
	v := order.SampleOrder(rand.New(rand.NewPCG(1, 0)))
	b, err := zmy.Marshal(&v)
	if err != nil {
		log.Fatal(err)
	}
	var back order.Order
	if err := zmy.Unmarshal(b, &back); err != nil {
		log.Fatal(err)
	}
	text, err := fxjson.Marshal(&v)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d items, placed %T, ledger %T; %d bytes native, %d of JSON\n", len(back.Items), back.Metadata["placed"],
		back.Metadata["ledger"], len(b), len(text))
	// Output:
	// 4 items, placed time.Time, ledger *big.Int; 1517 bytes native, 1928 of JSON
}
