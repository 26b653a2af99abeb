package zmy

import (
	"sync"

	"github.com/zmylab/zmy/wire"
)

// scratches are buffers in which messages are made whose size is not known yet.
var scratches = sync.Pool{New: func() any { return &Scratch{buf: make([]byte, 0, 1<<10)} }}

// maxScratch is the largest buffer that is kept for the next message.
const maxScratch = 1 << 20

// Scratch is a buffer that generated code borrows for one message.
type Scratch struct{ buf []byte }

// Borrow returns a scratch buffer, for generated code: see [Scratch.Encoded].
func Borrow() (s *Scratch, buf []byte) {
	s = scratches.Get().(*Scratch)
	return s, s.buf[:0]
}

// Encoded is the function of that name for a message b made in the buffer. It
// returns a copy of the message's own size and takes the buffer back; or else b
// itself, if it is too large to be kept and fills its memory well.
func (s *Scratch) Encoded(typ string, e *wire.Encoder, b []byte, err *wire.Error) ([]byte, error) {
	b, failed := Encoded(typ, e, nil, b, err)
	var out []byte
	switch {
	case failed != nil:
	case cap(b) > maxScratch && cap(b)-len(b) <= len(b)/8:
		out = b[:len(b):len(b)]
	default:
		out = make([]byte, len(b)) // the compiler joins it with the copy: nothing is zeroed
		copy(out, b)
	}
	if cap(b) > cap(s.buf) && cap(b) <= maxScratch {
		s.buf = b
	}
	scratches.Put(s)
	return out, failed
}
