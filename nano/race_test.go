//go:build race

package nano_test

// raceEnabled: the race detector makes pools drop some of what they are given.
const raceEnabled = true
