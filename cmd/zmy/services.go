//go:build !labonly

package main

import "github.com/zmylab/zmy/cmd/zmy/load"

// services are the commands that serve requests or send them. The build tag labonly leaves them out,
// with gRPC, NATS and Prometheus: half of the time that a first build takes.
func services() []command {
	return []command{
		{"serve", "run a demo service: every codec over HTTP, events, metrics, a canary", runServe},
		{"load", "put load on a service and report its latencies", runLoad},
		{"load http", "", runLoadHTTP},
		{"load sse", "", runLoadSSE},
		{"load grpc", "", runLoadGRPC},
	}
}

const untilEOF = load.UntilEOF
