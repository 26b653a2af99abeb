package fxjson

import (
	"io"
	"sync"

	"github.com/zmylab/zmy/fxjson/jsonrt"
)

// Encoder writes JSON values, each followed by a newline, to a stream.
type Encoder struct {
	w              io.Writer
	err            error
	opt            MarshalOptions
	prefix, indent string
	indented       []byte
}

// NewEncoder returns an encoder that writes to w.
func NewEncoder(w io.Writer) *Encoder { return &Encoder{w: w, opt: DefaultMarshal} }

// SetEscapeHTML sets whether <, > and & are escaped in strings. The default is true.
func (enc *Encoder) SetEscapeHTML(on bool) { enc.opt.EscapeHTML = on }

// SetOptions sets the options by which the next values are written.
func (enc *Encoder) SetOptions(o MarshalOptions) { enc.opt = o }

// SetIndent makes the encoder format each value as [Indent] does with these arguments. If both are
// empty, values are not indented.
func (enc *Encoder) SetIndent(prefix, indent string) { enc.prefix, enc.indent = prefix, indent }

// buffers pools scratch memory: for values that an [Encoder] writes, and for padded copies that
// [Get] and [Value] read.
var buffers = sync.Pool{New: func() any { return new([]byte) }}

// putBuffer returns a buffer to the pool, unless it is larger than a mebibyte.
func putBuffer(buf *[]byte) {
	const most = 1 << 20
	if cap(*buf) <= most {
		buffers.Put(buf)
	}
}

// Encode writes v and a newline with one call of Write. After a failed write all calls return its
// error.
func (enc *Encoder) Encode(v any) error {
	if enc.err != nil {
		return enc.err
	}
	buf := buffers.Get().(*[]byte)
	b, err := enc.opt.Append((*buf)[:0], v)
	defer putBuffer(buf)
	*buf = append(b, '\n')
	if err != nil {
		return err
	}
	out := *buf
	if enc.prefix != "" || enc.indent != "" {
		enc.indented, _ = jsonrt.Indent(enc.indented[:0], out, enc.prefix, enc.indent)
		out = enc.indented
	}
	_, enc.err = enc.w.Write(out)
	return enc.err
}
