package wire

// AppendDisc appends the discriminator of a union. disc must not be 0.
func AppendDisc(b []byte, disc uint16) []byte { return append(b, byte(disc), byte(disc>>8)) }

// OpenUnion splits the slot b into the discriminator and the slot of the arm. b must not be empty.
func OpenUnion(b []byte) (disc uint16, arm []byte, err *Error) {
	if len(b) < 2 {
		return 0, nil, FailShort(2, len(b))
	}
	if disc = U16(b); disc == 0 {
		return 0, nil, Fail(ErrDomain, 0)
	}
	return disc, b[2:], nil
}
