package sse_test

import (
	"bytes"
	"encoding/base64"
	"errors"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/zmylab/zmy/sse"
)

func TestAppendEvent(t *testing.T) {
	for _, c := range []struct {
		name string
		e    sse.Event
		want string
	}{
		{"nothing", sse.Event{}, "data: \n\n"},
		{"text", sse.Event{Data: []byte("hello")}, "data: hello\n\n"},
		{"all", sse.Event{ID: "5f-7", Type: "order", Data: []byte("x")}, "id: 5f-7\nevent: order\ndata: x\n\n"},
		{"message is the default", sse.Event{Type: "message"}, "data: \n\n"},
		{"lines", sse.Event{Data: []byte("a\nb\rc\r\nd")}, "data: a\ndata: b\ndata: c\ndata: d\n\n"},
		{"breaks at the ends", sse.Event{Data: []byte("\n\na\r\n")}, "data: \ndata: \ndata: a\ndata: \n\n"},
		{"crlf mixed", sse.Event{Data: []byte("\n\r\r\n\r")}, "data: \ndata: \ndata: \ndata: \ndata: \n\n"},
		{"an event inside", sse.Event{Data: []byte("x\n\nevent: admin\ndata: y\n\n")},
			"data: x\ndata: \ndata: event: admin\ndata: data: y\ndata: \ndata: \n\n"},
		{"spaces stay", sse.Event{ID: " a ", Data: []byte("  x")}, "id:  a \ndata:   x\n\n"},
		{"NUL and BOM are text", sse.Event{Type: "\x00", Data: []byte("\x00\uFEFF")}, "event: \x00\ndata: \x00\uFEFF\n\n"},
		{"broken characters", sse.Event{Data: []byte("a\xffb\xe2\x82c\xf0\x9f\x98\nd\xed\xa0\x80")},
			"data: a\uFFFDb\uFFFDc\uFFFD\ndata: d\uFFFD\uFFFD\uFFFD\n\n"},
		{"other line breaks are text", sse.Event{Data: []byte("a\u2028b\u0085c\vd")}, "data: a\u2028b\u0085c\vd\n\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := sse.AppendEvent([]byte("<"), c.e)
			if err != nil || string(got) != "<"+c.want {
				t.Errorf("%q, %v\nwant %q", got, err, "<"+c.want)
			}
		})
	}
}

func TestAppendRefuses(t *testing.T) {
	for _, e := range []sse.Event{
		{ID: "a\nb"}, {ID: "a\r"}, {ID: "\x00"}, {ID: "\xff"}, {ID: "1\n\ndata: evil\n\n"},
		{Type: "a\nb"}, {Type: "\r"}, {Type: "\xe2\x82"}, {ID: "fine", Type: "x\r\n"},
	} {
		for what, f := range map[string]func([]byte, sse.Event) ([]byte, error){"AppendEvent": sse.AppendEvent,
			"AppendBinaryEvent": sse.AppendBinaryEvent} {
			if got, err := f([]byte("<"), e); !errors.Is(err, sse.ErrField) || string(got) != "<" {
				t.Errorf("%s(%+v) = %q, %v", what, e, got, err)
			}
		}
	}
	for _, id := range []string{"", "a\n", "\x00"} {
		if got, err := sse.AppendID([]byte("<"), id); !errors.Is(err, sse.ErrField) || string(got) != "<" {
			t.Errorf("AppendID(%q) = %q, %v", id, got, err)
		}
	}
}

func TestAppendOthers(t *testing.T) {
	id, err := sse.AppendID(nil, "5f-7")
	if err != nil {
		t.Fatal(err)
	}
	binary, err := sse.AppendBinaryEvent(nil, sse.Event{ID: "1", Type: "b", Data: []byte{0, 10, 13, 255}})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ got, want string }{
		{string(id), "id: 5f-7\n\n"},
		{string(binary), "id: 1\nevent: b\ndata: AAoN/w==\n\n"},
		{string(sse.AppendRetry(nil, 3*time.Second)), "retry: 3000\n\n"},
		{string(sse.AppendRetry(nil, time.Microsecond)), "retry: 1\n\n"},
		{string(sse.AppendRetry(nil, -time.Second)), "retry: 0\n\n"},
		{string(sse.AppendRetry(nil, 1<<63-1)), "retry: 9223372036855\n\n"},
		{string(sse.AppendComment(nil, "")), ":\n\n"},
		{string(sse.AppendComment(nil, "a\r\nb")), ": a\n: b\n\n"},
		{string(sse.AppendComment(nil, "\ndata: x\n\n")), ": \n: data: x\n: \n: \n\n"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}

func TestAppendAllocates(t *testing.T) {
	dst := make([]byte, 0, 4096)
	e := sse.Event{ID: "5f3a9c2e-1042", Type: "order.created", Data: []byte("{\"a\": 1}\n{\"b\": \"é\xff\"}")}
	if n := testing.AllocsPerRun(100, func() {
		out, _ := sse.AppendEvent(dst, e)
		out, _ = sse.AppendBinaryEvent(out, e)
		out, _ = sse.AppendID(out, e.ID)
		out = sse.ID{Epoch: 1 << 40, Seq: 1 << 50}.Append(out)
		dst = sse.AppendComment(sse.AppendRetry(out, time.Second), "text")[:0]
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestID(t *testing.T) {
	for _, id := range []sse.ID{{}, {1, 1}, {0xabc, 10}, {1<<64 - 1, 1<<64 - 1}, {1 << 63, 18446744073709551609}} {
		if got, ok := sse.ParseID(id.String()); !ok || got != id {
			t.Errorf("%s is read as %v, %v", id, got, ok)
		}
	}
	for _, s := range []string{"", "-", "1", "1-", "-1", "1-1-1", "01-1", "1-01", "A-1", "g-1", "1-a", "+1-1", "1-+1", " 1-1", "1-1 ",
		"10000000000000000-1", "1-18446744073709551616", "1-99999999999999999999", "1-1\n", "é-1"} {
		if id, ok := sse.ParseID(s); ok {
			t.Errorf("%q is read as %v", s, id)
		}
	}
}

// FuzzRoundTrip: whatever is published arrives as one event, between neighbours that stay whole.
func FuzzRoundTrip(f *testing.F) {
	for _, s := range []string{"", "x", "a\nb", "\r\n\r", "x\n\ndata: evil\n\n", "\xff\xe2\x82", "\uFEFFdata",
		"\x00", ": c", "data:", " lead", "id: 7\nretry: 1"} {
		f.Add(s, s, []byte(s))
		f.Add("1", "t", []byte(s))
	}
	f.Fuzz(func(t *testing.T, id, typ string, data []byte) {
		checkFrames(t, id, typ, data)
	})
}

func checkFrames(t testing.TB, id, typ string, data []byte) {
	e := sse.Event{ID: id, Type: typ, Data: data}
	before := []byte("id: before\ndata: before\n\n")
	whole, err := sse.AppendEvent(bytes.Clone(before), e)
	bad := strings.ContainsAny(id, "\r\n\x00") || strings.ContainsAny(typ, "\r\n") || !utf8.ValidString(id) || !utf8.ValidString(typ)
	if (err != nil) != bad {
		t.Fatalf("error %v for ID %q and type %q", err, id, typ)
	}
	if err != nil {
		if !bytes.Equal(whole, before) {
			t.Fatalf("an error changes the bytes before: %q", whole)
		}
		return
	}
	if !utf8.Valid(whole) {
		t.Fatalf("not UTF-8: %q", whole)
	}
	whole, err = sse.AppendBinaryEvent(whole, e)
	if err != nil {
		t.Fatal(err)
	}
	whole = sse.AppendComment(whole, string(data))
	whole = append(whole, "id: after\ndata: after\n\n"...)
	if id == "" {
		id = "before"
	}
	if typ == "" {
		typ = "message"
	}
	want := []parsed{{"before", "message", "before"}, {id, typ, lines(data)}, {id, typ, base64.StdEncoding.EncodeToString(data)},
		{"after", "message", "after"}}
	got := oracle(whole, "")
	if len(got.events) != len(want) || got.tried {
		t.Fatalf("%q is %d events (retry %v)", whole, len(got.events), got.tried)
	}
	for i := range want {
		if got.events[i] != want[i] {
			t.Fatalf("event %d is %q, want %q", i, got.events[i], want[i])
		}
	}
	compareReader(t, whole, "", 7)
}
