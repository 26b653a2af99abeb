package zmy

import (
	"sync"

	"github.com/zmylab/zmy/wire"
)

// scratches holds buffers for messages whose size is not known in advance.
var scratches = sync.Pool{New: func() any { return &Scratch{buf: make([]byte, 0, 1<<10)} }}

// maxScratch is the size in bytes of the largest buffer that is kept for the next message.
const maxScratch = 1 << 20

// Scratch is a buffer that generated code borrows for one message.
type Scratch struct{ buf []byte }

// Borrow returns a scratch buffer for generated code, which returns it with [Scratch.Encoded].
func Borrow() (s *Scratch, buf []byte) {
	s = scratches.Get().(*Scratch)
	return s, s.buf[:0]
}

// Encoded is like the function Encoded, for a message b that was made in the buffer. It takes the
// buffer back and returns a copy of the message, of the message's size. If the message is too large
// for the buffer to be kept, and fills at least eight ninths of its memory, Encoded returns b
// itself.
func (s *Scratch) Encoded(typ string, e *wire.Encoder, b []byte, err *wire.Error) ([]byte, error) {
	b, failed := Encoded(typ, e, nil, b, err)
	var out []byte
	switch {
	case failed != nil:
	case cap(b) > maxScratch && cap(b)-len(b) <= len(b)/8:
		out = b[:len(b):len(b)]
	default:
		out = make([]byte, len(b)) // the compiler combines make and copy, so nothing is zeroed
		copy(out, b)
	}
	if cap(b) > cap(s.buf) && cap(b) <= maxScratch {
		s.buf = b
	}
	scratches.Put(s)
	return out, failed
}
