package zmy

import (
	"fmt"
	"math"
	"os"
)

// DefaultMaxFile is the size in bytes of the largest file that OpenFile accepts if MaxSize is 0.
const DefaultMaxFile = math.MaxInt32

// File is an open file that holds one bare message, which is read in place. On Linux and macOS the
// file is mapped into memory, so parts that are not accessed are never read from disk. Elsewhere
// OpenFile reads the whole file. Reading one field of a file of 67 MB through a lazy view took 0.1
// to 0.3 ms, including opening and closing; with os.ReadFile it took 60 ms (BenchmarkFile).
type File struct {
	f    *os.File
	data []byte
	o    FileOptions
}

// FileOptions directs OpenFile. The zero value is the default.
type FileOptions struct {
	// MaxSize is the largest size in bytes that OpenFile accepts. 0 means DefaultMaxFile, and
	// larger values count as DefaultMaxFile.
	MaxSize int64
	// MaxDepth limits the depth of the message, as UnmarshalOptions.MaxDepth does.
	MaxDepth int
	// Read makes OpenFile read the file instead of mapping it. Set it for files that others may
	// truncate or change while the file is open.
	Read bool
}

// OpenFile opens a file that holds one bare message. The caller must Close it.
//
// A mapped file must not be truncated or changed before Close: an access beyond its new end stops
// the program (SIGBUS), and views of changed bytes return nonsense. Writers should write another
// file and rename it. FileOptions.Read avoids the mapping.
func OpenFile(name string) (*File, error) { return FileOptions{}.OpenFile(name) }

// OpenFile is like the function OpenFile, with these options.
func (o FileOptions) OpenFile(name string) (*File, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("zmy: open file: %w", err)
	}
	data, err := o.contents(f)
	if err != nil {
		_ = f.Close() // the first error says more
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

// Bytes returns the message. The slice is valid until Close and must not be changed.
func (f *File) Bytes() []byte { return f.data }

// Options returns the options with which to view or unmarshal the message. They allow a message of
// the file's size.
//
//	v, err := model.ViewOrderOptions(f.Bytes(), f.Options())
//
// The view functions read the whole file once, to verify it. Their Lazy forms verify nothing in
// advance, and read only the fields that are asked for.
func (f *File) Options() UnmarshalOptions {
	return UnmarshalOptions{MaxWire: len(f.data), MaxRaw: len(f.data), MaxDepth: f.o.MaxDepth}
}

// File returns the open file, so that it can be served as it is (package httpfile). Moving its
// offset is harmless: nothing here uses it.
func (f *File) File() *os.File { return f.f }

// Close unmaps and closes the file. After that, its slices and views must not be used. A second
// Close does nothing.
func (f *File) Close() error {
	if f.data == nil {
		return nil
	}
	data := f.data
	f.data = nil
	var err error
	if !f.o.Read {
		err = unmapFile(data)
	}
	if e := f.f.Close(); err == nil {
		err = e
	}
	return err
}

func readFile(f *os.File, n int) ([]byte, error) {
	b := make([]byte, n)
	if _, err := f.ReadAt(b, 0); err != nil { // ReadAt of a file fills b or fails
		return nil, err
	}
	return b, nil
}
