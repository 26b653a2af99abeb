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

// fault is a promise that is broken.
type fault struct {
	check string        // of ssetest, which must notice
	says  string        // with these words: a machine that is busy may make it fail otherwise
	waits time.Duration // for what does not come
}

var brokerFaults = map[string]fault{
	"the tail drops":             {"order", "after 299 of 300 records", 3 * time.Second},
	"the tail repeats":           {"order", "301 records, want 300", 0},
	"the tail swaps":             {"order", "record 1 has ID", 0},
	"the tail skips to its end":  {"tail_from_the_past", "after 0 of 40 records", 3 * time.Second},
	"the tail ignores cancel":    {"cancel", "still waiting", 3 * time.Second},
	"reading misses the newest":  {"own_appends_are_seen", "records [], want [", 0},
	"reading ignores its limit":  {"read", ", want [", 0},
	"reading hides trimming":     {"trimmed", "error <nil>, want history trimmed", 0},
	"reading knows no epoch":     {"other_epoch", "error <nil>, want another epoch", 0},
	"reading knows no future":    {"future", "error <nil>, want behind the newest record", 0},
	"reading forgets what is in": {"read", "read behind one record that was there gives 2", 0},
	"reading sorts by topic":     {"read_topics", "record 20 has ID", 0},
	"binary is forgotten":        {"content", "Key:k Data:[0] Binary:false}, want", 0},
	"keys are forgotten":         {"content", "Key: Data:[0] Binary:true}, want", 0},
	"topics are folded":          {"topics_of_any_name", `topic "A" has 0 records`, 0},
	"appending after close":      {"close", "error <nil>, want closed", 0},
	"IDs are per topic":          {"order", "record 1 has ID", 0},
}

// resumeFaults are those that clients of a hub notice.
var resumeFaults = map[string]fault{
	"reading misses the newest": {"resumes", " lost (", time.Second},
	"reading hides trimming":    {"trimmed_resumes", " lost (", time.Second},
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

const faultEnv, waitEnv = "ZMY_SSE_FAULT", "ZMY_SSE_WAITS"

// TestFaultyBroker runs the checks on a broken broker, as a process of its own; else it does
// nothing.
func TestFaultyBroker(t *testing.T) {
	fault := os.Getenv(faultEnv)
	if fault == "" {
		t.Skip("not asked for by TestSuiteNotices")
	}
	wait, _ := time.ParseDuration(os.Getenv(waitEnv)) // 0 is the default, which no machine exceeds
	c := ssetest.Config{
		Patience: wait,
		Open: func(_ *testing.T, history int) sse.Broker {
			return &faulted{sse.NewMemory(sse.MemoryOptions{History: history}), fault}
		},
	}
	ssetest.Run(t, c)
	ssetest.Resumes(t, c, 100)
}

// The checks of brokers notice when a promise is broken.
func TestSuiteNotices(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	try := func(t *testing.T, name string, fault fault) {
		t.Parallel()
		cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run", "^TestFaultyBroker$/^"+fault.check+"$", "-test.timeout", "5m")
		cmd.Env = append(os.Environ(), faultEnv+"="+name)
		if fault.waits > 0 {
			cmd.Env = append(cmd.Env, waitEnv+"="+fault.waits.String())
		}
		out, err := cmd.CombinedOutput()
		if err == nil || !bytes.Contains(out, []byte("--- FAIL: TestFaultyBroker/"+fault.check)) ||
			!bytes.Contains(out, []byte(fault.says)) {
			t.Errorf("check %q does not say %q: %v\n%s", fault.check, fault.says, err, out)
		}
	}
	for name, fault := range brokerFaults {
		t.Run(name, func(t *testing.T) { try(t, name, fault) })
	}
	for name, fault := range resumeFaults {
		t.Run(name+", and resumes", func(t *testing.T) { try(t, name, fault) })
	}
}
