package natsx_test

import (
	"context"
	"fmt"
	"log"

	"github.com/zmylab/zmy/adapters/natsx/embedded"
	"github.com/zmylab/zmy/sse"
)

// A hub on a server within the process; natsx.Open with a URL has it on a server or a cluster.
func Example() {
	ctx := context.Background()
	broker, err := embedded.Open(ctx, "")
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
