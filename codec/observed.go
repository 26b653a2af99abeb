package codec

import (
	"context"
	"io"
	"time"
)

// Observe returns a codec that does what c does and tells o of it. If o is nil, it returns c
// itself, at no cost. The result is a [Wrapper], and [Contextual]: o gets the context of
// [WithContext], or context.Background if there was none.
func Observe(c Codec, o Observer) Codec {
	if o == nil {
		return c
	}
	return &observed{c: c, o: o, name: c.Name(), ctx: context.Background()}
}

type observed struct {
	c    Codec
	o    Observer
	name string
	ctx  context.Context // of the request that this value is for
}

func (c *observed) Name() string  { return c.name }
func (c *observed) Unwrap() Codec { return c.c }
func (c *observed) Powers() any   { return (*observedPowers)(c) }

func (c *observed) WithContext(ctx context.Context) Codec {
	inner := WithContext(ctx, c.c)
	// The request may decide which codec is used, as with a canary. The name of that codec tells
	// the arms apart.
	return &observed{c: inner, o: c.o, name: inner.Name(), ctx: ctx}
}

func (c *observed) Marshal(v any) ([]byte, error) {
	r := c.begin(OpMarshal, v)
	defer r.left()
	b, err := c.c.Marshal(v)
	r.end(len(b), err)
	return b, err
}

func (c *observed) Unmarshal(b []byte, v any) error {
	r := c.begin(OpUnmarshal, v)
	defer r.left()
	err := c.c.Unmarshal(b, v)
	r.end(len(b), err)
	return err
}

// observation is one operation that is being carried out.
type observation struct {
	o     Observer
	ctx   context.Context
	event Event
	start time.Time
	ended bool
}

func (c *observed) begin(op Op, v any) observation {
	e := Event{Codec: c.name, Op: op, value: v}
	return observation{o: c.o, ctx: c.o.Begin(c.ctx, e), event: e, start: time.Now()}
}

func (r *observation) end(size int, err error) {
	r.ended = true
	r.event.Duration = time.Since(r.start)
	r.event.Size, r.event.Err = size, err
	r.o.End(r.ctx, r.event)
}

// left is called by defer. It ends the observation of an operation that panicked. It does not
// recover the panic, so that its stack stays as it is.
func (r *observation) left() {
	if !r.ended {
		r.end(0, ErrPanicked)
	}
}

// observedPowers is an observed codec with every power that it can pass on.
type observedPowers observed

func (c *observedPowers) AppendMarshal(dst []byte, v any) ([]byte, error) {
	r := (*observed)(c).begin(OpMarshal, v)
	defer r.left()
	b, err := Append(c.c, dst, v)
	r.end(len(b)-len(dst), err)
	return b, err
}

func (c *observedPowers) MarshalStable(v any) ([]byte, error) {
	r := (*observed)(c).begin(OpMarshal, v)
	defer r.left()
	b, err := MarshalStable(c.c, v)
	r.end(len(b), err)
	return b, err
}

func (c *observedPowers) MarshalPooled(p *Pool, v any) (*Buffer, error) {
	r := (*observed)(c).begin(OpMarshal, v)
	defer r.left()
	b, err := MarshalPooled(c.c, p, v)
	size := 0
	if b != nil {
		size = len(b.B)
	}
	r.end(size, err)
	return b, err
}

func (c *observedPowers) UnmarshalView(b []byte, v any) error {
	r := (*observed)(c).begin(OpUnmarshal, v)
	defer r.left()
	err := UnmarshalView(c.c, b, v)
	r.end(len(b), err)
	return err
}

func (c *observedPowers) MediaTypes() []string { return mediaTypes(c.c) }

func (c *observedPowers) NewEncoder(w io.Writer) Encoder {
	s, _ := As[Streamer](c.c)
	to := &countingWriter{w: w}
	return (*observed)(c).stream(OpEncode, &to.n, s.NewEncoder(to).Encode)
}

func (c *observedPowers) NewDecoder(r io.Reader) Decoder {
	s, _ := As[Streamer](c.c)
	from := &countingReader{r: r}
	return (*observed)(c).stream(OpDecode, &from.n, s.NewDecoder(from).Decode)
}

// stream returns a function that calls do and reports each call to the observer. *n is the number
// of bytes that the stream has written or read so far.
func (c *observed) stream(op Op, n *int, do stream) stream {
	return func(v any) error {
		r := c.begin(op, v)
		defer r.left()
		before := *n
		err := do(v)
		r.end(*n-before, err)
		return err
	}
}

type countingWriter struct {
	w io.Writer
	n int
}

func (w *countingWriter) Write(p []byte) (int, error) {
	n, err := w.w.Write(p)
	w.n += n
	return n, err
}

type countingReader struct {
	r io.Reader
	n int
}

func (r *countingReader) Read(p []byte) (int, error) {
	n, err := r.r.Read(p)
	r.n += n
	return n, err
}
