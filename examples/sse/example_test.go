package sse_test

import (
	"fmt"
	"log"
	"math/rand/v2"

	"github.com/zmylab/zmy/examples/sse"
)

// AppendJSON writes behind what a buffer holds already: here an event's frame.
func Example() {
	e := sse.SampleSSEEvent(rand.New(rand.NewPCG(1, 0)))
	frame := append(make([]byte, 0, 512), "data: "...)
	frame, err := e.AppendJSON(frame)
	if err != nil {
		log.Fatal(err)
	}
	frame = append(frame, "\n\n"...)
	fmt.Printf("%s", frame)
	// Output:
	// data: {"id":"1754556357282-89","event":"payment.captured","data":"{\"order\":\"ORD-2025-7015380-O8\",\"state\":\"packed\",\"total\":26.99,\"currency\":\"EUR\",\"note\":\"aluminum saddle\"}","replay":false,"meta":{"region":"us-east","tenant":"t-8418","trace":"3ad91fbb34e555ca"}}
}
