// Package codec names a serialization behind one small interface, keeps codecs
// in an explicit [Registry], and adapts the standard library's.
//
// A [Codec] has three methods. It tells what else it can do by further
// interfaces ([Appender], [Stable], [Pooled], [Viewer], [Streamer], [MediaTyped]), found by
// [As]; the functions of the same purpose ([Append], [MediaType], …) use
// them where they exist and do without where they do not. A codec is therefore
// complete with three methods and gets faster with each one more.
//
// An [Observer] is told what codecs do, for metrics and spans; a [Pool] keeps
// buffers for reuse, and a [Lease] shares one among goroutines.
//
// Nothing registers itself: a program builds its Registry where it starts.
package codec

// Codec marshals Go values to bytes and back. Implementations are safe for use
// by many goroutines at once.
//
// Package codectest checks what is promised here.
type Codec interface {
	// Name is short, lower case and stable: "json", "gob", "zmy".
	Name() string
	// Marshal returns new bytes that the caller owns. v is a T or a *T.
	Marshal(v any) ([]byte, error)
	// Unmarshal stores into v, a non-nil pointer. It keeps no reference to b, does
	// not change b, and fails if b holds more than one message.
	Unmarshal(b []byte, v any) error
}
