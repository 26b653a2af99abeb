package natsx_test

import (
	"context"
	"flag"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/zmylab/zmy/adapters/natsx"
	"github.com/zmylab/zmy/adapters/natsx/embedded"
	"github.com/zmylab/zmy/internal/patience"
	"github.com/zmylab/zmy/sse"
	"github.com/zmylab/zmy/sse/ssetest"
)

func open(t *testing.T, url string, opts ...natsx.Option) *natsx.Broker {
	t.Helper()
	return opened[*natsx.Broker](t)(natsx.Open(t.Context(), url, opts...))
}

// opened returns a function that fails if a broker could not be opened, and closes it at the test's end.
func opened[B sse.Broker](t *testing.T) func(b B, err error) B {
	return func(b B, err error) B {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { b.Close() })
		return b
	}
}

// openEmbedded opens a broker with a server within the process, in memory if dir is empty.
func openEmbedded(t *testing.T, dir string, opts ...natsx.Option) sse.Broker {
	t.Helper()
	return opened[*embedded.Broker](t)(embedded.Open(t.Context(), dir, opts...))
}

// within is a server within the process, in memory or on disk.
func within(disk bool) ssetest.Config {
	if !disk {
		return ssetest.Config{Open: func(t *testing.T, history int) sse.Broker {
			return openEmbedded(t, "", natsx.WithHistory(int64(history), 0, 0))
		}}
	}
	dirs := map[sse.Broker]string{}
	next := func(t *testing.T, dir string, opts ...natsx.Option) sse.Broker {
		b := openEmbedded(t, dir, opts...)
		dirs[b] = dir
		return b
	}
	return ssetest.Config{
		Open: func(t *testing.T, history int) sse.Broker {
			return next(t, t.TempDir(), natsx.WithHistory(int64(history), 0, 0))
		},
		Restart: func(t *testing.T, b sse.Broker) sse.Broker {
			if err := b.Close(); err != nil {
				t.Error(err)
			}
			return next(t, dirs[b])
		},
	}
}

// kinds of embedded servers.
var kinds = map[string]bool{"memory": false, "disk": true}

func TestEmbedded(t *testing.T) {
	for name, disk := range kinds {
		t.Run(name, func(t *testing.T) { ssetest.Run(t, within(disk)) })
	}
}

// resumes are 1,000 for the record, see make sse-resumes; each reads the history by a consumer of
// its own.
var resumes = flag.Int("resumes", 200, "how often connections are cut, for each kind of server")

func TestEmbeddedResumes(t *testing.T) {
	for name, disk := range kinds {
		t.Run(name, func(t *testing.T) { ssetest.Resumes(t, within(disk), *resumes) })
	}
}

// start runs a server of its own on a port of the loopback, with JetStream if it has a folder for
// that.
func start(t *testing.T, dir string) (url string) {
	t.Helper()
	s, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: server.RANDOM_PORT, NoSigs: true,
		NoLog: true, JetStream: dir != "", StoreDir: dir})
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	t.Cleanup(func() {
		s.Shutdown()
		s.WaitForShutdown()
	})
	if !s.ReadyForConnections(20 * time.Second) {
		t.Fatal("the server is not ready")
	}
	return s.ClientURL()
}

// shared is a server of another process, that several brokers share and whose stream can be lost.
func shared(url string) ssetest.Config {
	streams := map[sse.Broker]string{}
	n := 0
	return ssetest.Config{
		Open: func(t *testing.T, history int) sse.Broker {
			n++
			name := "T" + strings.Repeat("x", n)
			b := open(t, url, natsx.WithStream(name), natsx.WithHistory(int64(history), 0, 0))
			streams[b] = name
			return b
		},
		Another: func(t *testing.T, b sse.Broker) sse.Broker {
			two := open(t, url, natsx.WithStream(streams[b]))
			streams[two] = streams[b]
			return two
		},
		Replace: func(t *testing.T, b sse.Broker) {
			conn, err := nats.Connect(url)
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			js, err := jetstream.New(conn)
			if err != nil {
				t.Fatal(err)
			}
			if err := js.DeleteStream(t.Context(), streams[b]); err != nil {
				t.Fatal(err)
			}
		},
	}
}

func TestServer(t *testing.T) { ssetest.Run(t, shared(start(t, t.TempDir()))) }

func TestServerResumes(t *testing.T) { ssetest.Resumes(t, shared(start(t, t.TempDir())), *resumes) }

// TestFaults: a bad network between the hub and its server, and between the hub and its clients.
func TestFaults(t *testing.T) {
	t.Parallel() // it waits, most of the time
	url := start(t, t.TempDir())
	n := 0
	ssetest.Faults(t, ssetest.Network{Addr: strings.TrimPrefix(url, "nats://"), Open: func(t *testing.T, addr string) sse.Broker {
		n++
		return open(t, "nats://"+addr, natsx.WithStream("T"+strings.Repeat("x", n)),
			natsx.WithNATS(nats.ReconnectWait(50*time.Millisecond)))
	}})
}

// TestKeeps: what is on disk is there for the next process, under the same epoch; what is in memory
// is not.
func TestKeeps(t *testing.T) {
	for _, disk := range []bool{true, false} {
		dir := ""
		if disk {
			dir = t.TempDir()
		}
		b := openEmbedded(t, dir)
		id, err := b.Append(t.Context(), "a", sse.Message{Type: "t", Key: "k\n", Data: []byte{0, 255}, Binary: true})
		if err != nil {
			t.Fatal(err)
		}
		b.Close()
		b = openEmbedded(t, dir)
		last, err := b.Last(t.Context())
		if err != nil || (last == id) != disk || !disk && last.Epoch == id.Epoch {
			t.Fatalf("on disk %t: last is %s, was %s, %v", disk, last, id, err)
		}
		if !disk {
			continue
		}
		got, err := b.Read(t.Context(), nil, []string{"a"}, sse.ID{Epoch: id.Epoch}, 10)
		if err != nil || len(got) != 1 || got[0].Type != "t" || got[0].Key != "k\n" || !got[0].Binary ||
			string(got[0].Data) != "\x00\xff" || time.Since(got[0].Time) > time.Minute {
			t.Errorf("%+v, %v", got, err)
		}
	}
}

// TestForeign: a stream that something else has made is refused, and a plain message of another
// program is an event.
func TestForeign(t *testing.T) {
	url := start(t, t.TempDir())
	conn, err := nats.Connect(url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	js, err := jetstream.New(conn)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := js.CreateStream(t.Context(), jetstream.StreamConfig{Name: "OTHER", Subjects: []string{"other.>"}}); err != nil {
		t.Fatal(err)
	}
	if _, err := natsx.Open(t.Context(), url, natsx.WithStream("OTHER")); err == nil || !strings.Contains(err.Error(), "WithStream") {
		t.Errorf("a stream of another program: %v", err)
	}
	b := open(t, url)
	tail, err := b.Tail(t.Context(), sse.ID{})
	if err != nil {
		t.Fatal(err)
	}
	defer tail.Close()
	s, err := js.Stream(t.Context(), "ZMY_SSE")
	if err != nil {
		t.Fatal(err)
	}
	prefix := strings.TrimSuffix(s.CachedInfo().Config.Subjects[0], ">")
	for _, c := range []struct{ subject, header, topic, kind string }{
		{"orders", "", "orders", ""},
		{"orders", "100%", "orders", "100%"}, // not escaped as natsx does it
		{"=ZZ", "a+b", "=ZZ", "a b"},
		{"a=2Eb", "", "a.b", ""},
	} {
		m := nats.NewMsg(prefix + c.subject)
		m.Data = []byte("plain")
		if c.header != "" {
			m.Header.Set("Zmy-Type", c.header)
		}
		if err := conn.PublishMsg(m); err != nil {
			t.Fatal(err)
		}
		got, err := tail.Next(t.Context(), nil)
		if err != nil || got[0].Topic != c.topic || string(got[0].Data) != "plain" || got[0].Type != c.kind {
			t.Errorf("%+v: %+v, %v", c, got, err)
		}
	}
}

// TestOpenFails with what to do.
func TestOpenFails(t *testing.T) {
	file := t.TempDir() + "/file"
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithTimeout(t.Context(), patience.For(20*time.Second))
	defer stop()
	client := func(url string) func() (sse.Broker, error) {
		return func() (sse.Broker, error) { return natsx.Open(ctx, url) }
	}
	server := func(dir string, opts ...natsx.Option) func() (sse.Broker, error) {
		return func() (sse.Broker, error) { return embedded.Open(ctx, dir, opts...) }
	}
	for want, open := range map[string]func() (sse.Broker, error){
		"open nats://127.0.0.1:1": client("nats://127.0.0.1:1"),
		"nats-server -js starts":  client("embedded"),
		"natsx/embedded":          client(""),
		file:                      server(file),
		"replicas":                server("", natsx.WithReplicas(3)),
		"-js":                     client(start(t, "")),
	} {
		if b, err := open(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
			if err == nil {
				b.Close()
			}
		}
	}
}
