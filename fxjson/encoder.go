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

// SetEscapeHTML says whether <, > and & are escaped in strings; they are unless
// it is called.
func (enc *Encoder) SetEscapeHTML(on bool) { enc.opt.EscapeHTML = on }

// SetOptions makes the encoder write values by the options.
func (enc *Encoder) SetOptions(o MarshalOptions) { enc.opt = o }

// SetIndent makes the encoder format each value like [Indent] with the two
// arguments; empty ones end that.
func (enc *Encoder) SetIndent(prefix, indent string) { enc.prefix, enc.indent = prefix, indent }

// buffers are the memory of values on their way to a stream.
var buffers = sync.Pool{New: func() any { return new([]byte) }}

// maxBuffer is the size up to which memory is kept for the next value.
const maxBuffer = 1 << 20

// Encode writes v and a newline by one call of Write. After a failed write all
// calls return its error.
func (enc *Encoder) Encode(v any) error {
	if enc.err != nil {
		return enc.err
	}
	buf := buffers.Get().(*[]byte)
	b, err := enc.opt.Append((*buf)[:0], v)
	defer func() {
		if cap(b) <= maxBuffer {
			*buf = b
			buffers.Put(buf)
		}
	}()
	if err != nil {
		return err
	}
	b = append(b, '\n')
	out := b
	if enc.prefix != "" || enc.indent != "" {
		enc.indented, _ = jsonrt.Indent(enc.indented[:0], b, enc.prefix, enc.indent)
		out = enc.indented
	}
	_, enc.err = enc.w.Write(out)
	return enc.err
}
