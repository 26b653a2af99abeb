// Package codec puts every serialization behind one small interface, finds codecs in an explicit
// [Registry], and has codecs for the standard library's formats and for this project's.
//
// A [Codec] has three methods. It may have further powers, each with an interface of its own
// ([Appender], [Stable], [Pooled], [Viewer], [Streamer], [MediaTyped]). [As] finds a power. Functions
// such as [Append] and [MediaType] use a power if the codec has it, and do without it otherwise. So a
// codec is complete with three methods, and each power makes it faster or more useful.
//
// An [Observer] sees what codecs do, for metrics and spans. A [Pool] keeps buffers for reuse, and a
// [Lease] shares a buffer among goroutines.
//
// Nothing registers itself: a program builds its Registry where it starts.
package codec

// Codec marshals Go values to bytes and back. Its methods may be called by many goroutines at once.
//
// Package codectest checks that a codec does what these comments say.
type Codec interface {
	// Name is short, lower case and stable: "json", "gob", "zmy".
	Name() string
	// Marshal returns new bytes that the caller owns. v is a T or a *T.
	Marshal(v any) ([]byte, error)
	// Unmarshal stores into v, a non-nil pointer. It keeps no reference to b, does
	// not change b, and fails if b holds more than one message.
	Unmarshal(b []byte, v any) error
}
