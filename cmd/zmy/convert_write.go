package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"

	"github.com/zmylab/zmy"
	"github.com/zmylab/zmy/schema/dynamic"
)

// output is the destination of the records: the standard output, or a file that gets its name when
// everything was written.
type output struct {
	*bufio.Writer
	file *os.File // nil for the standard output, and after commit or abandon
	name string
}

// outputState ensures that an output is committed or abandoned, but not both. The conversion
// commits, a signal abandons.
type outputState struct {
	sync.Mutex
	out                *output
	abandoned, written bool
}

// open creates the output, unless abandon was called before.
func (s *outputState) open(f *convertFlags, stdout io.Writer) (*output, error) {
	s.Lock()
	defer s.Unlock()
	if s.abandoned {
		return nil, context.Canceled
	}
	out, err := f.create(stdout)
	s.out = out
	return out, err
}

// commit gives the file its name, unless abandon was called before.
func (s *outputState) commit() error {
	if err := s.out.Flush(); err != nil { // without the lock: the reader of a pipe may block the write
		return err
	}
	s.Lock()
	defer s.Unlock()
	if s.abandoned {
		return context.Canceled
	}
	err := s.out.commit()
	s.written = err == nil
	return err
}

// abandon removes an output that was not committed, and reports whether it was committed.
func (s *outputState) abandon() (written bool) {
	s.Lock()
	defer s.Unlock()
	s.abandoned = true
	if s.out != nil {
		s.out.abandon()
	}
	return s.written
}

func (f *convertFlags) create(stdout io.Writer) (*output, error) {
	if f.out == "" || f.out == "-" {
		return &output{Writer: bufio.NewWriterSize(stdout, 256<<10)}, nil
	}
	dir, base := filepath.Split(f.out)
	for i := range 100 {
		name := filepath.Join(dir, fmt.Sprintf(".%s.%d-%d.tmp", base, os.Getpid(), i))
		file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if errors.Is(err, os.ErrExist) {
			continue
		}
		if err != nil {
			return nil, usageError{err}
		}
		return &output{bufio.NewWriterSize(file, 256<<10), file, f.out}, nil
	}
	return nil, fmt.Errorf("no temporary file can be made beside %s", f.out)
}

// commit gives the file its name.
func (o *output) commit() error {
	err := o.Flush()
	if o.file == nil {
		return err
	}
	temp := o.file.Name()
	if cerr := o.file.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Rename(temp, o.name)
	}
	if err != nil {
		_ = os.Remove(temp)
	}
	o.file = nil
	return err
}

// abandon removes the temporary file, unless it was committed.
func (o *output) abandon() {
	if o.file != nil {
		_ = o.file.Close()
		_ = os.Remove(o.file.Name())
		o.file = nil
	}
}

// sink writes records.
type sink struct {
	write func(rec []byte) error
	close func() error
}

func noClose() error { return nil }

// sink returns the writer for the output format.
func (f *convertFlags) sink(w *output, c *dynamic.Codec, about zmy.Envelope) (*sink, error) {
	switch f.to {
	case "json":
		return f.single(w, func(rec []byte) error {
			_, err := w.Write(append(rec[:len(rec):len(rec)], '\n'))
			return err
		}), nil
	case "zmy":
		return f.single(w, func(rec []byte) error {
			_, err := w.Write(rec)
			return err
		}), nil
	case "ndjson":
		return &sink{func(rec []byte) error {
			if _, err := w.Write(rec); err != nil {
				return err
			}
			return w.WriteByte('\n')
		}, noClose}, nil
	}
	o, err := f.seal(c, about)
	if err != nil {
		return nil, err
	}
	if f.to == "stream" {
		s := o.NewWriter(w)
		return &sink{s.WriteMessage, s.Close}, nil
	}
	var buf []byte
	return &sink{func(rec []byte) (err error) {
		if buf, err = o.AppendMessage(buf[:0], rec); err == nil {
			_, err = w.Write(buf)
		}
		return err
	}, noClose}, nil
}

// single returns a sink that takes exactly one record.
func (f *convertFlags) single(w *output, write func([]byte) error) *sink {
	n := 0
	return &sink{
		write: func(rec []byte) error {
			if n++; n > 1 {
				many := "ndjson"
				if f.to == "zmy" {
					many = "stream or envelope"
				}
				return fatal{fmt.Errorf("there is more than one record, and %s holds one: use -to %s", f.to, many)}
			}
			return write(rec)
		},
		close: func() error {
			if n == 0 {
				return fmt.Errorf("there is no record, and %s holds one", f.to)
			}
			return nil
		},
	}
}

// seal returns the options with which envelopes and streams are written.
func (f *convertFlags) seal(c *dynamic.Codec, about zmy.Envelope) (zmy.SealOptions, error) {
	o := zmy.SealOptions{
		Marshal:     zmy.MarshalOptions{MaxWire: int(f.max) + 2<<20, MaxRaw: int(f.max) + 1<<20},
		Fingerprint: about.Fingerprint,
	}
	list, err := compressors()
	if err != nil {
		return o, err
	}
	for _, x := range list {
		if x.ID().String() == f.compress {
			o.Compressor = x
		}
	}
	if c == nil {
		return o, nil
	}
	o.Fingerprint = c.Schema().Fingerprint()
	if !f.noSchema {
		o.Schema, err = c.Schema().Marshal()
	}
	return o, err
}
