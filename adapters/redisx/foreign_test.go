package redisx_test

import (
	"context"
	"errors"
	"log/slog"
	"net/http/httptest"
	"strconv"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/zmylab/zmy/adapters/redisx"
	"github.com/zmylab/zmy/internal/patience"
	"github.com/zmylab/zmy/sse"
)

// foreign adds an entry that is no event under an ID.
func foreign(t *testing.T, c redis.Cmdable, prefix, id string) string {
	t.Helper()
	id, err := c.XAdd(t.Context(), &redis.XAddArgs{Stream: "{" + prefix + "}:log", ID: id, Values: []string{"x", "y"}}).Result()
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// TestForeignEntry: whatever something else adds to the stream, what is published afterwards is
// kept and sent, behind one reset at most.
func TestForeignEntry(t *testing.T) {
	addr, _ := start(t, "")
	c := dial(t, addr)
	for i, f := range []struct {
		name, id string // the log's last number is 2
		delete   bool
		resets   int
	}{
		{"beyond ours", "*", false, 1},
		{"beyond ours, and deleted", "*", true, 1},
		{"under the next number", "3-0", false, 1},
		{"behind the next number", "3-7", false, 1},
		{"under the last ID that there is", "18446744073709551615-18446744073709551615", false, 1},
		{"between ours", "2-1", false, 0},
	} {
		t.Run(f.name, func(t *testing.T) {
			ctx, stop := context.WithTimeout(t.Context(), patience.For(time.Minute))
			defer stop()
			prefix := "t" + strconv.Itoa(i)
			b := open(t, c, redisx.WithPrefix(prefix))
			hub, err := sse.Open(ctx, b, sse.WithLogger(slog.New(slog.DiscardHandler)))
			if err != nil {
				t.Fatal(err)
			}
			defer hub.Close()
			server := httptest.NewServer(hub.Handler(sse.Topics("a")))
			defer server.Close()
			defer hub.Close()
			publish := func(text string) sse.ID {
				t.Helper()
				id, err := hub.Publish(ctx, "a", sse.Message{Data: []byte(text)})
				if err != nil {
					t.Fatal(err)
				}
				return id
			}
			start, err := b.Last(ctx)
			if err != nil {
				t.Fatal(err)
			}
			publish("one")
			client := sse.Client{URL: server.URL, LastEventID: start.String()}
			resets, last := 0, sse.ID{}
			for e, err := range client.Events(ctx) {
				if err != nil {
					t.Fatalf("after %d resets: %v", resets, err)
				}
				if e.Type == "reset" {
					if resets++; resets == 1 {
						last = publish("three") // the one before may have come before the reset
					}
					continue
				}
				switch string(e.Data) {
				case "one":
					publish("two")
					continue
				case "two":
					if id := foreign(t, c, prefix, f.id); f.delete {
						c.XDel(ctx, "{"+prefix+"}:log", id)
					}
					last = publish("three")
					continue
				}
				break
			}
			if got := hub.Stats().Resets; resets != f.resets || got != uint64(f.resets) {
				t.Errorf("%d resets, the hub counts %d, want %d", resets, got, f.resets)
			}
			if now, err := b.Last(ctx); err != nil || now != last {
				t.Errorf("the log ends at %s (%v), what was published last is %s", now, err, last)
			}
		})
	}
}

// TestForeignEntryNoticed: who only reads is told of an entry beyond the counter as well.
func TestForeignEntryNoticed(t *testing.T) {
	addr, _ := start(t, "")
	c := dial(t, addr)
	b := open(t, c)
	before := appendN(t, b, 3)
	foreign(t, c, "zmy-sse", "*")
	if now, err := b.Last(t.Context()); err != nil || now.Epoch == before.Epoch || now.Seq != 0 {
		t.Errorf("the log ends at %s, was %s, %v", now, before, err)
	}
	if _, err := b.Read(t.Context(), nil, []string{"a"}, before, 10); !errors.Is(err, sse.ErrEpoch) {
		t.Errorf("reading behind %s: %v", before, err)
	}
}

// TestForeignEntriesBetween: they are skipped, however many there are, and what was trimmed in
// front of them is not forgotten.
func TestForeignEntriesBetween(t *testing.T) {
	addr, _ := start(t, "")
	c := dial(t, addr)
	b := open(t, c)
	two := appendN(t, b, 2)
	pipe := c.Pipeline()
	for i := range 1200 {
		pipe.XAdd(t.Context(), &redis.XAddArgs{Stream: "{zmy-sse}:log", ID: "2-" + strconv.Itoa(1+i), Values: []string{"x", "y"}})
	}
	if _, err := pipe.Exec(t.Context()); err != nil {
		t.Fatal(err)
	}
	one := sse.ID{Epoch: two.Epoch, Seq: 1}
	tail, err := b.Tail(t.Context(), one)
	if err != nil {
		t.Fatal(err)
	}
	defer tail.Close()
	three := appendN(t, b, 1)
	got, err := b.Read(t.Context(), nil, []string{"a"}, one, 10)
	if err != nil || len(got) != 2 || got[0].ID != two || got[1].ID != three {
		t.Errorf("reading gives %v, %v", got, err)
	}
	ctx, stop := context.WithTimeout(t.Context(), patience.For(time.Minute))
	defer stop()
	for got = got[:0]; len(got) < 2; {
		if got, err = tail.Next(ctx, got); err != nil {
			t.Fatal(err)
		}
	}
	if got[0].ID != two || got[1].ID != three {
		t.Errorf("the tail gives %v", got)
	}
	if err := c.XTrimMinID(t.Context(), "{zmy-sse}:log", "2-1").Err(); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Read(t.Context(), nil, []string{"a"}, one, 10); !errors.Is(err, sse.ErrTrimmed) {
		t.Errorf("reading what was trimmed: %v", err)
	}
	if got, err := b.Read(t.Context(), nil, []string{"a"}, two, 10); err != nil || len(got) != 1 {
		t.Errorf("reading what was not: %v, %v", got, err)
	}
}
