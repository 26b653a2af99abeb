package zmy

import (
	"errors"
	"fmt"
)

// Errors of envelopes and streams, in addition to those of messages. spec/ENVELOPE.md calls them
// MAGIC, CHECKSUM, COMPRESSION and SEQUENCE.
var (
	ErrMagic       = errors.New("not a ZMY envelope")
	ErrChecksum    = errors.New("checksum does not match")
	ErrCompression = errors.New("compression cannot be undone")
	ErrSequence    = errors.New("chunk does not belong here")
)

// EnvelopeError says why bytes are not an envelope or a stream, or why a value cannot be written as
// one.
type EnvelopeError struct {
	Op     string // "open envelope", "seal envelope", "read stream", "write stream"
	Offset int64  // bytes from the start of the envelope or stream; -1 when sealing
	Err    error  // the cause, for errors.Is: ErrChecksum and so on

	detail string
}

// Error returns one line that says what failed, where and why.
func (e *EnvelopeError) Error() string {
	s := fmt.Sprintf("zmy: %s: %v", e.Op, e.Err)
	if e.Offset >= 0 {
		s += fmt.Sprintf(" at offset %d", e.Offset)
	}
	if e.detail != "" {
		s += " (" + e.detail + ")"
	}
	return s
}

// Unwrap returns e.Err.
func (e *EnvelopeError) Unwrap() error { return e.Err }

func failEnvelope(off int, code error, format string, args ...any) error {
	return &EnvelopeError{"open envelope", int64(off), code, fmt.Sprintf(format, args...)}
}

func failSeal(code error, format string, args ...any) error {
	return &EnvelopeError{"seal envelope", -1, code, fmt.Sprintf(format, args...)}
}
