package sse_test

import (
	"bytes"
	"errors"
	"io"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/zmylab/zmy/sse"
)

// streams are bodies with what they come to, written by hand from the standard.
var streams = []struct {
	name, body string
	want       []parsed
}{
	{"the standard's first example", "data: YHOO\ndata: +2\ndata: 10\n\n", []parsed{{"", "message", "YHOO\n+2\n10"}}},
	{"the second: comments and IDs", ": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n\n",
		[]parsed{{"1", "message", "first event"}, {"", "message", "second event"}, {"", "message", " third event"}}},
	{"the third: empty data", "data\n\ndata\ndata\n\ndata:", []parsed{{"", "message", ""}, {"", "message", "\n"}}},
	{"the fourth: one space", "data:test\n\ndata: test\n\n", []parsed{{"", "message", "test"}, {"", "message", "test"}}},
	{"nothing", "", nil},
	{"no end", "data: x\n", nil},
	{"no end of line", "data: x\n\ndata: y", []parsed{{"", "message", "x"}}},
	{"CR", "data: x\r\rdata: y\r\r", []parsed{{"", "message", "x"}, {"", "message", "y"}}},
	{"CRLF", "data: x\r\n\r\nid: 1\r\ndata: y\r\n\r\n", []parsed{{"", "message", "x"}, {"1", "message", "y"}}},
	{"mixed", "data: a\rdata: b\r\ndata: c\n\r\ndata: d\n\r", []parsed{{"", "message", "a\nb\nc"}, {"", "message", "d"}}},
	{"a mark at the start", "\uFEFFdata: x\n\n", []parsed{{"", "message", "x"}}},
	{"two marks", "\uFEFF\uFEFFdata: x\n\ndata: y\n\n", []parsed{{"", "message", "y"}}},
	{"a mark later", "data: x\n\n\uFEFFdata: y\n\n", []parsed{{"", "message", "x"}}},
	{"part of a mark", "\xef\xbbdata: x\n\ndata: y\n\n", []parsed{{"", "message", "y"}}},
	{"types", "event: a\ndata: x\n\ndata: y\n\nevent: b\n\ndata: z\n\nevent: c\nevent:\ndata: 1\n\n",
		[]parsed{{"", "a", "x"}, {"", "message", "y"}, {"", "message", "z"}, {"", "message", "1"}}},
	{"IDs stay", "id: 7\ndata: x\n\ndata: y\n\nid\ndata: z\n\n",
		[]parsed{{"7", "message", "x"}, {"7", "message", "y"}, {"", "message", "z"}}},
	{"an ID alone", "id: 7\n\ndata: x\n\n", []parsed{{"7", "message", "x"}}},
	{"an ID with NUL", "id: 7\ndata: x\n\nid: 8\x009\ndata: y\n\n", []parsed{{"7", "message", "x"}, {"7", "message", "y"}}},
	{"unknown fields", "DATA: x\nData: x\n data: x\ndata : x\ndatas: x\ndata: y\n\n", []parsed{{"", "message", "y"}}},
	{"colons", "data:::x:\n\n", []parsed{{"", "message", "::x:"}}},
	{"spaces", "data:  x \n\ndata:\tx\n\n", []parsed{{"", "message", " x "}, {"", "message", "\tx"}}},
	{"broken characters", "data: \xff\xe2\x82\ndata: \xf0\x9f\n\n", []parsed{{"", "message", "\uFFFD\uFFFD\n\uFFFD"}}},
	{"NUL in data", "data: \x00\n\n", []parsed{{"", "message", "\x00"}}},
	{"a cut ID is not committed", "data: x\n\nid: 9\ndata: y\n", []parsed{{"", "message", "x"}}},
}

func TestReader(t *testing.T) {
	for _, c := range streams {
		t.Run(c.name, func(t *testing.T) {
			if got := oracle([]byte(c.body), "").events; !reflect.DeepEqual(got, c.want) {
				t.Errorf("the oracle has\n%q, want\n%q", got, c.want)
			}
			for n := 1; n < 10; n++ {
				compareReader(t, []byte(c.body), "", n)
			}
		})
	}
}

func TestReaderRetry(t *testing.T) {
	const none = -1
	for _, c := range []struct {
		body string
		want time.Duration
	}{
		{"retry: 1500\n\n", 1500 * time.Millisecond}, {"retry: 1500\n", 1500 * time.Millisecond}, {"retry: 0\n\n", 0},
		{"retry: 1\nretry: x\nretry: -1\nretry: 1.5\nretry: 1e3\nretry:  7\nretry\nretry: ٣\n", time.Millisecond},
		{"retry:\n", none}, {"Retry: 3\n", none}, {"retry: 3", none},
		{"retry: 99999999999999999999999999\n", (1<<63 - 1) / time.Millisecond * time.Millisecond},
	} {
		r := sse.NewReader(strings.NewReader(c.body), 0, "")
		if _, err := r.Next(); err != io.EOF {
			t.Fatal(err)
		}
		d, ok := r.Retry()
		if want := c.want != none; ok != want || ok && d != c.want {
			t.Errorf("%q sets %v, %v", c.body, d, ok)
		}
	}
}

// compareReader holds the reader against the oracle, with reads of at most n bytes.
func compareReader(t testing.TB, body []byte, lastID string, n int) {
	t.Helper()
	want := oracle(body, lastID)
	r := sse.NewReader(&pieces{body, n}, max(1, len(body))*3, lastID) // a broken byte takes three
	got, err := drain(r)
	if err != io.EOF {
		t.Fatalf("%q: %v", body, err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("%q by %d bytes is\n%+v, want\n%+v", body, n, got, want)
	}
}

// pieces reads at most n bytes at once.
type pieces struct {
	b []byte
	n int
}

func (p *pieces) Read(b []byte) (int, error) {
	if len(p.b) == 0 {
		return 0, io.EOF
	}
	n := copy(b[:min(len(b), p.n)], p.b)
	p.b = p.b[n:]
	return n, nil
}

// An event that ends with CR is there before the next byte is.
func TestReaderDoesNotWait(t *testing.T) {
	stop := errors.New("would wait")
	for _, body := range []string{"data: x\n\n", "data: x\r\r", "data: x\r\n\r", "data: x\r\n\r\n", "\uFEFFdata: x\r\r"} {
		r := sse.NewReader(io.MultiReader(strings.NewReader(body), iotest.ErrReader(stop)), 0, "")
		if e, err := r.Next(); err != nil || string(e.Data) != "x" {
			t.Errorf("%q: %q, %v", body, e.Data, err)
		}
		if _, err := r.Next(); err != stop {
			t.Errorf("%q: then %v", body, err)
		}
	}
}

func TestReaderLimits(t *testing.T) {
	long := strings.Repeat("x", 100)
	for _, c := range []struct {
		name, body string
		fails      bool
	}{
		{"data", "data: " + long + "\n\n", false},
		{"data without a space", "data:" + long + "\n\n", false},
		{"a byte more", "data: " + long + "y\n\n", true},
		{"lines", "data: " + long[:49] + "\ndata: " + long[:50] + "\n\n", false},
		{"lines and a byte more", "data: " + long[:50] + "\ndata: " + long[:50] + "\n\n", true},
		{"many empty lines", strings.Repeat("data\n", 102), true},
		{"a line without an end", ":" + strings.Repeat(long, 100), true},
		{"events", strings.Repeat("data: "+long+"\n\n", 50), false},
	} {
		r := sse.NewReader(&pieces{[]byte(c.body), 13}, 100, "")
		_, err := drain(r)
		if c.fails != errors.Is(err, sse.ErrTooLarge) || !c.fails && err != io.EOF {
			t.Errorf("%s: %v", c.name, err)
		}
		if _, again := r.Next(); again != err {
			t.Errorf("%s: then %v", c.name, again)
		}
	}
}

func TestReaderComments(t *testing.T) {
	var got []string
	r := sse.NewReader(strings.NewReader(":\n: a\n:b\n\ndata: x\n\n:\xff\n"), 0, "")
	r.Comment = func(text []byte) { got = append(got, string(text)) }
	if _, err := drain(r); err != io.EOF || strings.Join(got, "|") != "|a|b|\xff" {
		t.Errorf("%q, %v", got, err)
	}
}

func TestReaderLastID(t *testing.T) {
	r := sse.NewReader(strings.NewReader("data: x\n\nid: 2\n\nid: 3\n"), 0, "1")
	e, err := r.Next()
	if err != nil || e.ID != "1" || r.LastID() != "1" {
		t.Errorf("%+v, %v, %q", e, err, r.LastID())
	}
	if _, err := r.Next(); err != io.EOF || r.LastID() != "2" {
		t.Errorf("%v, %q", err, r.LastID())
	}
}

func FuzzReader(f *testing.F) {
	for _, c := range streams {
		f.Add([]byte(c.body), byte(3))
	}
	f.Fuzz(func(t *testing.T, body []byte, n byte) {
		compareReader(t, body, "before", 1+int(n))
	})
}

func BenchmarkAppendEvent(b *testing.B) {
	e := sse.Event{ID: "5f3a9c2e-1042", Type: "order.created", Data: bytes.Repeat([]byte(`{"k":"v"}`), 20)}
	var dst []byte
	b.ReportAllocs()
	for b.Loop() {
		dst, _ = sse.AppendEvent(dst[:0], e)
	}
	b.SetBytes(int64(len(dst)))
}

func BenchmarkReader(b *testing.B) {
	e := sse.Event{ID: "5f3a9c2e-1042", Type: "order.created", Data: bytes.Repeat([]byte(`{"k":"v"}`), 20)}
	frame, _ := sse.AppendEvent(nil, e)
	body := bytes.Repeat(frame, 1000)
	b.SetBytes(int64(len(frame)))
	b.ReportAllocs()
	r := sse.NewReader(nil, 0, "")
	for n := 0; b.Loop(); n++ {
		if n%1000 == 0 {
			r = sse.NewReader(bytes.NewReader(body), 0, "")
		}
		if _, err := r.Next(); err != nil {
			b.Fatal(err)
		}
	}
}

// Buffered is 0 exactly where the next event begins with what is read next.
func TestReaderBuffered(t *testing.T) {
	parts := []string{"data: 1\n\n", "data: 2\n\ndata: 3\n\nda", "ta: 4\n", "\n: and a comment"}
	r := sse.NewReader(readerFunc(func(b []byte) (int, error) {
		if len(parts) == 0 {
			return 0, io.EOF
		}
		n := copy(b, parts[0])
		parts = parts[1:]
		return n, nil
	}), 0, "")
	for i, want := range []int{0, len("data: 3\n\nda"), len("da"), len(": and a comment")} {
		if _, err := r.Next(); err != nil {
			t.Fatal(err)
		}
		if got := r.Buffered(); got != want {
			t.Errorf("%d bytes are buffered behind event %d, want %d", got, i+1, want)
		}
	}
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(b []byte) (int, error) { return f(b) }
