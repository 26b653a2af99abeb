package zmyvector

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"

	"github.com/zmylab/zmy/internal/zmymodel"
)

// The runner sends many requests at once, and a testee answers in their order. Batch sends from a
// goroutine of its own: if it sent all before it read an answer, both sides would block as soon as
// the pipes are full.

// The status of a response in the protocol between the runner and a testee (spec/CONFORMANCE.md).
const (
	statusOK = iota
	statusRefused
	statusUnsupported
)

const (
	maxPipe  = 256 << 20 // largest request or response in bytes
	pipeSize = 64 << 10  // size of the buffers in bytes
)

// NamedMode is a way to read, and its name in the matrix.
type NamedMode struct {
	Name string
	Run  Implementation
}

// Serve answers requests until r ends. It does not flush a response while further requests are
// already buffered.
func Serve(r io.Reader, w io.Writer, modes []NamedMode) error {
	in, out := bufio.NewReaderSize(r, pipeSize), bufio.NewWriterSize(w, pipeSize)
	for {
		req, err := readFrame(in)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		writeFrame(out, answer(req, modes))
		if in.Buffered() > 0 {
			continue
		}
		if err := out.Flush(); err != nil {
			return err
		}
	}
}

func answer(req []byte, modes []NamedMode) []byte {
	if len(req) == 1 && req[0] == 0 {
		names := make([]string, len(modes))
		for i, m := range modes {
			names[i] = m.Name
		}
		return append([]byte{statusOK}, strings.Join(names, "\n")...)
	}
	mode, reader, limits, input, err := parseRequest(req)
	if err == nil && (mode < 1 || mode > len(modes)) {
		err = fmt.Errorf("no mode %d", mode)
	}
	var out Outcome
	if err == nil {
		out, err = modes[mode-1].Run(reader, input, limits)
	}
	if err != nil {
		return append([]byte{statusUnsupported}, err.Error()...)
	}
	if out.Code == "ok" {
		b := le.AppendUint32([]byte{statusOK}, uint32(len(out.Reencode)))
		return append(append(b, out.Reencode...), out.Value()...)
	}
	b := append([]byte{statusRefused, byte(len(out.Code))}, out.Code...)
	return append(le.AppendUint32(b, uint32(out.At)), out.Path...)
}

// requestLimits is the size in bytes of the limits in a request. A request consists of u8 mode, u8
// length and name of the reader, u32 maxWire, maxRaw and maxDepth, u64 budget, u8 exact, and the
// input.
const requestLimits = 3*4 + 8 + 1

func appendRequest(b []byte, mode int, reader string, input []byte, l zmymodel.Limits) []byte {
	b = append(append(b, byte(mode), byte(len(reader))), reader...)
	for _, n := range []int{l.MaxWire, l.MaxRaw, l.MaxDepth} {
		b = le.AppendUint32(b, uint32(n))
	}
	b = le.AppendUint64(b, uint64(l.Budget))
	exact := byte(0)
	if l.Exact {
		exact = 1
	}
	return append(append(b, exact), input...)
}

func parseRequest(b []byte) (mode int, reader string, l zmymodel.Limits, input []byte, err error) {
	if len(b) < 2 || len(b) < 2+int(b[1])+requestLimits {
		return 0, "", l, nil, errors.New("request too short")
	}
	mode, n := int(b[0]), 2+int(b[1])
	reader, b = string(b[2:n]), b[n:]
	l = zmymodel.Limits{
		MaxWire: int(le.Uint32(b)), MaxRaw: int(le.Uint32(b[4:])), MaxDepth: int(le.Uint32(b[8:])),
		Budget: int64(le.Uint64(b[12:])), Exact: b[20] == 1,
	}
	return mode, reader, l, b[requestLimits:], nil
}

// Testee is a program at the other end of a pipe. It is not safe for concurrent use.
type Testee struct {
	in  *bufio.Reader
	out *bufio.Writer
	buf []byte
}

// NewTestee returns a Testee that writes requests to stdin and reads responses from stdout.
func NewTestee(stdout io.Reader, stdin io.Writer) *Testee {
	return &Testee{in: bufio.NewReaderSize(stdout, pipeSize), out: bufio.NewWriterSize(stdin, pipeSize)}
}

// ErrUnsupported is returned for a request that the testee cannot serve.
var ErrUnsupported = errors.New("not supported by the testee")

// Modes asks the testee for the names of its modes.
func (t *Testee) Modes() ([]string, error) {
	b, err := t.call([]byte{0})
	if err != nil {
		return nil, err
	}
	return strings.Split(string(b), "\n"), nil
}

// Mode returns mode i of the testee as an Implementation. i counts from 0.
func (t *Testee) Mode(i int) Implementation {
	return func(reader string, b []byte, l zmymodel.Limits) (out Outcome, err error) {
		t.buf = appendRequest(t.buf[:0], i+1, reader, b, l)
		return read(t.call(t.buf))
	}
}

// read returns the outcome in a response.
func read(res []byte, err error) (out Outcome, _ error) {
	if refused, ok := err.(refusal); ok {
		return Outcome(refused), nil
	}
	if err == nil && (len(res) < 4 || uint64(len(res)-4) < uint64(le.Uint32(res))) {
		err = errors.New("response too short")
	}
	if err != nil {
		return out, err
	}
	n := 4 + le.Uint32(res)
	return Outcome{Code: "ok", Reencode: res[4:n:n], Fields: func() string { return Canonical(string(res[n:])) }}, nil
}

// Request is an input for a testee.
type Request struct {
	Reader string
	Input  []byte
	Limits zmymodel.Limits
}

// Batch sends many requests in one mode, which counts from 0, without waiting for each response. It
// yields the outcomes in the order of the requests. After any error other than [ErrUnsupported] it
// ends. The caller must not leave the loop early.
func (t *Testee) Batch(mode int, list []Request) iter.Seq2[Outcome, error] {
	return func(yield func(Outcome, error) bool) {
		sent := make(chan error, 1)
		go func() { sent <- t.send(mode, list) }()
		for range list {
			out, err := read(t.response())
			if !yield(out, err) || err != nil && !errors.Is(err, ErrUnsupported) {
				return
			}
		}
		if err := <-sent; err != nil {
			yield(Outcome{}, fmt.Errorf("testee: %w", err))
		}
	}
}

func (t *Testee) send(mode int, list []Request) error {
	for _, r := range list {
		t.buf = appendRequest(t.buf[:0], mode+1, r.Reader, r.Input, r.Limits)
		writeFrame(t.out, t.buf)
	}
	return t.out.Flush()
}

// Canonical returns a JSON text in one form, so that texts can be compared.
func Canonical(text string) string {
	var v any
	if text == "" || json.Unmarshal([]byte(text), &v) != nil {
		return text
	}
	out, err := json.Marshal(v)
	if err != nil {
		return text
	}
	return string(out)
}

// refusal is an Outcome that is returned as an error.
type refusal Outcome

func (r refusal) Error() string { return r.Code }

// call sends a request and returns its response without the status.
func (t *Testee) call(req []byte) ([]byte, error) {
	writeFrame(t.out, req)
	if err := t.out.Flush(); err != nil {
		return nil, fmt.Errorf("testee: %w", err)
	}
	return t.response()
}

// response reads the next response and returns it without the status.
func (t *Testee) response() ([]byte, error) {
	b, err := readFrame(t.in)
	if err != nil {
		return nil, fmt.Errorf("testee: %w", err)
	}
	switch {
	case len(b) > 0 && b[0] == statusOK:
		return b[1:], nil
	case len(b) > 0 && b[0] == statusUnsupported:
		return nil, fmt.Errorf("%w: %s", ErrUnsupported, b[1:])
	case len(b) < 2 || len(b) < 6+int(b[1]) || b[0] != statusRefused:
		return nil, errors.New("testee: response too short")
	}
	n := 2 + int(b[1])
	return nil, refusal{Code: string(b[2:n]), At: int(le.Uint32(b[n:])), Path: string(b[n+4:])}
}

// readFrame reads a frame: u32 length and as many bytes.
func readFrame(r io.Reader) ([]byte, error) {
	var head [4]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return nil, err
	}
	n := le.Uint32(head[:])
	if n > maxPipe {
		return nil, fmt.Errorf("frame of %d bytes", n)
	}
	b := make([]byte, n)
	_, err := io.ReadFull(r, b)
	return b, err
}

// writeFrame writes a frame. Errors are reported by Flush.
func writeFrame(w *bufio.Writer, b []byte) {
	_, _ = w.Write(le.AppendUint32(w.AvailableBuffer(), uint32(len(b))))
	_, _ = w.Write(b)
}
