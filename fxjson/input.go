package fxjson

import (
	"bytes"
	"errors"
	"io"
	"sync"
	"sync/atomic"

	"github.com/zmylab/zmy/fxjson/internal/jsonscan"
	"github.com/zmylab/zmy/fxjson/internal/jsonwire"
	"github.com/zmylab/zmy/fxjson/jsonrt"
)

// input is what a [Decoder] has read and not consumed yet. In memory it keeps only the current
// value, and the bytes after it that the last Read returned.
type input struct {
	r    io.Reader
	buf  []byte  // bytes read; its capacity always has room for padding after them
	own  *[]byte // holds the memory of buf, if that is from inputs; else nil
	at   int     // index in buf of the first byte that is not consumed yet
	past int64   // number of bytes of the stream that came before buf
	last int     // length of the last value
	open bool    // a read has begun; if it has not ended, the reader panicked, and may have written to the padding
	scan jsonscan.Scanner
}

// inputs pools the first buffers of decoders. A decoder that has consumed all of it returns it, so a
// decoder for a single value seldom needs new memory. For further values a decoder has a buffer of
// its own, as large as they are: it may wait for the next one for hours.
var inputs = sync.Pool{New: func() any { return new([]byte) }}

// newline is the buffer of a decoder that has left a line feed, as Encoders write it after a value.
var newline = append(make([]byte, 0, 1+jsonwire.Pad), '\n')

// Errors of [input.decode] for the next value.
var (
	errMalformed = errors.New("fxjson: malformed JSON")
	errCut       = errors.New("fxjson: the stream ends within a value")
)

// decode decodes the next value into v and returns its length, white space before it included. If
// there is no whole value, found is false, nothing is consumed, and v has not changed: err is
// errMalformed, errCut, or an error of the reader such as io.EOF.
func (in *input) decode(v any, o *UnmarshalOptions) (n int, found bool, err error) {
	if in.open {
		in.pad()
		in.open = false
	}
	var readErr error
	rest := in.buf[in.at:]
	fresh, tries := spaces(rest) == len(rest), 0 // tries: how often to try the value in one pass, in vain if it goes on
	if fresh {
		readErr, tries = in.read(), 2
	}
	in.scan.Reset()
	for {
		if tries > 0 {
			if in.alone() {
				if n := in.first(v, o); n > 0 {
					in.consume(n)
					in.release()
					return n, true, nil
				}
			}
			tries--
		}
		e := in.end(n, fresh)
		if e == jsonscan.Bad {
			return 0, false, errMalformed
		}
		if e >= 0 {
			n += e
			break
		}
		n = len(in.buf) - in.at
		if readErr == io.EOF && in.scan.Complete() || jsonwire.StdV2 && in.scan.Ended() {
			break
		}
		if readErr == io.EOF && spaces(in.buf[in.at:]) < n {
			return n, false, errCut
		}
		if readErr != nil {
			return n, false, readErr
		}
		readErr = in.read()
	}
	doc := in.buf[in.at : in.at+n]
	if jsonwire.StdV2 { // its Decoder counts offsets of errors from the value, that of version 1 from the end of the value before
		doc = doc[spaces(doc):]
	}
	in.consume(n) // before a method of v may panic: the next call goes on with the next value
	if jsonrt.StdOnly {
		doc = bytes.Clone(doc) // a method of v may keep it
	}
	err = o.Unmarshal(doc, v)
	in.release()
	return n, true, err
}

// alone reports whether the buffer seems to hold the next value and nothing else. It is not to hold
// more because strings of a value may keep their document in memory; values are divided by line feeds
// most often. The value has a last byte that ends it in any stream.
func (in *input) alone() bool {
	b := bytes.TrimSuffix(in.buf[in.at:], newline)
	b = b[spaces(b):]
	return len(b) > 1 && b[len(b)-1] == b[0]+2 && (b[0] == '{' || b[0] == '[') && bytes.IndexByte(b, '\n') < 0
}

// first decodes the next value in one pass and returns its length. If it returns 0, nothing has
// happened: the value is not whole, for example, or does not fit.
func (in *input) first(v any, o *UnmarshalOptions) int {
	if o.Unmarshalers != nil {
		return 0
	}
	b := in.buf[in.at:]
	space := spaces(b)
	if n := jsonrt.UnmarshalFirst(b[space:], v, o.flags()); n > 0 {
		return space + n
	}
	return 0
}

// end looks for the end of the next value, of which n bytes have been scanned. It returns the number
// of bytes from there, [jsonscan.More] or [jsonscan.Bad]. fresh says that the buffer held nothing
// before the last read: only then may it be searched to its end, or the work for many values in it
// would be quadratic.
func (in *input) end(n int, fresh bool) int {
	b := in.buf[in.at+n:]
	if n == 0 && (!fresh || in.alone() || bytes.IndexByte(b, '\n') >= 0) { // it may be whole, alone or with others
		if e := in.whole(); e >= 0 {
			return e
		}
	}
	return in.scan.ScanPadded(b[:len(b)+jsonwire.Pad], len(b))
}

// spaces returns the number of bytes of white space at the start of b.
func spaces(b []byte) int {
	for i, c := range b {
		if !isSpace(c) {
			return i
		}
	}
	return len(b)
}

// consume moves past a value of n bytes.
func (in *input) consume(n int) {
	in.learn(n)
	in.last = n
	in.at += n
}

// release returns the buffer to the pool if all is consumed but a line feed.
func (in *input) release() {
	rest := in.buf[in.at:]
	if in.own == nil || len(rest) > 1 || len(rest) == 1 && rest[0] != '\n' {
		return
	}
	in.past += int64(in.at)
	in.at = 0
	if cap(in.buf) <= 1<<10+int(usual.Load())*3/2 {
		*in.own = in.buf[:0]
		inputs.Put(in.own)
	}
	in.own, in.buf = nil, newline[:len(rest)]
}

// usual is the size in bytes of the values with which streams have begun lately. First buffers have room for one: then a value often
// arrives whole, and needs neither a larger buffer nor the scanner.
var usual atomic.Int64

// learn moves usual towards the size of a value if a stream begins with it.
func (in *input) learn(n int) {
	const most = 64 << 10
	if in.past > 0 || in.at > 0 {
		return
	}
	size, was := int64(min(n+n/8, most)), usual.Load()
	step := (size - was) / 16
	if size > was {
		step = (size - was + 7) / 8
	}
	if step != 0 {
		usual.Store(was + step)
	}
}

// whole returns the length of the next value if the buffer holds all of it, else -1. Most values
// arrive whole, so only the fast kernel checks them. in.scan is slower, but can continue where it
// stopped.
func (in *input) whole() int {
	if in.at == len(in.buf) {
		return -1
	}
	padded := in.buf[in.at : len(in.buf)+jsonwire.Pad]
	e := jsonwire.Skip(padded, 0, 0)
	if e < 0 {
		return -1
	}
	if c := padded[e-1]; c == '}' || c == ']' || in.at+e < len(in.buf) || jsonwire.StdV2 && c-'0' > 9 {
		return e
	}
	return -1 // a number may go on, and version 1 waits for a byte after a string or a literal too
}

// read calls the reader once. Before that it makes room for at least minRead bytes more.
func (in *input) read() error {
	const minRead = 512
	rest := in.buf[in.at:]
	switch none := cap(in.buf) <= cap(newline); {
	case none && in.past == 0 && in.at == 0:
		in.own = inputs.Get().(*[]byte)
		in.move(*in.own, rest, max(minRead, int(usual.Load())))
	case none:
		in.move(nil, rest, max(minRead, in.last))
	case in.at > 0 || cap(in.buf)-len(in.buf) < minRead+jsonwire.Pad:
		in.move(in.buf, rest, minRead)
	}
	room := in.buf[len(in.buf) : cap(in.buf)-jsonwire.Pad : cap(in.buf)-jsonwire.Pad]
	in.open = true
	n, err := in.r.Read(room)
	if n < 0 || n > len(room) {
		panic("fxjson: Read returned a count out of range")
	}
	in.buf = in.buf[:len(in.buf)+n]
	in.pad()
	in.open = false
	if jsonwire.StdV2 && n > 0 {
		return nil // version 2 reads once more, and meets the error then
	}
	return err
}

func (in *input) pad() { clear(in.buf[len(in.buf) : len(in.buf)+jsonwire.Pad]) }

// move moves rest, the bytes that are not consumed yet, to the front of buf, or to larger memory if
// buf has no room for least bytes more.
func (in *input) move(buf, rest []byte, least int) {
	if need := len(rest) + least + jsonwire.Pad; cap(buf) < need {
		buf = make([]byte, 0, len(rest)+need)
	}
	in.past += int64(in.at)
	in.buf, in.at = append(buf[:0], rest...), 0
}
