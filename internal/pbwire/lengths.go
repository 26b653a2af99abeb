package pbwire

import "slices"

// Lengths collects the lengths of messages that are longer than 127 bytes while these are written. Each
// message has one byte for its length, until Finish moves all of them at once. So the time does not grow
// with the depth of the nesting.
type Lengths struct {
	all   []length
	extra int // bytes that all need beside the one byte
}

// length is the length n of the content that begins at the index at.
type length struct{ at, n int }

// Extra returns how many bytes Finish inserts. If it was before where a content began, and is now where
// the content ends, the content is longer by the difference than it looks.
func (l *Lengths) Extra() int { return l.extra }

// Close notes the length n, at least 128, of the content that begins at the index at.
func (l *Lengths) Close(at, n int) {
	l.all = append(l.all, length{at, n})
	l.extra += SizeVarint(uint64(n)) - 1
}

// Finish writes all lengths and moves the contents. b has the messages up to the index i, and room for
// Extra bytes. It returns the new end.
func (l *Lengths) Finish(b []byte, i int) int {
	if len(l.all) == 0 {
		return i
	}
	slices.SortFunc(l.all, func(a, b length) int { return b.at - a.at })
	end := i + l.extra
	to := end
	for _, x := range l.all {
		to -= copy(b[to-(i-x.at):to], b[x.at:i])
		i = x.at - 1 // the byte before the content is not moved: the length replaces it
		to -= SizeVarint(uint64(x.n))
		AppendVarint(b[:to], uint64(x.n))
	}
	return end
}
