// Package bench measures the processor time of a call to an echo service with protobuf-go, ZMY,
// JSON and no codec at all. Client and server are one process that talks to itself over loopback:
//
//	go test ./bench -bench . -cpu 1
//
// With one processor, the garbage collector's work counts as time of its codec, and no idle thread
// spends time looking for work. `bin/maint goals -subject ./adapters/grpcx/bench` compares codecs
// with confidence intervals, in processes that take turns.
package bench
