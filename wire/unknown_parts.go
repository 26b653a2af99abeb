package wire

// Parts returns what u carries behind the sections of its type: scalars, tails,
// and of a sparse struct the bitmap without the known fields. They must not be
// changed. Reserved fields are not among them: see [Unknown.Kept].
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

// MakeUnknown is the inverse of [Unknown.Parts], for programs that read unknown
// parts from elsewhere. Whether they make a struct is for Verify to say.
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

// WithKept returns u with the bytes of reserved field i.
func (u Unknown) WithKept(i int, b []byte) Unknown {
	r := &rest{}
	if u.rest != nil {
		*r = *u.rest
	}
	r.kept = append(r.kept[:len(r.kept):len(r.kept)], kept{i, b})
	return Unknown{r}
}
