//go:build !linux

package bench

// seal returns the messages unchanged, and nil: sealed memory is used on Linux only.
func seal(wire [][]byte) ([][]byte, *sealed) { return wire, nil }
