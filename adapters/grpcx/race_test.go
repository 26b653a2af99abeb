//go:build race

package grpcx

// raceEnabled says that pools forget at random, as they do under the race detector.
const raceEnabled = true
