package natsx_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"go.uber.org/goleak"

	"github.com/zmylab/zmy/adapters/natsx"
	"github.com/zmylab/zmy/internal/patience"
	"github.com/zmylab/zmy/sse"
)

const (
	// nodeEnv has the test program be a server, of a cluster if that has a port: "name|port|cluster
	// port|folder|routes".
	nodeEnv = "NATSX_TEST_NODE"
	// serveEnv has it be a process that publishes and serves until it is killed:
	// "name|folder|servers".
	serveEnv = "NATSX_TEST_SERVE"
)

func TestMain(m *testing.M) {
	if spec := os.Getenv(nodeEnv); spec != "" {
		node(strings.Split(spec, "|"))
		return
	}
	if spec := os.Getenv(serveEnv); spec != "" {
		if err := serve(strings.Split(spec, "|")); err != nil {
			panic(err)
		}
	}
	code := m.Run()
	if code == 0 {
		code = leaks()
	}
	os.Exit(code)
}

// leaks is not 0 if goroutines are left, of ours or of the client or server.
func leaks() int {
	var err error
	if !patience.Wait(time.Minute, func() bool { err = goleak.Find(); return err == nil }) {
		println(err.Error())
		return 1
	}
	return 0
}

func node(spec []string) {
	port, err1 := strconv.Atoi(spec[1])
	cluster, err2 := strconv.Atoi(spec[2])
	if err := errors.Join(err1, err2); err != nil {
		panic(err)
	}
	o := &server.Options{ServerName: spec[0], Host: "127.0.0.1", Port: port, NoLog: true, JetStream: true, StoreDir: spec[3]}
	if cluster != 0 {
		o.Cluster = server.ClusterOpts{Name: "zmy", Host: "127.0.0.1", Port: cluster}
		o.Routes = server.RoutesFromStr(spec[4])
	}
	s, err := server.NewServer(o)
	if err != nil {
		panic(err)
	}
	s.Start()
	s.WaitForShutdown()
}

// cluster is servers in processes of their own: three that know each other, or one alone.
type cluster struct {
	names, urls, dirs []string
	start             func(i int)
	procs             [3]atomic.Pointer[os.Process]
	killed            [3]atomic.Bool
	ended             [3]chan struct{} // closed when the process is not started again
}

func (c *cluster) url() string { return strings.Join(c.urls, ",") }

func startServers(t testing.TB, n int) *cluster {
	ports := freePorts(t, 2*n)
	c := new(cluster)
	var routes []string
	for i := range n {
		c.names = append(c.names, fmt.Sprintf("n%d", i+1))
		c.urls = append(c.urls, fmt.Sprintf("nats://127.0.0.1:%d", ports[i]))
		c.dirs = append(c.dirs, t.TempDir())
		routes = append(routes, fmt.Sprintf("nats://127.0.0.1:%d", ports[n+i]))
	}
	c.start = func(i int) {
		c.killed[i].Store(false)
		ended := make(chan struct{})
		c.ended[i] = ended
		port := ports[n+i]
		if n == 1 {
			port = 0
		}
		run := func() error {
			cmd := exec.Command(os.Args[0])
			cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%s|%d|%d|%s|%s", nodeEnv, c.names[i], ports[i],
				port, c.dirs[i], strings.Join(routes, ",")))
			if err := cmd.Start(); err != nil {
				return err
			}
			c.procs[i].Store(cmd.Process)
			return cmd.Wait()
		}
		go func() {
			defer close(ended)
			for !c.killed[i].Load() { // it ends where another process has its port for a moment
				err := run()
				if !c.killed[i].Load() {
					t.Logf("%s: %v; once more", c.names[i], err)
					time.Sleep(200 * time.Millisecond)
				}
			}
		}()
	}
	for i := range n {
		c.start(i)
	}
	t.Cleanup(func() {
		for i := range c.names {
			c.kill(i)
		}
	})
	return c
}

// kill ends a server at once (SIGKILL), as often as it is called.
func (c *cluster) kill(i int) {
	c.killed[i].Store(true)
	for {
		if p := c.procs[i].Load(); p != nil {
			_ = p.Kill() // it may have ended
		}
		select {
		case <-c.ended[i]:
			return
		case <-time.After(50 * time.Millisecond): // or be about to start
		}
	}
}

// freePorts returns ports that were free a moment ago.
func freePorts(t testing.TB, n int) (ports []int) {
	for range n {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		ports = append(ports, l.Addr().(*net.TCPAddr).Port)
	}
	return ports
}

// patiently calls f until it succeeds: a cluster without a leader refuses everything for a while.
func patiently[T any](t testing.TB, what string, f func(context.Context) (T, error)) T {
	t.Helper()
	v, err := insist(t.Context(), f)
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	return v
}

// insist is patiently without a test.
func insist[T any](ctx context.Context, f func(context.Context) (T, error)) (v T, err error) {
	patience.Wait(2*time.Minute, func() bool {
		one, end := context.WithTimeout(ctx, patience.For(5*time.Second))
		defer end()
		if v, err = f(one); err != nil {
			time.Sleep(100 * time.Millisecond)
		}
		return err == nil
	})
	return v, err
}

// TestCluster: of three servers the leader of the stream is killed, while events are added and
// followed. What was acknowledged is there, once, in order, in the tail and in the history, before
// and after the server is back.
func TestCluster(t *testing.T) {
	if testing.Short() {
		t.Skip("starts three servers")
	}
	t.Parallel() // it waits for elections, most of the time
	c := startServers(t, 3)
	all := c.url()
	b := patiently(t, "open", func(ctx context.Context) (*natsx.Broker, error) {
		return natsx.Open(ctx, all, natsx.WithReplicas(3), natsx.WithNATS(nats.ReconnectWait(50*time.Millisecond)))
	})
	defer b.Close()
	tail := patiently(t, "tail", func(ctx context.Context) (sse.Tail, error) { return b.Tail(ctx, sse.ID{}) })
	defer tail.Close()
	from := tail.After()

	var acked []sse.ID // what Append has returned
	var got []sse.Record
	add := func(n int) {
		t.Helper()
		for range n {
			acked = append(acked, patiently(t, "append", func(ctx context.Context) (sse.ID, error) {
				return b.Append(ctx, "a", sse.Message{Data: []byte("x")})
			}))
		}
		last := acked[len(acked)-1]
		for len(got) == 0 || got[len(got)-1].ID.Seq < last.Seq {
			got = patiently(t, "next", func(ctx context.Context) ([]sse.Record, error) { return tail.Next(ctx, got) })
		}
		history := patiently(t, "read", func(ctx context.Context) ([]sse.Record, error) {
			return b.Read(ctx, nil, []string{"a"}, from, 1<<20)
		})
		for what, records := range map[string][]sse.Record{"the tail": got, "the history": history} {
			check(t, what, records, acked)
		}
	}
	add(50)
	for range 2 {
		i := c.leader(t, all)
		c.kill(i)
		add(50)
		c.start(i)
		add(50)
	}
}

// check: every ID is among the records, which are in order. Records that were not acknowledged,
// since the answer was lost with the server, may be among them.
func check(t *testing.T, what string, records []sse.Record, acked []sse.ID) {
	t.Helper()
	for i := 1; i < len(records); i++ {
		if records[i].ID.Seq != records[i-1].ID.Seq+1 {
			t.Fatalf("%s has %s behind %s", what, records[i].ID, records[i-1].ID)
		}
	}
	for _, id := range acked {
		if !slices.ContainsFunc(records, func(r sse.Record) bool { return r.ID == id }) {
			t.Fatalf("%s has %d records, and %s not among them", what, len(records), id)
		}
	}
}

// leader is the server that leads the stream.
func (c *cluster) leader(t *testing.T, urls string) int {
	t.Helper()
	name := patiently(t, "who leads", func(ctx context.Context) (string, error) {
		conn, err := nats.Connect(urls)
		if err != nil {
			return "", err
		}
		defer conn.Close()
		js, err := jetstream.New(conn)
		if err != nil {
			return "", err
		}
		s, err := js.Stream(ctx, "ZMY_SSE")
		if err != nil {
			return "", err
		}
		if info := s.CachedInfo(); info.Cluster != nil && info.Cluster.Leader != "" {
			return info.Cluster.Leader, nil
		}
		return "", errors.New("nobody")
	})
	i := slices.Index(c.names, name)
	if i < 0 {
		t.Fatalf("%q leads", name)
	}
	return i
}
