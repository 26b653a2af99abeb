//go:build !linux

package worker

// surroundings are not known here.
func surroundings() []string { return nil }

// waiting is not known here.
func waiting() bool { return false }
