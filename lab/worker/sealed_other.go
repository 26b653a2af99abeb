//go:build !linux

package worker

// seal returns the messages unchanged: sealed memory is used on Linux only.
func seal(wire [][]byte) ([][]byte, *sealed) { return wire, nil }
