package jsonrt

import (
	"sync/atomic"

	"github.com/zmylab/zmy/fxjson/internal/jsonwire"
)

// NOTE: The texts of a document are the contents of its strings, the numbers that interfaces refer
// to, and short lists of integers. They need memory that stays with the value. There are two ways
// to get it, and earlier documents of the type say which is faster and how much memory it takes:
//
//   - The texts are copied to a piece of memory of their size, and the copy of the document is only
//     scratch. A byte that is not allocated saves about half a nanosecond, most of it the
//     collector's, and a string that is copied takes about five. A session of 747 bytes has 430
//     bytes of texts.
//   - Strings share the copy of the document (alias), which is in memory of its own. That is faster
//     if the document is almost all text, or has many very short strings.

// texts is what is known of the texts of a type's documents.
type texts struct {
	// known is 0 before the first document. The lower 16 bits are the size of the texts in 1024ths
	// of the document's size, the next bit says whether strings share the document.
	known atomic.Uint32
}

// aliasMax is the size in bytes of the largest document whose texts all have one piece of memory,
// and keep it alive. Those of larger documents have pieces of up to 4 KiB.
const aliasMax = 64 << 10

// chunkSize is the size in bytes of further pieces.
const chunkSize = 4 << 10

// maxChunked is the size in bytes of the largest part of the document for which a new piece is
// begun. Larger parts get memory of their own.
const maxChunked = 1024

// shortText is the size in bytes up to which [Dec.text] copies a string by four words.
const shortText = 32

// relearn is the number of documents of a Dec of which [Dec.learn] looks at one, besides the first
// of each type. The number is odd, so that types that take turns all get one. The strings of such a
// document are all copied, by [Dec.str].
const relearn = 61

// newTexts gets memory for the texts t of a document of n bytes. It returns true if that is to be
// the memory of a copy of the document, which the caller makes.
func (d *Dec) newTexts(t *texts, n int) (alias bool) {
	d.texts, d.before, d.copied, d.look = t, 0, 0, false
	if n > aliasMax {
		return false
	}
	d.turn++
	known := t.known.Load()
	d.look = known == 0 || d.turn%relearn == 0
	if known>>16 != 0 && !d.look {
		return true
	}
	room := n
	if known != 0 {
		room = n*int(known&0xffff)>>10 + 8
	}
	if room >= shortText {
		d.slab = newPiece(room)
	}
	return false
}

// learn keeps what the document shows of its type's texts.
func (d *Dec) learn() {
	enough := d.before == 0 && !d.look // as nearly always
	if enough || d.texts == nil || d.alias || d.failed || uint(d.n-1) >= aliasMax {
		return
	}
	const most = 2 << 10
	size := d.before + len(d.slab)
	known := d.texts.known.Load()
	share, now := known&0xffff, uint32(min(most, 1+size<<10/d.n))
	switch {
	case share < now:
		share = now
	case d.look:
		share -= (share - now) / 4
	}
	if d.look {
		known = 0
		if saved, cost := d.n+jsonwire.Pad-size, d.copied+size/256; saved < 5*cost {
			known = 1 << 16
		}
	}
	d.texts.known.Store(known&^0xffff | share)
}

// setRoom sets the length of d.slab up to which it has room for a short text. It never has if
// strings share the document, are interned, or are looked at.
func (d *Dec) setRoom() {
	d.room = 0
	if !d.alias && d.intern == nil && !d.look {
		d.room = cap(d.slab) - shortText + 1
	}
}

// grow gets another piece for texts, with room for at least n bytes. rest is what is left of the
// document.
func (d *Dec) grow(n, rest int) {
	d.before += len(d.slab)
	d.slab = newPiece(max(n, min(chunkSize, rest)))
	d.setRoom()
}

// chunk appends doc[i:e] to the texts and returns its index in d.slab.
func (d *Dec) chunk(i, e int) int {
	if n := e - i; cap(d.slab)-len(d.slab) < n {
		d.grow(n, d.n-i)
	}
	at := len(d.slab)
	d.slab = append(d.slab, d.doc[i:e]...)
	return at
}
