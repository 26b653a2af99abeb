// Package bench counts what a call of an echo service costs in processor time with protobuf-go,
// ZMY, JSON and no codec at all, client and server being one process that speaks to itself over
// loopback:
//
//	go test ./bench -bench . -cpu 1
//
// On one processor the collector's work, too, is in its codec's time, and no thread looks for work.
// `bin/maint goals -subject ./adapters/grpcx/bench` compares with intervals, processes by turns.
package bench
