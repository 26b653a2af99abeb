package canary

import "github.com/zmylab/zmy/codec"

// Anybody can send bytes that no codec reads. So the candidate is rolled back only for failures in
// operations in which the incumbent succeeds. The incumbent cannot be asked about streams, nor
// about bytes of another media type; there the class of the error decides.

// worse reports whether own, the candidate's error, counts against the candidate. theirs is the
// incumbent's error in the same operation.
func worse(own, theirs error) bool {
	switch class := codec.ClassOf(own); {
	case class == codec.ClassCanceled:
		return false
	case class == codec.ClassPanic: // refusing bad bytes is right, panicking is not
		return codec.ClassOf(theirs) != codec.ClassPanic
	}
	return theirs == nil
}

// faulty reports, by the class of an error alone, whether it is the codec's fault.
func faulty(op codec.Op, err error) bool {
	switch class := codec.ClassOf(err); {
	case class == codec.ClassPanic || class == codec.ClassUnsupported:
		return true
	case class == codec.ClassCanceled || op == codec.OpUnmarshal || op == codec.OpDecode:
		return false // an error of reading may be the sender's fault
	case class == codec.ClassOther:
		return op != codec.OpEncode // in a stream the connection may have failed
	}
	return true
}

// failed records that op has failed with the error own, and returns own. check does the same
// operation with the incumbent, for comparison. check is nil if that is not possible.
func (c *armCodec) failed(op codec.Op, own error, check func(incumbent codec.Codec) error) error {
	fault := faulty(op, own)
	if c.incumbent != nil && check != nil {
		fault = worse(own, check(codec.Guarded(c.incumbent.Codec)))
	}
	c.rec.fail(int(op), fault)
	return own
}

// rescue lets the incumbent answer after op has failed with the error own, and records the failure.
func (c *armCodec) rescue(op codec.Op, own error, answer func(incumbent *armCodec) error) error {
	theirs := codec.ErrPanicked // if answer does not return
	defer func() { c.rec.fail(int(op), worse(own, theirs)) }()
	theirs = answer(c.incumbent)
	return theirs
}
