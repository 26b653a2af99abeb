//go:build ignore

package message

// VT is a pointer to a generated message M, with the methods that vtprotobuf's generator adds.
// Other generators add methods with these names too.
type VT[M any] interface {
	*M
	Reset()
	SizeVT() int
	MarshalVT() ([]byte, error)
	MarshalToSizedBufferVT([]byte) (int, error)
	UnmarshalVT([]byte) error
	UnmarshalVTUnsafe([]byte) error
}

// VTCodec returns the codec of message M. Before a message is reused, Reset empties it.
func VTCodec[M any, P VT[M]]() Codec[M] {
	c := Own[M]{
		Size:      func(m *M) int { return P(m).SizeVT() },
		Marshal:   func(m *M) ([]byte, error) { return P(m).MarshalVT() },
		MarshalTo: func(m *M, b []byte) (int, error) { return P(m).MarshalToSizedBufferVT(b) },
		Unmarshal: func(b []byte, m *M) error { return P(m).UnmarshalVT(b) },
		Reset:     func(m *M) { P(m).Reset() },
	}.Codec()
	c.Alias = func(b []byte, m *M) error { return P(m).UnmarshalVTUnsafe(b) }
	return c
}

// Own has the methods of messages that marshal themselves into a buffer of the right size. Their
// Unmarshal adds to the present content.
type Own[M any] struct {
	Size      func(m *M) int
	Marshal   func(m *M) ([]byte, error)
	MarshalTo func(m *M, b []byte) (int, error)
	Unmarshal func(b []byte, m *M) error
	Reset     func(m *M)
}

// Codec returns the codec for these methods.
func (o Own[M]) Codec() Codec[M] {
	return Codec[M]{Marshal: o.Marshal, Append: Append(o.Size, o.MarshalTo), Reset: o.Reset, Unmarshal: o.Unmarshal, Clear: o.Reset}
}
