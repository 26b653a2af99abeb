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
	own  *[]byte // holds the memory of buf, from inputs; nil if buf is nil or newline
	at   int     // index in buf of the first byte that is not consumed yet
	past int64   // number of bytes of the stream that came before buf
	scan jsonscan.Scanner
}

// inputs pools buffers of decoders. A decoder that has consumed all it has read returns its buffer,
// so a decoder for a single value seldom needs new memory.
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
	var readErr error
	if rest := in.buf[in.at:]; spaces(rest) == len(rest) {
		readErr = in.read()
		if n = in.first(v, o); n > 0 {
			in.consume(n)
			return n, true, nil
		}
	}
	if n, err = in.value(readErr); err != nil {
		return n, false, err
	}
	doc := in.buf[in.at : in.at+n]
	if jsonwire.StdV2 { // its Decoder counts offsets of errors from the value, that of version 1 from the end of the value before
		doc = doc[spaces(doc):]
	}
	err = o.Unmarshal(doc, v)
	in.consume(n)
	return n, true, err
}

// first decodes the next value in one pass, if the buffer seems to hold that value alone, and
// returns its length. If it returns 0, nothing has happened.
//
// Strings of a value may keep its document in memory; that must not be a buffer full of values, so
// there is no line feed before the end. The value has a last byte that ends it in any stream.
func (in *input) first(v any, o *UnmarshalOptions) int {
	b := bytes.TrimSuffix(in.buf[in.at:], newline)
	space := spaces(b)
	b = b[space:]
	if len(b) == 0 || b[len(b)-1] != '}' && b[len(b)-1] != ']' || bytes.IndexByte(b, '\n') >= 0 || o.Unmarshalers != nil {
		return 0
	}
	if n := jsonrt.UnmarshalFirst(b, v, o.flags()); n > 0 {
		return space + n
	}
	return 0
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
	in.at += n
	if in.own == nil {
		return
	}
	rest := in.buf[in.at:]
	if len(rest) > 1 || len(rest) == 1 && rest[0] != '\n' {
		return
	}
	in.past += int64(in.at)
	in.at = 0
	if cap(in.buf) <= 4<<10+2*int(usual.Load()) { // a decoder that waits for a value holds its buffer
		*in.own = in.buf[:0]
		inputs.Put(in.own)
	}
	in.own, in.buf = nil, newline[:len(rest)]
}

// value makes sure that the next value is in the buffer and returns its length,
// white space before it included. readErr is what the last read returned, nil if there was none.
// If the error is not errMalformed, the length is that of the bytes that were read.
func (in *input) value(readErr error) (int, error) {
	if n := in.whole(); n >= 0 { // a value that is already complete needs no scanner
		return n, nil
	}
	in.scan.Reset()
	n := 0 // bytes scanned
	for {
		switch e := in.scan.ScanPadded(in.buf[in.at+n:len(in.buf)+jsonwire.Pad], len(in.buf)-in.at-n); e {
		case jsonscan.More:
			n = len(in.buf) - in.at
		case jsonscan.Bad:
			return 0, errMalformed
		default:
			return n + e, nil
		}
		if readErr != nil {
			break
		}
		readErr = in.read()
	}
	if readErr == io.EOF {
		if in.scan.Complete() {
			return n, nil
		}
		if len(bytes.TrimLeft(in.buf[in.at:], " \t\r\n")) > 0 {
			readErr = errCut
		}
	}
	return n, readErr
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
	if c := padded[e-1]; c == '}' || c == ']' || in.at+e < len(in.buf) {
		return e
	}
	return -1 // a number may go on
}

// read calls the reader once. Before that it moves the bytes that are not consumed yet to the front
// of the buffer, and makes room for at least minRead more.
func (in *input) read() error {
	least, rest := 512, in.buf[in.at:]
	if in.own == nil {
		in.own = inputs.Get().(*[]byte)
		in.buf = *in.own
		least = max(least, int(usual.Load()))
	}
	in.past += int64(in.at)
	in.at = 0
	if need := len(rest) + least + jsonwire.Pad; cap(in.buf) < need {
		in.buf = make([]byte, 0, len(rest)+need)
	}
	in.buf = append(in.buf[:0], rest...)
	n, err := in.r.Read(in.buf[len(in.buf) : cap(in.buf)-jsonwire.Pad])
	in.buf = in.buf[:len(in.buf)+n]
	clear(in.buf[len(in.buf) : len(in.buf)+jsonwire.Pad])
	return err
}
