//go:build !race

package nano_test

const raceEnabled = false
