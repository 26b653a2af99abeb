package natsx_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/zmylab/zmy/adapters/natsx"
	"github.com/zmylab/zmy/sse"
	"github.com/zmylab/zmy/sse/ssetest"
)

// serve is what processes do that are to be killed.
func serve(spec []string) error {
	name, dir, urls := spec[0], spec[1], spec[2]
	var opts []natsx.Option
	if urls == "" {
		opts = append(opts, natsx.WithDir(dir))
	} else {
		opts = append(opts, natsx.WithReplicas(3), natsx.WithNATS(nats.ReconnectWait(50*time.Millisecond)))
	}
	b, err := natsx.Open(context.Background(), urls, opts...)
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

// TestKilled: the process that publishes, serves and has the stream on its disk is killed again and again.
func TestKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	t.Parallel()
	dir := t.TempDir()
	ssetest.Killed(t, ssetest.Killing{
		Command: serving(dir, ""), Processes: 5,
		Log: func() sse.Broker { return open(t, "", natsx.WithDir(dir)) },
	})
}

// TestKilledInCluster: the process that publishes and serves, and the server that leads the stream, are killed by turns.
func TestKilledInCluster(t *testing.T) {
	if testing.Short() {
		t.Skip("starts three servers")
	}
	t.Parallel()
	c := startCluster(t)
	all := strings.Join(c.urls, ",")
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
