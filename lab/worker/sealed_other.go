//go:build !linux

package worker

// seal leaves messages where they are: this system is not asked for read-only memory.
func seal(wire [][]byte) ([][]byte, *sealed) { return wire, nil }
