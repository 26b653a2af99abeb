package worker

// Helpers for codecs whose whole interface is Marshal and Unmarshal. They box
// the pointer only, so they add no allocation to what they wrap.

// Marshal makes the encoder of a function such as json.Marshal, which returns
// new bytes. For mode fresh.
func Marshal[N any](mode string, marshal func(any) ([]byte, error)) Encoder[N] {
	return Encoder[N]{Mode: mode, New: Stateless(func(_ []byte, v *N) ([]byte, error) { return marshal(v) })}
}

// Append makes the encoder of a function that appends to dst, or that returns
// bytes valid until its next call; state is made once per goroutine.
func Append[N any](mode string, state func() func(dst []byte, v any) ([]byte, error)) Encoder[N] {
	return Encoder[N]{Mode: mode, New: func() func([]byte, *N) ([]byte, error) {
		enc := state()
		return func(dst []byte, v *N) ([]byte, error) { return enc(dst, v) }
	}}
}

// Unmarshal makes the decoders fresh and reused of a function such as
// json.Unmarshal, which keeps nothing of its input.
func Unmarshal[N any](unmarshal func([]byte, any) error) []Decoder[N] {
	one := UnmarshalAs[N]("fresh", unmarshal)
	two := UnmarshalAs[N]("reused", unmarshal)
	two.Reuse = true
	return []Decoder[N]{one, two}
}

// UnmarshalAs makes one decoder of a mode of its own.
func UnmarshalAs[N any](mode string, unmarshal func([]byte, any) error) Decoder[N] {
	return Decoder[N]{Mode: mode, New: Stateless(func(b []byte, v *N) error { return unmarshal(b, v) })}
}

// Stateless makes the New of an encoder, decoder or accessor that keeps nothing between calls: all
// goroutines call f.
func Stateless[F any](f F) func() F { return func() F { return f } }
