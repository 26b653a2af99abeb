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

// output is the destination of records: the standard output, or a file that gets its name when
// everything was written. It is committed or abandoned, but not both. The goroutine that writes
// commits it when everything was written. The command abandons it when it ends, which may be while
// that goroutine still writes, after a signal.
type output struct {
	*bufio.Writer
	name string // "" and - for the standard output

	mu        sync.Mutex
	file      *os.File // nil for the standard output, and once the output was committed or abandoned
	abandoned bool
	written   bool
}

// open creates the output, unless abandon was called before. The permissions of a new file are the
// user's (umask), which os.CreateTemp would ignore.
func (o *output) open(stdout io.Writer) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.abandoned {
		return context.Canceled
	}
	if o.name == "" || o.name == "-" {
		o.Writer = bufio.NewWriterSize(stdout, 256<<10)
		return nil
	}
	dir, base := filepath.Split(o.name)
	for i := range 100 {
		name := filepath.Join(dir, fmt.Sprintf(".%s.%d-%d.tmp", base, os.Getpid(), i))
		file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if errors.Is(err, os.ErrExist) {
			continue
		}
		if err != nil {
			return misused("%w", err)
		}
		o.Writer, o.file = bufio.NewWriterSize(file, 256<<10), file
		return nil
	}
	return fmt.Errorf("no temporary file can be made beside %s", o.name)
}

// writable refuses a file that a command which runs for long could not write at its end. flag is the flag that names it.
func writable(flag, name string) error {
	if name == "" || name == "-" {
		return nil
	}
	if i, err := os.Stat(name); err == nil && i.IsDir() {
		return misused("%s %s is a folder: name a file", flag, name)
	}
	o := &output{name: name}
	defer o.abandon()
	err := o.open(io.Discard)
	if at := (*os.PathError)(nil); errors.As(err, &at) {
		err = at.Err // the path is that of a temporary file
	}
	if err != nil {
		return misused("%s %s cannot be written: %w; choose a folder that exists and that you may write to", flag, name, err)
	}
	return nil
}

// writableDir does the same for a folder, which need not exist yet.
func writableDir(flag, dir string) error {
	if dir == "" {
		return nil
	}
	for at := filepath.Clean(dir); ; at = filepath.Dir(at) {
		i, err := os.Stat(at)
		switch {
		case err != nil && !errors.Is(err, os.ErrPermission) && at != filepath.Dir(at): // not there, or below a file
		case err != nil:
			return misused("%s %s cannot be written: %w", flag, dir, err)
		case !i.IsDir():
			return misused("%s %s: %s is a file, and a folder is wanted", flag, dir, at)
		default:
			return writable(flag, filepath.Join(at, filepath.Base(dir)+".part"))
		}
	}
}

// commit writes the rest and gives the file its name, unless abandon was called before.
func (o *output) commit() error {
	if err := o.Flush(); err != nil { // without the lock: the reader of a pipe may block the write
		return err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.abandoned {
		return context.Canceled
	}
	if o.file != nil {
		err := o.file.Close()
		if err == nil {
			err = os.Rename(o.file.Name(), o.name)
		}
		if err != nil {
			_ = os.Remove(o.file.Name())
			return err
		}
	}
	o.file, o.written = nil, true
	return nil
}

// abandon removes a file that was not committed, and reports whether the output was committed.
func (o *output) abandon() (written bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.abandoned = true; o.file != nil {
		_ = o.file.Close()
		_ = os.Remove(o.file.Name())
		o.file = nil
	}
	return o.written
}

// sink writes records.
type sink struct {
	write func(rec []byte) error
	close func() error
}

func noClose() error { return nil }

// sink returns the writer for the output format.
func (f *convertFlags) sink(w *output, c *dynamic.Codec, about zmy.Envelope) (*sink, error) {
	plain := func(end string) func(rec []byte) error {
		return func(rec []byte) error {
			_, err := w.Write(rec)
			if err == nil {
				_, err = w.WriteString(end)
			}
			return err
		}
	}
	switch f.to {
	case "json":
		return f.single(plain("\n")), nil
	case "zmy":
		return f.single(plain("")), nil
	case "ndjson":
		return &sink{plain("\n"), noClose}, nil
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
func (f *convertFlags) single(write func([]byte) error) *sink {
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
		Marshal:     zmy.MarshalOptions{MaxWire: f.max + 2<<20, MaxRaw: f.max + 1<<20},
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
