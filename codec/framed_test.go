package codec

import (
	"bytes"
	"errors"
	"io"
	"runtime"
	"slices"
	"testing"
	"testing/iotest"
)

func TestFramedBytes(t *testing.T) {
	var w bytes.Buffer
	enc := Framed(StdJSON{}, 300).NewEncoder(&w)
	long := string(bytes.Repeat([]byte("x"), 200))
	for _, v := range []any{1, "ab", long} {
		if err := enc.Encode(v); err != nil {
			t.Fatal(err)
		}
	}
	// A varint of 7 bits a byte, low bits first: 202 is ca 01.
	want := "\x011\x04\"ab\"\xca\x01\"" + long + "\""
	if w.String() != want {
		t.Fatalf("stream %q, want %q", w.String(), want)
	}
	dec := Framed(StdJSON{}, 300).NewDecoder(iotest.OneByteReader(&w))
	var n int
	var s string
	for _, v := range []any{&n, &s, &s} {
		if err := dec.Decode(v); err != nil {
			t.Fatal(err)
		}
	}
	if n != 1 || s != long {
		t.Errorf("decoded %d, %q", n, s)
	}
	if err := dec.Decode(&n); err != io.EOF {
		t.Errorf("at the end: %v", err)
	}
}

func TestFramedLimits(t *testing.T) {
	var w bytes.Buffer
	s := Framed(StdJSON{}, 5)
	if err := s.NewEncoder(&w).Encode("abcd"); !errors.Is(err, ErrTooLarge) || w.Len() != 0 {
		t.Errorf("encode beyond the limit: %v, %d bytes written", err, w.Len())
	}
	if err := s.NewEncoder(&w).Encode("abc"); err != nil {
		t.Errorf("encode at the limit: %v", err)
	}
	var v string
	for _, c := range []struct {
		name, in string
		want     error
	}{
		{"at the limit", "\x05\"abc\"", nil},
		{"beyond", "\x06\"abcd\"", ErrTooLarge},
		{"huge", "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", ErrTooLarge},
		{"cut in the length", "\x85", io.ErrUnexpectedEOF},
		{"cut before the message", "\x05", io.ErrUnexpectedEOF},
		{"cut in the message", "\x05\"ab", io.ErrUnexpectedEOF},
	} {
		err := s.NewDecoder(bytes.NewReader([]byte(c.in))).Decode(&v)
		if !errors.Is(err, c.want) || (err == nil) != (c.want == nil) {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
	}
}

func TestFramedErrors(t *testing.T) {
	var w bytes.Buffer
	enc := Framed(StdJSON{}, 100).NewEncoder(&w)
	if err := enc.Encode(make(chan int)); err == nil || w.Len() != 0 {
		t.Errorf("a channel: %v, %d bytes written", err, w.Len())
	}
	if err := enc.Encode(1); err != nil || w.String() != "\x011" {
		t.Errorf("the encoder does not recover from an error: %v, %q", err, w.String())
	}
	dec := Framed(StdJSON{}, 100).NewDecoder(bytes.NewReader([]byte("\x01{\x017")))
	var n int
	if err := dec.Decode(&n); err == nil {
		t.Error("a bad message passes")
	}
	if err := dec.Decode(&n); err != nil || n != 7 {
		t.Errorf("the next frame: %d, %v", n, err)
	}
}

// A length alone must not cost memory.
func TestFramedAllocatesWhatArrives(t *testing.T) {
	dec := Framed(StdJSON{}, 1<<30).NewDecoder(bytes.NewReader([]byte("\x80\x80\x80\x80\x02abc"))) // 512 MiB
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	var v any
	if err := dec.Decode(&v); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("%v", err)
	}
	runtime.ReadMemStats(&after)
	if got := after.TotalAlloc - before.TotalAlloc; got > 4<<20 {
		t.Errorf("%d bytes allocated for 8 bytes of input", got)
	}
}

// FuzzFramed: what is written is read; any bytes are read without a panic.
func FuzzFramed(f *testing.F) {
	f.Add([]byte("a"), []byte("\x01a"))
	f.Add([]byte{}, []byte("\x00\x00"))
	f.Add(bytes.Repeat([]byte("x"), 300), []byte("\xff\xff\x03\x00"))
	f.Fuzz(func(t *testing.T, message, stream []byte) {
		s := Framed(rawBytes{}, 1<<16)
		if len(message) <= 1<<16 {
			var w bytes.Buffer
			for range 2 {
				if err := s.NewEncoder(&w).Encode(message); err != nil {
					t.Fatal(err)
				}
			}
			dec := s.NewDecoder(&w)
			var got []byte
			for range 2 {
				if err := dec.Decode(&got); err != nil || !bytes.Equal(got, message) {
					t.Fatalf("%q reads back as %q, %v", message, got, err)
				}
			}
			if err := dec.Decode(&got); err != io.EOF {
				t.Fatalf("at the end: %v", err)
			}
		}
		dec := s.NewDecoder(bytes.NewReader(stream))
		var got []byte
		for total := 0; ; total += len(got) {
			if dec.Decode(&got) != nil {
				break
			}
			if total > len(stream) {
				t.Fatalf("%d bytes out of %d", total, len(stream))
			}
		}
	})
}

// rawBytes carries []byte as it is.
type rawBytes struct{}

func (rawBytes) Name() string                  { return "raw" }
func (rawBytes) Marshal(v any) ([]byte, error) { return slices.Clone(v.([]byte)), nil }
func (rawBytes) Unmarshal(b []byte, v any) error {
	*v.(*[]byte) = slices.Clone(b)
	return nil
}
