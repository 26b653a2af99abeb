package zmy

import "fmt"

// unmarshal stores a message that has passed the limits of its envelope or
// stream, whose type has that fingerprint. op is what was asked for.
func (o OpenOptions) unmarshal(op string, fingerprint uint64, msg []byte, v any) error {
	if o.Unmarshal.Exact {
		if s := otherType(fingerprint, v); s != "" {
			return &EnvelopeError{op, 8, ErrVersion, s}
		}
	}
	err := o.Inner(len(msg)).Unmarshal(msg, v)
	if d, ok := err.(*DecodeError); ok { // itself: what hand-written code wraps is left as it is
		if s := otherType(fingerprint, v); s != "" {
			told := *d
			told.detail += "; " + s
			return &told
		}
	}
	return err
}

// otherType says that v is not of the type with that fingerprint, "" if it is or
// one of the two is unknown.
func otherType(fingerprint uint64, v any) string {
	w := wayOf(v)
	if fingerprint == 0 || !w.fingerprint || w.pointer && isNil(v) {
		return ""
	}
	own := as[Fingerprinter](v).ZMYFingerprint()
	if own == 0 || own == fingerprint {
		return ""
	}
	return fmt.Sprintf("the writer's type has fingerprint %016x, %T has %016x: another version, or another type", fingerprint, v, own)
}
