package worker

// Helpers for codecs whose interface is just Marshal and Unmarshal. They box only the pointer to
// the value, so they add no allocation.

// Marshal returns an encoder for mode fresh that calls a function such as json.Marshal, which
// returns new bytes.
func Marshal[N any](mode string, marshal func(any) ([]byte, error)) Encoder[N] {
	return Encoder[N]{Mode: mode, New: Stateless(func(_ []byte, v *N) ([]byte, error) { return marshal(v) })}
}

// Append returns an encoder that calls the function which state returns. That function appends to
// dst, or returns bytes that are valid until its next call. state is called once per goroutine.
func Append[N any](mode string, state func() func(dst []byte, v any) ([]byte, error)) Encoder[N] {
	return Encoder[N]{Mode: mode, New: func() func([]byte, *N) ([]byte, error) {
		enc := state()
		return func(dst []byte, v *N) ([]byte, error) { return enc(dst, v) }
	}}
}

// Unmarshal returns the decoders fresh and reused, which call a function such as json.Unmarshal.
// The function must not keep references to its input.
func Unmarshal[N any](unmarshal func([]byte, any) error) []Decoder[N] {
	one := UnmarshalAs[N]("fresh", unmarshal)
	two := UnmarshalAs[N]("reused", unmarshal)
	two.Reuse = true
	return []Decoder[N]{one, two}
}

// UnmarshalAs returns one decoder with the given mode.
func UnmarshalAs[N any](mode string, unmarshal func([]byte, any) error) Decoder[N] {
	return Decoder[N]{Mode: mode, New: Stateless(func(b []byte, v *N) error { return unmarshal(b, v) })}
}

// Stateless returns f as the field New of an encoder, decoder or accessor without state: all
// goroutines call f.
func Stateless[F any](f F) func() F { return func() F { return f } }
