package redisx_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/zmylab/zmy/adapters/redisx"
	"github.com/zmylab/zmy/internal/patience"
	"github.com/zmylab/zmy/sse"
	"github.com/zmylab/zmy/sse/ssetest"
)

// serveEnv has the test program be a process that publishes and serves until it is killed:
// "name|address".
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
	patience.Until(t, time.Minute, "redis-server to start again at "+addr, func() bool {
		kill = run(t, addr, dir, fsync)
		return kill != nil
	})
	return kill
}

// TestKilled: the process that publishes and serves, and a redis-server that syncs each entry, are
// killed by turns.
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

// TestLostEnd: with appendfsync everysec a killed server comes back with all of its log, since the
// system has what was written, and clients notice nothing. A machine that goes down comes back with
// less, and they are told.
func TestLostEnd(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	for _, crash := range []bool{false, true} {
		t.Run(map[bool]string{false: "of the server", true: "of the machine"}[crash], func(t *testing.T) {
			dir, backup := t.TempDir(), filepath.Join(t.TempDir(), "backup")
			addr, kill := start(t, dir)
			kill()
			kill = restart(t, addr, dir, "everysec")
			c := ssetest.Crash{Broker: open(t, dial(t, addr))}
			if crash {
				c.Keep = func() { restore(t, backup, dir) }
			}
			c.Lose = func() {
				kill()
				if crash {
					restore(t, dir, backup)
				}
				restart(t, addr, dir, "everysec")
			}
			ssetest.LostEnd(t, c)
		})
	}
}

// TestGrownOver: the same where the log has grown again before the hub comes back.
func TestGrownOver(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	dir, backup := t.TempDir(), filepath.Join(t.TempDir(), "backup")
	addr, kill := start(t, dir)
	ssetest.GrownOver(t, addr, func(t *testing.T, addr string) sse.Broker { return open(t, dial(t, addr)) },
		func() { restore(t, backup, dir) },
		func() {
			kill()
			restore(t, dir, backup)
			restart(t, addr, dir, "always")
		})
}

// restore makes a folder what another one is.
func restore(t *testing.T, dir, from string) {
	t.Helper()
	err := os.RemoveAll(dir)
	if err == nil {
		err = os.CopyFS(dir, os.DirFS(from))
	}
	if err != nil {
		t.Fatal(err)
	}
}
