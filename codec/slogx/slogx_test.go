package slogx_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/zmylab/zmy/codec"
	"github.com/zmylab/zmy/codec/pprofx"
	"github.com/zmylab/zmy/codec/slogx"
)

// slow is JSON that takes a while.
type slow struct {
	codec.StdJSON
	d time.Duration
}

func (c slow) Marshal(v any) ([]byte, error) { time.Sleep(c.d); return c.StdJSON.Marshal(v) }

func lines(t *testing.T, b *bytes.Buffer) (out []map[string]any) {
	t.Helper()
	for _, line := range strings.Split(strings.TrimSpace(b.String()), "\n") {
		if line == "" {
			continue
		}
		var m map[string]any
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			t.Fatal(err)
		}
		delete(m, "time")
		out = append(out, m)
	}
	return out
}

func TestLog(t *testing.T) {
	tests := []struct {
		name string
		opt  slogx.Options
		d    time.Duration
		do   func(c codec.Codec) error
		want string
	}{
		{"fast and right", slogx.Options{}, 0, marshal, "[]"},
		{"slow", slogx.Options{}, 7 * time.Millisecond, marshal,
			"[map[codec:json duration:7e+06 level:WARN msg:codec slow op:marshal size:1 type:int]]"},
		{"not so slow", slogx.Options{Slow: time.Second}, 7 * time.Millisecond, marshal, "[]"},
		{"never slow", slogx.Options{Slow: -1}, time.Hour, marshal, "[]"},
		{"below the level", slogx.Options{SlowLevel: slog.LevelDebug}, time.Hour, marshal, "[]"},
		{"fails", slogx.Options{ErrorLevel: slog.LevelError}, 0, unmarshal,
			"[map[class:syntax codec:json duration:0 error:codec: json: unmarshal *int: unexpected end of JSON input level:ERROR " +
				"msg:codec failed op:unmarshal size:0 type:*int]]"},
		{"fails, hidden", slogx.Options{HideErrors: true}, 0, unmarshal,
			"[map[class:syntax codec:json duration:0 level:WARN msg:codec failed op:unmarshal size:0 type:*int]]"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var b bytes.Buffer
				c := codec.Observe(slow{d: tt.d}, slogx.New(slog.New(slog.NewJSONHandler(&b, nil)), tt.opt))
				_ = tt.do(c)
				if got := fmt.Sprint(lines(t, &b)); got != tt.want {
					t.Errorf("logged %s\nwant   %s", got, tt.want)
				}
			})
		})
	}
}

func marshal(c codec.Codec) error   { _, err := c.Marshal(1); return err }
func unmarshal(c codec.Codec) error { return c.Unmarshal(nil, new(int)) }

func TestLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var b bytes.Buffer
		c := codec.Observe(codec.StdJSON{}, slogx.New(slog.New(slog.NewJSONHandler(&b, nil)), slogx.Options{PerSecond: 3}))
		for range 10 {
			_ = unmarshal(c)
		}
		if n := len(lines(t, &b)); n != 3 {
			t.Fatalf("%d lines in a second, want 3", n)
		}
		time.Sleep(time.Second)
		_ = unmarshal(c)
		all := lines(t, &b)
		if last := all[len(all)-1]; len(all) != 4 || last["left_out"] != 7.0 {
			t.Errorf("a second later: %d lines, the last %v; want 4, and 7 left out", len(all), last)
		}
	})
}

// The observer hands the operation's context to the handler.
func TestContext(t *testing.T) {
	type key struct{}
	h := &contextHandler{Handler: slog.DiscardHandler, key: key{}}
	c := codec.Observe(codec.StdJSON{}, slogx.New(slog.New(h), slogx.Options{}))
	_ = unmarshal(codec.WithContext(context.WithValue(t.Context(), key{}, "trace"), c))
	if h.got != "trace" {
		t.Errorf("the handler got %v", h.got)
	}
}

type contextHandler struct {
	slog.Handler
	key, got any
}

func (h *contextHandler) Enabled(context.Context, slog.Level) bool { return true }

func (h *contextHandler) Handle(ctx context.Context, _ slog.Record) error {
	h.got = ctx.Value(h.key)
	return nil
}

func TestNothingToLogCostsNothing(t *testing.T) {
	o := slogx.New(slog.New(slog.DiscardHandler), slogx.Options{})
	e := codec.Event{Codec: "json"}
	if n := testing.AllocsPerRun(100, func() { o.End(o.Begin(t.Context(), e), e) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// TestChanged: a change has its line, with the level that it deserves, also through other
// observers.
func TestChanged(t *testing.T) {
	for _, tt := range []struct {
		change codec.Change
		want   string
	}{
		{codec.Change{Chooser: "zmy-json", From: "primary", To: "fallback", Worse: true, Cause: "failures"},
			"[map[cause:failures chooser:zmy-json from:primary level:WARN msg:codec changed share:0 to:fallback]]"},
		{codec.Change{Chooser: "zmy-json", From: "half-open", To: "primary", Share: 1, Cause: "the trials went well"},
			"[map[cause:the trials went well chooser:zmy-json from:half-open level:INFO msg:codec changed share:1 to:primary]]"},
	} {
		var b bytes.Buffer
		o := slogx.New(slog.New(slog.NewJSONHandler(&b, nil)), slogx.Options{})
		codec.TellChange(t.Context(), codec.Observers{pprofx.Labels(), codec.Observers{o}}, tt.change)
		if got := fmt.Sprint(lines(t, &b)); got != tt.want {
			t.Errorf("logged %s, want %s", got, tt.want)
		}
	}
}
