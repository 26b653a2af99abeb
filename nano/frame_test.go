package nano

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/zmylab/zmy/codec"
)

var frames = []frame{
	{frameData, 1, []byte(`{"a":1}`)},
	{frameData, 1 << 40, []byte(strings.Repeat(`"`, 2))},
	{frameFault, 3, []byte(`{"status":500}`)},
	{frameFailed, 127, []byte(`{"status":503}`)},
	{frameComplete, 128, nil},
}

// TestFrames: what is written is read, byte by byte, and no prefix of it passes for whole.
func TestFrames(t *testing.T) {
	for _, lines := range []bool{true, false} {
		var all []byte
		for _, f := range frames {
			all = appendFrame(all, lines, f)
		}
		for cut := range len(all) + 1 {
			r := newFrameReader(iotest.OneByteReader(bytes.NewReader(all[:cut])), lines, 1000)
			read := 0
			var err error
			for range len(frames) + 1 {
				var f frame
				if f, err = r.next(); err != nil {
					break
				}
				if want := frames[read]; f.kind != want.kind || f.seq != want.seq || !bytes.Equal(f.payload, want.payload) {
					t.Fatalf("%+v, want %+v", f, want)
				}
				read++
			}
			whole := bytes.Equal(encodeFrames(lines, frames[:read]), all[:cut])
			if want := io.ErrUnexpectedEOF; whole && err != io.EOF || !whole && !errors.Is(err, want) {
				t.Fatalf("lines %v, %d of %d bytes, %d frames: %v", lines, cut, len(all), read, err)
			}
		}
	}
}

func encodeFrames(lines bool, fs []frame) (b []byte) {
	for _, f := range fs {
		b = appendFrame(b, lines, f)
	}
	return b
}

// TestLineFeeds: an element with line feeds between its tokens stays on one line.
func TestLineFeeds(t *testing.T) {
	b := appendFrame(nil, true, frame{frameData, 1, []byte("{\n\t\"a\":\r\n \"\\n\"}")})
	if bytes.Count(b, []byte("\n")) != 1 || !bytes.HasSuffix(b, []byte("\n")) {
		t.Fatalf("%q", b)
	}
	f, err := newFrameReader(bytes.NewReader(b), true, 100).next()
	var v struct{ A string }
	if err != nil || json.Unmarshal(f.payload, &v) != nil || v.A != "\n" {
		t.Errorf("%v %q", err, f.payload)
	}
}

func TestBinaryFramesRefused(t *testing.T) {
	for _, c := range []struct {
		name, in string
		want     error
	}{
		{"no kind", "\x02\x00\x01", ErrFrame},
		{"unknown kind", "\x02\x05\x01", ErrFrame},
		{"no number", "\x01\x01", ErrFrame},
		{"long number", "\x03\x01\x81\x00", ErrFrame},
		{"long length", "\x82\x00\x01\x01", ErrFrame},
		{"length without end", strings.Repeat("\xff", 20), ErrFrame},
		{"end with payload", "\x03\x03\x01x", ErrFrame},
		{"too large", "\xff\xff\xff\xff\x0f", codec.ErrTooLarge},
		{"length alone", "\x40", io.ErrUnexpectedEOF},
	} {
		if _, err := newFrameReader(strings.NewReader(c.in), false, 1000).next(); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
	}
}

// FuzzFrames: no input makes a reader panic, take more memory than its limit, or accept a binary
// frame that has another spelling.
func FuzzFrames(f *testing.F) {
	for _, lines := range []bool{true, false} {
		f.Add(lines, encodeFrames(lines, frames))
		for _, fr := range frames {
			f.Add(lines, appendFrame(nil, lines, fr))
		}
	}
	f.Add(false, []byte("\xff\xff\xff\xff\x0f"))
	f.Add(false, []byte("\x00\x02\x03\x01"))
	f.Add(true, []byte("\n\n"))
	f.Fuzz(func(t *testing.T, lines bool, in []byte) {
		const limit = 1 << 10
		r := newFrameReader(bytes.NewReader(in), lines, limit)
		var again []byte
		for {
			fr, err := r.next()
			if cap(r.buf) > 64<<10+2*limit {
				t.Fatalf("a buffer of %d bytes", cap(r.buf))
			}
			if err != nil {
				break
			}
			if fr.kind == frameFault || fr.kind == frameFailed {
				_, _ = fr.problem()
			}
			if fr.kind == frameSign {
				again = append(again, sign(lines)...)
			} else {
				again = appendFrame(again, lines, fr)
			}
		}
		if !lines && !bytes.HasPrefix(in, again) {
			t.Fatalf("%x was read as %x", in, again)
		}
	})
}

// FuzzTokens: no token is genuine but those that were given.
func FuzzTokens(f *testing.F) {
	s := NewService(codec.NewRegistry(codec.StdJSON{}), WithResume(bytes.Repeat([]byte("k"), 32), nil))
	x := s.Begin(httptest.NewRecorder(), httptest.NewRequest("GET", "/stream?a=b", nil))
	given := x.token("v1")
	f.Add(given)
	f.Add(given + "=")
	f.Add(given[:4] + "\r\n" + given[4:])
	f.Add(strings.ToLower(given))
	f.Add("")
	f.Fuzz(func(t *testing.T, token string) {
		if x.genuine(token) && token != given {
			t.Fatalf("%q passes for %q", token, given)
		}
	})
}

func TestTokens(t *testing.T) {
	of := func(key byte, target string, k Key, version string) string {
		s := NewService(codec.NewRegistry(codec.StdJSON{}), WithResume(bytes.Repeat([]byte{key}, 32), nil))
		x := s.Begin(httptest.NewRecorder(), httptest.NewRequest("GET", target, nil))
		x.key = k
		token := x.token(version)
		if !x.genuine(token) {
			t.Fatalf("%q is not genuine", token)
		}
		return token
	}
	seen := map[string]bool{}
	for _, token := range []string{
		of('a', "/x", Key{}, "v"), of('b', "/x", Key{}, "v"), of('a', "/y", Key{}, "v"), of('a', "/x?", Key{}, "v"),
		of('a', "/x", Key{}, "w"),
		of('a', "/x", Key{Tenant: "ab"}, "v"), of('a', "/x", Key{Version: "ab"}, "v"), of('a', "/x", Key{"a", "b"}, "v"),
	} {
		if seen[token] {
			t.Errorf("%q twice", token)
		}
		seen[token] = true
	}
	if of('a', "/x", Key{}, "v") != of('a', "/x", Key{}, "v") {
		t.Error("two servers with one key give different tokens")
	}
	defer func() {
		if recover() == nil {
			t.Error("a short key is accepted")
		}
	}()
	WithResume([]byte("short"), nil)
}
