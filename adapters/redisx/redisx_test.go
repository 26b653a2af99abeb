package redisx_test

import (
	"bufio"
	"context"
	"flag"
	"io"
	"net"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"go.uber.org/goleak"

	"github.com/zmylab/zmy/adapters/redisx"
	"github.com/zmylab/zmy/internal/patience"
	"github.com/zmylab/zmy/sse"
	"github.com/zmylab/zmy/sse/ssetest"
)

func TestMain(m *testing.M) {
	if spec := os.Getenv(serveEnv); spec != "" {
		if err := serve(strings.Split(spec, "|")); err != nil {
			panic(err)
		}
	}
	code := m.Run()
	if code == 0 {
		var err error
		if !patience.Wait(time.Minute, func() bool { err = goleak.Find(); return err == nil }) {
			println(err.Error())
			code = 1
		}
	}
	os.Exit(code)
}

// start runs a redis-server on a port of the loopback, with a folder to persist to, synced at each
// entry, if dir is not empty.
func start(t *testing.T, dir string) (addr string, kill func()) {
	t.Helper()
	for range 10 { // another process may take the port in between
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		addr = l.Addr().String()
		l.Close()
		if kill = run(t, addr, dir, "always"); kill != nil {
			return addr, kill
		}
	}
	t.Fatal("redis-server has not started")
	return "", nil
}

// run runs a redis-server at an address; kill is nil where that cannot be had.
func run(t *testing.T, addr, dir, fsync string) (kill func()) {
	t.Helper()
	program, err := exec.LookPath("redis-server")
	if err != nil {
		t.Skip("redis-server is not installed (Debian: apt-get install redis-server)")
	}
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		t.Fatal(err)
	}
	args := []string{"--bind", host, "--port", port, "--save", "", "--appendonly", "no"}
	if dir != "" {
		args = append(args, "--dir", dir, "--appendonly", "yes", "--appendfsync", fsync)
	}
	cmd := exec.Command(program, args...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	end := sync.OnceFunc(func() {
		_ = cmd.Process.Kill() // it may have ended
		_ = cmd.Wait()
	})
	t.Cleanup(end)
	said := bufio.NewScanner(out)
	var all []string
	for said.Scan() {
		if strings.Contains(said.Text(), "Ready to accept connections") {
			go func() { // what it says later must go somewhere
				for said.Scan() {
				}
			}()
			return end
		}
		all = append(all, said.Text())
	}
	t.Log(strings.Join(all, "\n"))
	return nil
}

func dial(t *testing.T, addr string) *redis.Client {
	c := redis.NewClient(&redis.Options{Addr: addr, ContextTimeoutEnabled: true})
	t.Cleanup(func() { c.Close() })
	return c
}

func open(t *testing.T, c *redis.Client, opts ...redisx.Option) *redisx.Broker {
	t.Helper()
	b, err := redisx.Open(t.Context(), c, opts...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	return b
}

// shared is a server that several brokers share.
func shared(t *testing.T) ssetest.Config {
	addr, _ := start(t, "")
	c := dial(t, addr)
	prefixes := map[sse.Broker]string{}
	n := 0
	return ssetest.Config{
		Open: func(t *testing.T, history int) sse.Broker {
			n++
			prefix := "t" + strconv.Itoa(n)
			b := open(t, c, redisx.WithPrefix(prefix), redisx.WithHistory(int64(history)))
			prefixes[b] = prefix
			return b
		},
		Another: func(t *testing.T, b sse.Broker) sse.Broker {
			two := open(t, dial(t, addr), redisx.WithPrefix(prefixes[b]))
			prefixes[two] = prefixes[b]
			return two
		},
		Replace: func(t *testing.T, b sse.Broker) {
			if err := c.Del(t.Context(), "{"+prefixes[b]+"}:log", "{"+prefixes[b]+"}:seq").Err(); err != nil {
				t.Fatal(err)
			}
		},
	}
}

// TestBroker keeps what sse.Broker promises.
func TestBroker(t *testing.T) { ssetest.Run(t, shared(t)) }

// resumes are 1,000 for the record, see make sse-resumes.
var resumes = flag.Int("resumes", 200, "how often connections are cut")

func TestResumes(t *testing.T) { ssetest.Resumes(t, shared(t), *resumes) }

// TestFaults: a bad network between the hub and Redis, and between the hub and its clients.
func TestFaults(t *testing.T) {
	addr, _ := start(t, "")
	n := 0
	ssetest.Faults(t, ssetest.Network{Addr: addr, Open: func(t *testing.T, addr string) sse.Broker {
		n++
		return open(t, dial(t, addr), redisx.WithPrefix("t"+strconv.Itoa(n)))
	}})
}

// TestOnce: a message whose answer is lost is an error, and not in the log twice.
func TestOnce(t *testing.T) {
	addr, _ := start(t, "")
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	var cut atomic.Bool // the next answer
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			up, err := net.Dial("tcp", addr)
			if err != nil {
				c.Close()
				return
			}
			go func() { _, _ = io.Copy(up, c); up.Close() }()
			go func() {
				defer c.Close()
				buf := make([]byte, 64<<10)
				for {
					n, err := up.Read(buf)
					if err != nil || cut.CompareAndSwap(true, false) {
						return
					}
					if _, err := c.Write(buf[:n]); err != nil {
						return
					}
				}
			}()
		}
	}()
	b := open(t, dial(t, l.Addr().String()))
	first, err := b.Append(t.Context(), "a", sse.Message{}) // the script is known from here on
	if err != nil {
		t.Fatal(err)
	}
	cut.Store(true)
	if _, err := b.Append(t.Context(), "a", sse.Message{Data: []byte("pay")}); err == nil {
		t.Error("an answer that was lost is no error")
	}
	got, err := open(t, dial(t, addr)).Read(t.Context(), nil, []string{"a"}, first, 10)
	if err != nil || len(got) > 1 {
		t.Errorf("%d records, %v", len(got), err)
	}
}

// TestPartlyLost: a counter whose log was deleted or evicted begins another epoch, not a log with a
// hole.
func TestPartlyLost(t *testing.T) {
	addr, _ := start(t, "")
	c := dial(t, addr)
	b := open(t, c)
	before, err := b.Append(t.Context(), "a", sse.Message{})
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Del(t.Context(), "{zmy-sse}:log").Err(); err != nil {
		t.Fatal(err)
	}
	last, err := b.Last(t.Context())
	if err != nil || last.Epoch == before.Epoch || last.Seq != 0 {
		t.Errorf("last is %s, was %s, %v", last, before, err)
	}
}

// TestOpenFails with what is wrong.
func TestOpenFails(t *testing.T) {
	nobody := redis.NewClient(&redis.Options{Addr: "127.0.0.1:1", MaxRetries: -1})
	defer nobody.Close()
	ctx, stop := context.WithTimeout(t.Context(), patience.For(20*time.Second))
	defer stop()
	for _, c := range []struct {
		opts []redisx.Option
		want string
	}{
		{nil, "redisx: open"},
		{[]redisx.Option{redisx.WithPrefix("a{b}")}, "braces"},
		{[]redisx.Option{redisx.WithHistory(0)}, "at least one record"},
	} {
		if _, err := redisx.Open(ctx, nobody, c.opts...); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
}
