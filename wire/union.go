package wire

// AppendDisc appends the discriminator of a union, which is not 0.
func AppendDisc(b []byte, disc uint16) []byte { return append(b, byte(disc), byte(disc>>8)) }

// OpenUnion splits the slot b, not empty, into the discriminator and the slot of
// the arm.
func OpenUnion(b []byte) (disc uint16, arm []byte, err *Error) {
	if len(b) < 2 {
		return 0, nil, FailShort(2, len(b))
	}
	if disc = U16(b); disc == 0 {
		return 0, nil, Fail(ErrDomain, 0)
	}
	return disc, b[2:], nil
}
