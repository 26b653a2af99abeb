//go:build !labonly

package main

import "github.com/zmylab/zmy/cmd/zmy/load"

// services are the commands that serve requests or send them, and those that analyse whole programs. The
// build tag labonly leaves them out, with gRPC, NATS and Prometheus: half of the time that a first build takes.
func services() []command {
	return []command{
		{"scan", "find what serialization costs a program, and what another codec saves", runScan},
		{"serve", "run a demo service: every codec over HTTP, events, metrics, a canary", runServe},
		{"load", "put load on a service and report its latencies", runLoad},
		{"load http", "", runLoadHTTP},
		{"load sse", "", runLoadSSE},
		{"load grpc", "", runLoadGRPC},
		{"compat", "will my bytes change with another Go, codec or module version?", runCompat},
		{"adopt", "change the JSON codec of a module, or JSON to ZMY, as a patch that passes its tests", runAdopt},
	}
}

const untilEOF = load.UntilEOF

// buildTags are the tags of this build, for a command that repeats it.
const buildTags = ""
