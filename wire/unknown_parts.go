package wire

// Parts returns what u keeps behind the sections of its struct: scalars, tails and, for a sparse
// struct, the bitmap without the fields that the struct knows. The result must not be changed.
// Reserved fields are not included: see [Unknown.Kept].
func (u Unknown) Parts() (scalars []byte, tails [][]byte, bits []byte) {
	if u.rest == nil {
		return nil, nil, nil
	}
	from := 0
	for _, end := range u.rest.ends {
		tails = append(tails, u.rest.tails[from:end:end])
		from = end
	}
	return u.rest.scalars, tails, u.rest.bits
}

// MakeUnknown is the inverse of [Unknown.Parts], for programs that get unknown parts from another
// source than a message. It does not check whether they form a valid struct; Verify of the
// marshalled message does.
func MakeUnknown(scalars []byte, tails [][]byte, bits []byte) Unknown {
	if len(scalars) == 0 && len(tails) == 0 && len(bits) == 0 {
		return Unknown{}
	}
	r := &rest{scalars: scalars, bits: bits}
	for _, t := range tails {
		r.tails = append(r.tails, t...)
		r.ends = append(r.ends, len(r.tails))
	}
	return Unknown{r}
}

// WithKept returns a copy of u that also keeps b as the bytes of reserved field i.
func (u Unknown) WithKept(i int, b []byte) Unknown {
	r := &rest{}
	if u.rest != nil {
		*r = *u.rest
	}
	r.kept = append(r.kept[:len(r.kept):len(r.kept)], kept{i, b})
	return Unknown{r}
}
