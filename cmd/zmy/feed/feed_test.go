package feed

import (
	"context"
	"log/slog"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/zmylab/zmy/codec"
	"github.com/zmylab/zmy/sse"
)

// TestPublish: what is published has consecutive numbers, the times at which it was due, the size
// that was asked for, and is read again from every codec.
func TestPublish(t *testing.T) {
	for _, name := range Names() {
		broker := sse.NewMemory(sse.MemoryOptions{})
		hub, err := sse.Open(t.Context(), broker, sse.WithLogger(slog.New(slog.DiscardHandler)))
		if err != nil {
			t.Fatal(err)
		}
		begin := time.Now()
		in := &Request{Run: "r1", Codec: name, From: 100, Rate: 4000, Burst: 3, Size: 700, For: 20 * time.Millisecond, Seed: 5}
		out, err := Publish(t.Context(), hub, in)
		if err != nil {
			t.Fatal(err)
		}
		last, err := broker.Last(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		records, err := broker.Read(t.Context(), nil, []string{Topic("r1")}, sse.ID{Epoch: last.Epoch}, 1000)
		if err != nil {
			t.Fatal(err)
		}
		if len(records) != out.Published || out.Published == 0 || out.Published%3 != 0 || out.Late.N() != uint64(out.Published) {
			t.Fatalf("%s: %d records, %d published, %d times", name, len(records), out.Published, out.Late.N())
		}
		var before, bytes int64
		for i, rec := range records {
			bytes += int64(len(rec.Data))
			e := event(t, &rec)
			due, n, err := Read(e)
			if err != nil || n != 100+i {
				t.Fatalf("%s: event %d is number %d, %v", name, i, n, err)
			}
			if i%3 != 0 && due != before || due < before || due < begin.UnixNano() || time.Unix(0, due).After(rec.Time) {
				t.Errorf("%s: event %d was due at %d, the one before at %d, and was published at %d", name, n, due, before, rec.Time.UnixNano())
			}
			before = due
			if text := strings.HasSuffix(name, "json"); text && (len(rec.Data) < 690 || len(rec.Data) > 710) {
				t.Errorf("%s: %d bytes, want 700", name, len(rec.Data))
			}
		}
		if bytes != out.Bytes {
			t.Errorf("%s: %d bytes, reported as %d", name, bytes, out.Bytes)
		}
		if err := hub.Close(); err != nil {
			t.Error(err)
		}
	}
}

// event is a record as a client reads it.
func event(t *testing.T, rec *sse.Record) sse.Event {
	t.Helper()
	e := sse.Event{ID: rec.ID.String(), Type: rec.Type, Data: rec.Data}
	frame, err := sse.AppendEvent(nil, e)
	if rec.Binary {
		frame, err = sse.AppendBinaryEvent(nil, e)
	}
	if err != nil {
		t.Fatal(err)
	}
	e, err = sse.NewReader(strings.NewReader(string(frame)), 0, "").Next()
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// TestPublishStops with its context, and tells what was published.
func TestPublishStops(t *testing.T) {
	hub, err := sse.Open(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer hub.Close()
	ctx, stop := context.WithCancel(t.Context())
	stop()
	out, err := Publish(ctx, hub, &Request{Run: "r", Codec: "zmy", Rate: 1, Burst: 1, For: time.Hour})
	if err != context.Canceled || out.Published != 0 {
		t.Errorf("%d published, %v", out.Published, err)
	}
}

// TestSize: a size that no event can have is come near.
func TestSize(t *testing.T) {
	for _, size := range []int{0, 1, 150, 151, 4096, 20_000} {
		m, err := newMaker(size, 9)
		if err != nil {
			t.Fatal(err)
		}
		for n := range 200 {
			data, err := codec.FXJSON{}.Marshal(m.event(n, time.Unix(1763768400, 0)))
			if err != nil {
				t.Fatal(err)
			}
			if size >= 250 && math.Abs(float64(len(data)-size)) > 10 || size < 250 && len(data) > 400 || size == 0 && len(data) < 150 {
				t.Fatalf("size %d: event %d has %d bytes", size, n, len(data))
			}
		}
	}
}

func TestReadRefuses(t *testing.T) {
	for _, c := range []struct{ typ, data, want string }{
		{"yaml", "", "no codec"},
		{"json", "{", "unexpected end"},
		{"json", `{"id":"7"}`, "no time and number"},
		{"json", `{"id":"7--1"}`, "no time and number"},
		{"zmy", "%", "base64"},
		{"zmy", "AAAA", "zmy"},
	} {
		if _, _, err := Read(sse.Event{Type: c.typ, Data: []byte(c.data)}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %q: %v, want %s", c.typ, c.data, err, c.want)
		}
	}
}
