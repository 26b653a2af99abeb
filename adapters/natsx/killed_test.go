package natsx_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/zmylab/zmy/adapters/natsx"
	"github.com/zmylab/zmy/adapters/natsx/embedded"
	"github.com/zmylab/zmy/sse"
	"github.com/zmylab/zmy/sse/ssetest"
)

// serve is what processes do that are to be killed.
func serve(spec []string) error {
	name, dir, urls := spec[0], spec[1], spec[2]
	var opts []natsx.Option
	if strings.Contains(urls, ",") {
		opts = append(opts, natsx.WithReplicas(3), natsx.WithNATS(nats.ReconnectWait(50*time.Millisecond)))
	}
	b, err := insist(context.Background(), func(ctx context.Context) (sse.Broker, error) {
		if urls == "" {
			return embedded.Open(ctx, dir)
		}
		return natsx.Open(ctx, urls, opts...)
	})
	if err != nil {
		return err
	}
	return ssetest.Serve(b, name)
}

func serving(dir, urls string) func(name string) *exec.Cmd {
	return func(name string) *exec.Cmd {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%s|%s|%s", serveEnv, name, dir, urls))
		return cmd
	}
}

// TestKilled: the process that publishes, serves and has the stream on its disk is killed again and
// again.
func TestKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	t.Parallel()
	dir := t.TempDir()
	ssetest.Killed(t, ssetest.Killing{
		Command: serving(dir, ""), Processes: 5,
		Log: func() sse.Broker { return openEmbedded(t, dir) },
	})
}

// TestKilledInCluster: the process that publishes and serves, and the server that leads the stream,
// are killed by turns.
func TestKilledInCluster(t *testing.T) {
	if testing.Short() {
		t.Skip("starts three servers")
	}
	t.Parallel()
	c := startServers(t, 3)
	all := c.url()
	first := patiently(t, "open", func(ctx context.Context) (*natsx.Broker, error) {
		return natsx.Open(ctx, all, natsx.WithReplicas(3))
	})
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	dead := -1
	ssetest.Killed(t, ssetest.Killing{
		Command: serving("", all), Processes: 2,
		Disturb: func(int) {
			if dead >= 0 {
				c.start(dead)
			}
			dead = c.leader(t, all)
			c.kill(dead)
		},
		Log: func() sse.Broker {
			return patiently(t, "open", func(ctx context.Context) (sse.Broker, error) { return natsx.Open(ctx, all) })
		},
	})
}

// TestLostEnd: a server that syncs every two minutes, as it does by default, comes back after a
// loss of power without what it had not synced.
func TestLostEnd(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	t.Parallel()
	c, backup := startServers(t, 1), filepath.Join(t.TempDir(), "backup")
	b := patiently(t, "open", func(ctx context.Context) (sse.Broker, error) {
		return natsx.Open(ctx, c.url(), natsx.WithNATS(nats.ReconnectWait(50*time.Millisecond)))
	})
	defer b.Close()
	ssetest.LostEnd(t, ssetest.Crash{
		Broker: b,
		Keep:   func() { restore(t, backup, c.dirs[0]) },
		Lose: func() {
			c.kill(0)
			restore(t, c.dirs[0], backup)
			c.start(0)
		},
	})
}

// TestGrownOver: the same where the log has grown again before the hub comes back.
func TestGrownOver(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	t.Parallel()
	c, backup := startServers(t, 1), filepath.Join(t.TempDir(), "backup")
	reach := func(t *testing.T, addr string) sse.Broker {
		b := patiently(t, "open", func(ctx context.Context) (sse.Broker, error) {
			return natsx.Open(ctx, "nats://"+addr, natsx.WithNATS(nats.ReconnectWait(50*time.Millisecond)))
		})
		t.Cleanup(func() { b.Close() })
		return b
	}
	ssetest.GrownOver(t, strings.TrimPrefix(c.url(), "nats://"), reach,
		func() { restore(t, backup, c.dirs[0]) },
		func() {
			c.kill(0)
			restore(t, c.dirs[0], backup)
			c.start(0)
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
