package redisx_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/zmylab/zmy/adapters/redisx"
	"github.com/zmylab/zmy/sse"
	"github.com/zmylab/zmy/sse/ssetest"
)

// serveEnv has the test program be a process that publishes and serves until it is killed: "name|address".
const serveEnv = "REDISX_TEST_SERVE"

func serve(spec []string) error {
	b, err := redisx.Open(context.Background(), redis.NewClient(&redis.Options{Addr: spec[1], ContextTimeoutEnabled: true}))
	if err != nil {
		return err
	}
	return ssetest.Serve(b, spec[0])
}

// restart runs a server where another one has been, as soon as the address can be had.
func restart(t *testing.T, addr, dir, fsync string) (kill func()) {
	t.Helper()
	for end := time.Now().Add(time.Minute); kill == nil; time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("redis-server has not started again at %s", addr)
		}
		kill = run(t, addr, dir, fsync)
	}
	return kill
}

// TestKilled: the process that publishes and serves, and a redis-server that syncs each entry, are killed by turns.
func TestKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	dir := t.TempDir()
	addr, kill := start(t, dir)
	ssetest.Killed(t, ssetest.Killing{
		Processes: 4,
		Command: func(name string) *exec.Cmd {
			cmd := exec.Command(os.Args[0])
			cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%s|%s", serveEnv, name, addr))
			return cmd
		},
		Disturb: func(int) {
			kill()
			kill = restart(t, addr, dir, "always")
		},
		Log: func() sse.Broker { return open(t, dial(t, addr)) },
	})
}

// TestContent: what was acknowledged is there as it was after the server was killed.
func TestContent(t *testing.T) {
	dir := t.TempDir()
	addr, kill := start(t, dir)
	last := appendN(t, open(t, dial(t, addr)), 50)
	kill()
	addr, _ = start(t, dir)
	got, err := open(t, dial(t, addr)).Read(t.Context(), nil, []string{"a"}, sse.ID{Epoch: last.Epoch}, 100)
	if err != nil || len(got) != 50 || got[49].ID != last {
		t.Fatalf("%d records, %v", len(got), err)
	}
	if r := got[0]; r.Type != "t" || r.Key != "k" || !r.Binary || string(r.Data) != "\x00\xff" || time.Since(r.Time) > time.Hour {
		t.Errorf("%+v", r)
	}
}

func appendN(t *testing.T, b *redisx.Broker, n int) (last sse.ID) {
	t.Helper()
	for range n {
		var err error
		if last, err = b.Append(t.Context(), "a", sse.Message{Type: "t", Key: "k", Data: []byte{0, 255}, Binary: true}); err != nil {
			t.Fatal(err)
		}
	}
	return last
}

// TestLostEnd: with appendfsync everysec a killed server comes back with the beginning of its log, whole: all of it, if the
// system has what was written. If the machine has gone down with the last of that, clients that are connected and clients that were away are
// told so, and then get what is new.
func TestLostEnd(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	for _, crash := range []bool{false, true} {
		t.Run(map[bool]string{false: "of the server", true: "of the machine"}[crash], func(t *testing.T) { lostEnd(t, crash) })
	}
}

func lostEnd(t *testing.T, crash bool) {
	const n = 200
	dir := t.TempDir()
	addr, kill := start(t, dir)
	kill()
	kill = restart(t, addr, dir, "everysec")
	b := open(t, dial(t, addr))
	hub, err := sse.Open(t.Context(), b, sse.WithRetry(0))
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(hub.Handler(sse.Topics("a")))
	defer s.Close()
	defer hub.Close()
	begin, err := b.Last(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	live := follow(t, s.URL, begin)
	last := appendN(t, b, n)
	live.until("all events", func(seen []sse.Event) bool { return len(seen) == n })

	kill()
	if crash {
		halve(t, dir)
	}
	restart(t, addr, dir, "everysec")
	var now sse.ID
	patiently(t, "the server is back", func(ctx context.Context) (err error) {
		now, err = b.Last(ctx)
		return err
	})
	if now.Epoch != last.Epoch || now.Seq > last.Seq || crash && (now.Seq == 0 || now.Seq == last.Seq) {
		t.Fatalf("the log ends at %s, and ended at %s", now, last)
	}
	t.Logf("%d of %d events are lost", last.Seq-now.Seq, n)
	kept, err := b.Read(t.Context(), nil, []string{"a"}, begin, 2*n)
	if err != nil || len(kept) != int(now.Seq-begin.Seq) {
		t.Errorf("%d records up to %s, %v", len(kept), now, err)
	}
	lost := now != last
	if lost {
		live.until("a reset", func(seen []sse.Event) bool { return isReset(seen[len(seen)-1], sse.ResetTrimmed) })
	}
	away := follow(t, s.URL, last) // it has seen what the log has not any more
	if lost {
		away.until("a reset", func(seen []sse.Event) bool { return len(seen) == 1 && isReset(seen[0], sse.ResetFuture) })
	}
	patiently(t, "publish", func(ctx context.Context) error {
		_, err := hub.Publish(ctx, "a", sse.Message{Type: "new"})
		return err
	})
	for _, f := range []*following{live, away} {
		f.until("what is new", func(seen []sse.Event) bool { return len(seen) > 0 && seen[len(seen)-1].Type == "new" })
	}
}

func isReset(e sse.Event, why sse.ResetReason) bool {
	return e.Type == sse.ResetEvent && strings.Contains(string(e.Data), string(why))
}

// halve takes the second half of what was appended away: the machine went down before it was on the disk.
func halve(t *testing.T, dir string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "appendonlydir", "*.incr.aof"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no log in %s: %v", dir, err)
	}
	slices.Sort(files)
	name := files[len(files)-1]
	info, err := os.Stat(name)
	if err == nil {
		err = os.Truncate(name, info.Size()/2)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func patiently(t *testing.T, what string, f func(context.Context) error) {
	t.Helper()
	for end := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		ctx, stop := context.WithTimeout(t.Context(), 5*time.Second)
		err := f(ctx)
		stop()
		if err == nil {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("%s: %v", what, err)
		}
	}
}

// following is a client and what it has seen.
type following struct {
	t    *testing.T
	seen []sse.Event
	next chan sse.Event
}

func follow(t *testing.T, url string, after sse.ID) *following {
	f := &following{t: t, next: make(chan sse.Event)}
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		transport := &http.Transport{}
		defer transport.CloseIdleConnections()
		client := sse.Client{URL: url, LastEventID: after.String(), HTTP: &http.Client{Transport: transport}, Retry: time.Millisecond, MaxRetry: time.Millisecond}
		for e, err := range client.Events(ctx) {
			if err != nil {
				return
			}
			e.Data = slices.Clone(e.Data)
			select {
			case f.next <- e:
			case <-ctx.Done():
				return
			}
		}
	}()
	t.Cleanup(func() { stop(); <-done })
	return f
}

// until reads events until a condition of what was seen so far holds.
func (f *following) until(what string, enough func([]sse.Event) bool) {
	f.t.Helper()
	late := time.After(time.Minute)
	for len(f.seen) == 0 || !enough(f.seen) {
		select {
		case e := <-f.next:
			f.seen = append(f.seen, e)
		case <-late:
			f.t.Fatalf("still waiting for %s, behind %d events", what, len(f.seen))
		}
	}
}
