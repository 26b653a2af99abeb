package protort

import "github.com/zmylab/zmy/internal/pbwire"

// Encoder is the state of an encoder of one message.
type Encoder struct {
	Sorted  bool // entries of maps are in the order of their keys
	lengths pbwire.Lengths
}

// Extra returns how many bytes Finish will insert into what is written.
func (e *Encoder) Extra() int { return e.lengths.Extra() }

// Close notes the length n of the content from start on, which is at least 128. The encoder has left one
// byte for it.
func (e *Encoder) Close(start, n int) { e.lengths.Close(start, n) }

// Finish inserts the lengths that Close noted. b has the message up to the index i.
func (e *Encoder) Finish(b []byte, i int) ([]byte, int) {
	if e.lengths.Extra() == 0 {
		return b, i
	}
	b = Room(b, i, e.lengths.Extra())
	return b, e.lengths.Finish(b, i)
}
