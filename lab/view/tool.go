package view

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// viewer returns the go tool that opens a file: pprof, trace, or "" for other files.
func viewer(name string) string {
	switch {
	case strings.HasSuffix(name, ".pb.gz"), strings.HasSuffix(name, ".pprof"), strings.HasSuffix(name, ".prof"):
		return "pprof"
	case strings.HasSuffix(name, ".trace"):
		return "trace"
	}
	return ""
}

// tools are the running viewers, one for each file that a browser asked for.
type tools struct {
	ctx  context.Context
	stop context.CancelFunc
	dir  string
	mu   sync.Mutex
	runs map[string]*tool
	all  sync.WaitGroup
}

// tool is one running viewer.
type tool struct {
	url  string
	gone chan struct{} // closed when the viewer has ended
	out  *said
}

func newTools(ctx context.Context, dir string) *tools {
	ctx, stop := context.WithCancel(ctx)
	return &tools{ctx: ctx, stop: stop, dir: dir, runs: map[string]*tool{}}
}

// close ends all viewers and waits for them.
func (t *tools) close() {
	t.stop()
	t.all.Wait()
}

// answerTime is how long a viewer may take to answer; it parses the file first, which may be large.
const answerTime = 60 * time.Second

// open returns the address of a viewer of the file. It starts one unless one is running.
func (t *tools) open(ctx context.Context, name string) (string, error) {
	t.mu.Lock()
	x := t.runs[name]
	if x != nil {
		select {
		case <-x.gone: // it has ended
			x = nil
		default:
		}
	}
	if x == nil {
		var err error
		if x, err = t.start(name); err != nil {
			t.mu.Unlock()
			return "", err
		}
		t.runs[name] = x
	}
	t.mu.Unlock()
	return x.url, x.wait(ctx, name)
}

// start runs the viewer on a free port of the loopback. The viewer needs only the go command. pprof
// opens with the flame graph, since its graph view would need Graphviz.
func (t *tools) start(name string) (*tool, error) {
	port, err := freePort()
	if err != nil {
		return nil, err
	}
	at := net.JoinHostPort("127.0.0.1", fmt.Sprint(port))
	x := &tool{url: "http://" + at + "/", gone: make(chan struct{}), out: &said{}}
	args := []string{"tool", viewer(name), "-http=" + at}
	if viewer(name) == "pprof" {
		args, x.url = append(args, "-no_browser"), x.url+"ui/flamegraph"
	}
	cmd := exec.CommandContext(t.ctx, "go", append(args, filepath.Join(t.dir, filepath.FromSlash(name)))...)
	cmd.Stdout, cmd.Stderr = x.out, x.out
	if viewer(name) == "trace" { // go tool trace opens a browser itself; this prevents it
		cmd.Env = append(cmd.Environ(), "BROWSER=true", "DISPLAY=", "WAYLAND_DISPLAY=")
	}
	own(cmd)
	cmd.WaitDelay = 2 * time.Second
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("go tool %s could not be started: %w", viewer(name), err)
	}
	t.all.Go(func() {
		_ = cmd.Wait() // its output says why it ended
		close(x.gone)
	})
	return x, nil
}

// wait returns when the viewer has printed its address and accepts connections. Without the first
// condition, another process that has taken the port might answer.
func (x *tool) wait(ctx context.Context, name string) error {
	at := strings.Split(strings.TrimPrefix(x.url, "http://"), "/")[0]
	deadline := time.After(answerTime)
	for {
		if strings.Contains(x.out.String(), at) {
			if c, err := net.DialTimeout("tcp", at, time.Second); err == nil {
				return c.Close()
			}
		}
		select {
		case <-x.gone:
			return fmt.Errorf("go tool %s ended on %s:\n%s", viewer(name), name, x.out)
		case <-deadline:
			return fmt.Errorf("go tool %s does not answer on %s after %v:\n%s", viewer(name), name, answerTime, x.out)
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// freePort returns a port that was free a moment ago.
func freePort() (int, error) {
	l, err := Listen(0)
	if err != nil {
		return 0, err
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}

// said keeps the first 4000 bytes that a tool prints, which contain its error message.
type said struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (t *said) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.b.Write(p[:min(len(p), max(0, 4000-t.b.Len()))])
	return len(p), nil
}

func (t *said) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.TrimSpace(t.b.String())
}
