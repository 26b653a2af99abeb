package zmy

import (
	"fmt"
	"math"
	"os"
)

// DefaultMaxFile is how large a file OpenFile takes where the option is 0.
const DefaultMaxFile = math.MaxInt32

// File is a file that holds one bare message, to be read in place. On Linux and
// macOS it is mapped into memory, so that what is not looked at is never read;
// elsewhere it is read once. One field of a file of 67 MB, opening and closing
// included, took 0.1 to 0.3 ms by a lazy view on the machine where this was written, after
// os.ReadFile 60 ms (BenchmarkFile).
type File struct {
	f    *os.File
	data []byte
	o    FileOptions
}

// FileOptions directs OpenFile. The zero value is the default.
type FileOptions struct {
	// MaxSize is the largest file in bytes; 0 is DefaultMaxFile, also its upper bound.
	MaxSize int64
	// MaxDepth is as in UnmarshalOptions.
	MaxDepth int
	// Read reads the file instead of mapping it, for files that others may truncate
	// or change meanwhile.
	Read bool
}

// OpenFile opens a file that holds one bare message.
//
// A mapped file must not be truncated or changed before Close: reading beyond its
// new end stops the program (SIGBUS), and views of changed bytes return
// nonsense. Writers should write another file and rename it. See FileOptions.Read.
func OpenFile(name string) (*File, error) { return FileOptions{}.OpenFile(name) }

// OpenFile is the function of that name under these options.
func (o FileOptions) OpenFile(name string) (*File, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("zmy: open file: %w", err)
	}
	data, err := o.contents(f)
	if err != nil {
		_ = f.Close() // the first error is the one to tell
		return nil, fmt.Errorf("zmy: open file %s: %w", name, err)
	}
	return &File{f, data, o}, nil
}

func (o FileOptions) contents(f *os.File) ([]byte, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	maxSize := o.MaxSize
	if maxSize <= 0 || maxSize > DefaultMaxFile {
		maxSize = DefaultMaxFile
	}
	switch n := info.Size(); {
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("not a regular file")
	case n > maxSize:
		return nil, fmt.Errorf("%w (%d bytes, MaxSize is %d)", ErrTooLarge, n, maxSize)
	case n == 0: // nothing to map
		return nil, fmt.Errorf("%w: the file is empty", ErrTruncated)
	case o.Read:
		return readFile(f, int(n))
	default:
		return mapFile(f, int(n))
	}
}

// Bytes returns the message. It is valid until Close and must not be changed.
func (f *File) Bytes() []byte { return f.data }

// Options are the limits with which to view or to unmarshal the message: the
// size of the file in the place of MaxWire.
//
//	v, err := model.ViewOrderOptions(f.Bytes(), f.Options())
//
// That reads all of the file once, to verify it. The Lazy functions do not, and
// read only what is asked for.
func (f *File) Options() UnmarshalOptions {
	return UnmarshalOptions{MaxWire: len(f.data), MaxRaw: len(f.data), MaxDepth: f.o.MaxDepth}
}

// File returns the open file, for serving it as it is (package httpfile). Its
// offset is not used here.
func (f *File) File() *os.File { return f.f }

// Close ends the mapping and closes the file. Views of it must not be used any more.
func (f *File) Close() error {
	if f.data == nil {
		return nil
	}
	data := f.data
	f.data = nil
	err := f.o.unmap(data)
	if e := f.f.Close(); err == nil {
		err = e
	}
	return err
}

func (o FileOptions) unmap(data []byte) error {
	if o.Read {
		return nil
	}
	return unmapFile(data)
}

func readFile(f *os.File, n int) ([]byte, error) {
	b := make([]byte, n)
	for at := 0; at < n; {
		k, err := f.ReadAt(b[at:], int64(at))
		if at += k; at < n && err != nil {
			return nil, err
		}
	}
	return b, nil
}
