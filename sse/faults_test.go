package sse_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/zmylab/zmy/sse"
	"github.com/zmylab/zmy/sse/ssetest"
)

// faulted is a broker that breaks one promise.
type faulted struct {
	*sse.Memory
	fault string
}

// brokerFaults are the promises that are broken, with a check of ssetest that must notice.
var brokerFaults = map[string]string{
	"the tail drops":             "order",
	"the tail repeats":           "order",
	"the tail swaps":             "order",
	"the tail skips to its end":  "tail_from_the_past",
	"the tail ignores cancel":    "cancel",
	"reading misses the newest":  "own_appends_are_seen",
	"reading ignores its limit":  "read",
	"reading hides trimming":     "trimmed",
	"reading knows no epoch":     "other_epoch",
	"reading knows no future":    "future",
	"reading forgets what is in": "read",
	"reading sorts by topic":     "read_topics",
	"binary is forgotten":        "content",
	"keys are forgotten":         "content",
	"topics are folded":          "topics_of_any_name",
	"appending after close":      "close",
	"IDs are per topic":          "order",
}

func (b *faulted) Append(ctx context.Context, topic string, m sse.Message) (sse.ID, error) {
	switch b.fault {
	case "binary is forgotten":
		m.Binary = false
	case "keys are forgotten":
		m.Key = ""
	case "topics are folded":
		topic = strings.ToLower(topic)
	}
	id, err := b.Memory.Append(ctx, topic, m)
	if b.fault == "appending after close" && errors.Is(err, sse.ErrClosed) {
		err = nil
	}
	return id, err
}

func (b *faulted) Read(ctx context.Context, dst []sse.Record, topics []string, after sse.ID, limit int) ([]sse.Record, error) {
	last, _ := b.Last(ctx)
	switch b.fault {
	case "reading ignores its limit":
		limit = 1 << 20
	case "reading knows no epoch":
		after.Epoch = last.Epoch
	case "reading knows no future":
		after.Seq = min(after.Seq, last.Seq)
	case "reading forgets what is in":
		dst = dst[:0]
	}
	out, err := b.Memory.Read(ctx, dst, topics, after, limit)
	switch {
	case b.fault == "reading hides trimming" && errors.Is(err, sse.ErrTrimmed):
		return dst, nil
	case b.fault == "reading misses the newest" && len(out) > len(dst):
		out = out[:len(out)-1]
	case b.fault == "reading sorts by topic":
		slices.SortStableFunc(out, func(a, b sse.Record) int { return strings.Compare(a.Topic, b.Topic) })
	}
	return out, err
}

func (b *faulted) Tail(ctx context.Context, after sse.ID) (sse.Tail, error) {
	if b.fault == "the tail skips to its end" {
		after = sse.ID{}
	}
	t, err := b.Memory.Tail(ctx, after)
	return &faultedTail{t, b.fault}, err
}

type faultedTail struct {
	sse.Tail
	fault string
}

func (t *faultedTail) Next(ctx context.Context, dst []sse.Record) ([]sse.Record, error) {
	if t.fault == "the tail ignores cancel" {
		ctx = context.WithoutCancel(ctx)
	}
	n := len(dst)
	dst, err := t.Tail.Next(ctx, dst)
	fresh := dst[n:]
	for i := range fresh {
		if t.fault == "IDs are per topic" && fresh[i].Topic != "a" {
			fresh[i].ID.Seq = 1
		}
	}
	if len(fresh) < 2 {
		return dst, err
	}
	switch t.fault {
	case "the tail drops":
		dst = slices.Delete(dst, n, n+1)
	case "the tail repeats":
		dst = append(dst, dst[len(dst)-1])
	case "the tail swaps":
		fresh[0], fresh[1] = fresh[1], fresh[0]
	}
	return dst, err
}

const faultEnv = "ZMY_SSE_FAULT"

// TestFaultyBroker runs the checks on a broken broker, as a process of its own; else it does nothing.
func TestFaultyBroker(t *testing.T) {
	fault := os.Getenv(faultEnv)
	if fault == "" {
		t.Skip("not asked for by TestSuiteNotices")
	}
	ssetest.Run(t, ssetest.Config{
		Patience: 300 * time.Millisecond,
		Open: func(_ *testing.T, history int) sse.Broker {
			return &faulted{sse.NewMemory(sse.MemoryOptions{History: history}), fault}
		},
	})
}

// The checks of brokers notice when a promise is broken.
func TestSuiteNotices(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	for fault, check := range brokerFaults {
		t.Run(fault, func(t *testing.T) {
			cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run", "^TestFaultyBroker$/^"+check+"$", "-test.timeout", "60s")
			cmd.Env = append(os.Environ(), faultEnv+"="+fault)
			out, err := cmd.CombinedOutput()
			if err == nil || !bytes.Contains(out, []byte("--- FAIL: TestFaultyBroker/"+check)) && !bytes.Contains(out, []byte("test timed out")) {
				t.Errorf("check %q passes: %v\n%s", check, err, out)
			}
		})
	}
}
