package natsx_test

import (
	"context"
	"fmt"
	"log"

	"github.com/zmylab/zmy/adapters/natsx"
	"github.com/zmylab/zmy/sse"
)

// A hub on an embedded server; with a URL in place of "" it is on a cluster.
func Example() {
	ctx := context.Background()
	broker, err := natsx.Open(ctx, "")
	if err != nil {
		log.Fatal(err)
	}
	defer broker.Close()
	hub, err := sse.Open(ctx, broker)
	if err != nil {
		log.Fatal(err)
	}
	defer hub.Close()

	id, err := hub.Publish(ctx, "orders", sse.Message{Data: []byte("paid")})
	fmt.Println(id.Seq, err)
	// Output: 1 <nil>
}
