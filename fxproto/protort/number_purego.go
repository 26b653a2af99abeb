//go:build purego

package protort

// bytesOf returns nil: without package unsafe no list has the bytes of its message.
func bytesOf[T number](list []T) []byte { return nil }
