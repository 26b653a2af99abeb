//go:build !linux && !darwin

package zmy

import "os"

func mapFile(f *os.File, n int) ([]byte, error) { return readFile(f, n) }

func unmapFile([]byte) error { return nil }
