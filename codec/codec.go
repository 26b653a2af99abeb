// Package codec names a serialization behind one small interface, keeps codecs
// in an explicit Registry, and adapts the standard library's.
package codec

// Codec marshals Go values to bytes and back. Implementations are safe for use
// by many goroutines at once.
type Codec interface {
	// Name is short, lower case and stable: "json", "gob", "zmy".
	Name() string
	// Marshal returns new bytes that the caller owns.
	Marshal(v any) ([]byte, error)
	// Unmarshal stores into v, a non-nil pointer. It keeps no reference to b.
	Unmarshal(b []byte, v any) error
}
