package ssetest

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/zmylab/zmy/internal/patience"
	"github.com/zmylab/zmy/sse"
)

// Killing says how to make the processes that [Killed] kills.
type Killing struct {
	// Command returns a command that runs [Serve] in a process of its own. All processes of the
	// test use one log.
	Command func(name string) *exec.Cmd
	// Disturb, if not nil, is called once in the life of each process, while the process publishes.
	// It may kill servers and start them again.
	Disturb func(process int)
	// Log opens the log after the last process has ended.
	Log func() sse.Broker
	// Processes is how many processes are killed.
	Processes int
	// Patience is that of [Config].
	Patience time.Duration
}

// Serve is the work of a process that is to be killed. It serves the events of b at a port of its
// own and publishes events. When its standard input ends, it stops publishing and only serves.
// Servers that were just killed may refuse everything for a while: Serve tries to open the log
// until it succeeds or standard input ends. It reports on its standard output:
//
//	at ADDRESS ID   clients can connect; ID is the log's end
//	try TEXT        it is about to publish
//	ack ID TEXT     it has published
//	done            it publishes no more
func Serve(b sse.Broker, name string) error {
	ctx := context.Background()
	var ended atomic.Bool
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		ended.Store(true)
	}()
	hub, last, err := openServed(ctx, b)
	for err != nil {
		if ended.Load() {
			return err
		}
		fmt.Fprintln(os.Stderr, err)
		time.Sleep(100 * time.Millisecond)
		hub, last, err = openServed(ctx, b)
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	go func() { _ = http.Serve(ln, hub.Handler(sse.Topics(topics[:2]...))) }()
	fmt.Println("at", ln.Addr(), last)
	for n := 0; !ended.Load(); n++ {
		text := fmt.Sprintf("%s/%d", name, n)
		fmt.Println("try", text)
		within, stop := context.WithTimeout(ctx, patience.For(2*time.Second))
		id, err := hub.Publish(within, topics[n%2], sse.Message{Data: []byte(text)})
		stop()
		if err == nil {
			fmt.Println("ack", id, text)
		} else {
			fmt.Fprintln(os.Stderr, err)
			time.Sleep(10 * time.Millisecond)
		}
	}
	fmt.Println("done")
	select {}
}

// openServed opens a hub and returns it with the log's end.
func openServed(ctx context.Context, b sse.Broker) (*sse.Hub, sse.ID, error) {
	last, err := b.Last(ctx)
	if err != nil {
		return nil, last, err
	}
	hub, err := sse.Open(ctx, b, sse.WithRecent(recent, 1<<20, 2), sse.WithSlowPolicy(sse.CatchUp), sse.WithRetry(0))
	return hub, last, err
}

// Killed lets clients follow one process after another. Each process is killed without warning
// while it publishes. Every event whose publishing succeeded must be in the log, and every event in
// the log must have reached every client once and in order.
func Killed(t *testing.T, k Killing) {
	w := &killing{suite: newSuite(t, Config{Patience: k.Patience}), Killing: k, tried: map[string]bool{}}
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	r := rand.New(rand.NewPCG(20261121, 3))
	all := make([]*follower, 3)
	var reading sync.WaitGroup
	for i := range k.Processes + 1 {
		p := w.start(fmt.Sprint("p", i))
		if i == 0 {
			for j := range all {
				all[j] = &follower{site: &site{suite: w.suite, url: "http://process"}, at: w.begin,
					connect: w.dial, away: func(*rand.Rand) {}}
				reading.Go(func() { all[j].follow(ctx, func(n int) { all[j].reached.Store(int64(n)) }) })
			}
		}
		enough := 10 + r.IntN(100)
		w.until("process "+p.name+" to publish", func() bool { return p.acks.Load() >= int64(enough) })
		if k.Disturb != nil {
			k.Disturb(i)
			enough = int(p.acks.Load()) + 20
			w.until("process "+p.name+" to publish again", func() bool { return p.acks.Load() >= int64(enough) })
		}
		if i == k.Processes {
			_ = p.stdin.Close()
			w.until("process "+p.name+" to have published all", p.done.Load)
			w.until("clients to see it", func() bool {
				return !slices.ContainsFunc(all, func(f *follower) bool { return int(f.reached.Load()) < w.count() })
			})
		}
		p.kill()
	}
	stop()
	reading.Wait()
	w.verify(all)
}

// killing collects what the processes report.
type killing struct {
	*suite
	Killing
	addr  atomic.Value // address of the process that is running
	begin string       // the log's end before the first event

	mu    sync.Mutex
	acked []sight
	tried map[string]bool // texts that a process was about to publish and that were not acknowledged
}

// process is a process that runs until it is killed.
type process struct {
	name  string
	cmd   *exec.Cmd
	stdin io.Closer
	acks  atomic.Int64
	done  atomic.Bool
	said  chan struct{} // closed when its standard output has ended
}

// start starts a process and returns when clients can connect to it.
func (w *killing) start(name string) *process {
	w.Helper()
	p := &process{name: name, cmd: w.Command(name), said: make(chan struct{})}
	in, err := p.cmd.StdinPipe()
	w.must(err)
	out, err := p.cmd.StdoutPipe()
	w.must(err)
	p.cmd.Stderr = os.Stderr
	w.must(p.cmd.Start())
	p.stdin = in
	w.Cleanup(p.kill)
	ready := make(chan string, 1)
	go w.listen(p, out, ready)
	select {
	case begin := <-ready:
		if w.begin == "" {
			w.begin = begin
		}
	case <-p.said:
		w.Fatalf("process %s has ended: %v", name, p.cmd.Wait())
	case <-time.After(3 * w.c.patience()):
		w.Fatalf("process %s cannot be connected to", name)
	}
	return p
}

func (w *killing) listen(p *process, out io.Reader, ready chan<- string) {
	defer close(p.said)
	for lines := bufio.NewScanner(out); lines.Scan(); {
		word, rest, _ := strings.Cut(lines.Text(), " ")
		first, second, _ := strings.Cut(rest, " ")
		switch word {
		case "at":
			w.addr.Store(first)
			ready <- second
		case "try":
			w.mu.Lock()
			w.tried[first] = true
			w.mu.Unlock()
		case "ack":
			w.mu.Lock()
			w.acked = append(w.acked, sight{first, "message", second})
			delete(w.tried, second)
			w.mu.Unlock()
			p.acks.Add(1)
		case "done":
			p.done.Store(true)
		}
	}
}

func (p *process) kill() {
	_ = p.cmd.Process.Kill() // it may have been killed before
	<-p.said
	_ = p.cmd.Wait()
}

func (w *killing) dial(ctx context.Context, network, _ string) (net.Conn, error) {
	var d net.Dialer
	return d.DialContext(ctx, network, w.addr.Load().(string))
}

// count returns how many events were acknowledged.
func (w *killing) count() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.acked)
}

func (w *killing) verify(all []*follower) {
	w.Helper()
	b := w.Log()
	defer b.Close()
	begin, _ := sse.ParseID(w.begin)
	var log []sight
	for _, r := range w.readAll(b, begin, 1<<20, topics[:2]...) {
		log = append(log, sight{r.ID.String(), "message", string(r.Data)})
	}
	for i, f := range all {
		if diff := compare(f.seen, log[:min(len(f.seen), len(log))]); diff != "" {
			w.Errorf("client %d, against the log: %s", i, diff)
		}
	}
	kept := w.accounted(log, w.acked, w.tried)
	w.Logf("%d processes killed, %d events acknowledged, 0 lost; %d of %d that were not are in the log",
		w.Processes, len(w.acked), kept, kept+len(w.tried))
}
