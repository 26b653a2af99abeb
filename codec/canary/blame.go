package canary

import "github.com/zmylab/zmy/codec"

// Anybody can send bytes that no codec reads. A candidate is therefore rolled back only for
// failures where the incumbent, asked for the same, succeeds. The incumbent cannot be asked for
// streams and for bytes of another media type; there the class of the error decides.

// worse says whether own, the candidate's error, counts against it, theirs being what
// the incumbent says to the same.
func worse(own, theirs error) bool {
	switch class := codec.ClassOf(own); {
	case class == codec.ClassCanceled:
		return false
	case class == codec.ClassPanic: // bytes are to be refused, not to be panicked at
		return codec.ClassOf(theirs) != codec.ClassPanic
	}
	return theirs == nil
}

// faulty says by its class alone whether an error is the codec's fault.
func faulty(op codec.Op, err error) bool {
	switch class := codec.ClassOf(err); {
	case class == codec.ClassPanic || class == codec.ClassUnsupported:
		return true
	case class == codec.ClassCanceled || op == codec.OpUnmarshal || op == codec.OpDecode:
		return false // what is read is the sender's
	case class == codec.ClassOther:
		return op != codec.OpEncode // of a stream it may be the connection that fails
	}
	return true
}

// failed records that op has failed with own, and returns that. check has the
// incumbent do the same for comparison; it is nil where that cannot be done.
func (c *armCodec) failed(op codec.Op, own error, check func(incumbent codec.Codec) error) error {
	fault := faulty(op, own)
	if c.incumbent != nil && check != nil {
		fault = worse(own, check(codec.Guarded(c.incumbent.Codec)))
	}
	c.rec.fail(int(op), fault)
	return own
}

// rescue has the incumbent answer where op has failed with own, and records that
// failure.
func (c *armCodec) rescue(op codec.Op, own error, answer func(incumbent *armCodec) error) error {
	theirs := codec.ErrPanicked // unless answer returns
	defer func() { c.rec.fail(int(op), worse(own, theirs)) }()
	theirs = answer(c.incumbent)
	return theirs
}
