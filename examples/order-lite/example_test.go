package orderlite_test

import (
	"fmt"
	"log"
	"math/rand/v2"

	"github.com/zmylab/zmy"
	orderlite "github.com/zmylab/zmy/examples/order-lite"
)

// A view reads fields in place: nothing is decoded, nothing is copied.
func Example() {
	v := orderlite.SampleOrder(rand.New(rand.NewPCG(1, 0)))
	b, err := zmy.Marshal(&v)
	if err != nil {
		log.Fatal(err)
	}
	view, err := orderlite.ViewOrder(b) // verifies all of b once
	if err != nil {
		log.Fatal(err)
	}
	currency, _ := view.Metadata("currency")
	fmt.Println(view.ID(), view.ItemsLen(), view.Items(0).Sku(), currency)
	// Output:
	// ORD-2025-5982609-C7 4 SKU-499081-BZ GBP
}
