//go:build !linux

package serve

// surroundings returns nil: they are known on Linux only.
func surroundings() []string { return nil }

// waiting returns false: this is known on Linux only.
func waiting() bool { return false }
