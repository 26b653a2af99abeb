package protort

import "github.com/zmylab/zmy/internal/pbwire"

// SizeVarint returns the length of x in bytes.
func SizeVarint(x uint64) int { return pbwire.SizeVarint(x) }

// SizeBytes returns the number of bytes that n bytes and their length take.
func SizeBytes(n int) int { return pbwire.SizeVarint(uint64(n)) + n }
