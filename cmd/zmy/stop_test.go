package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/zmylab/zmy/internal/patience"
)

// stuck is a reader of some bytes and a writer, which then blocks and says so.
type stuck struct {
	first *bytes.Reader
	begun chan struct{}
	once  sync.Once
	free  chan struct{}
}

func (s *stuck) Read(b []byte) (int, error) {
	if n, err := s.first.Read(b); err == nil {
		return n, nil
	}
	return s.block()
}

func (s *stuck) Write([]byte) (int, error) { return s.block() }

func (s *stuck) block() (int, error) {
	s.once.Do(func() { close(s.begun) })
	<-s.free
	return 0, io.ErrClosedPipe
}

// TestStop: convert and inspect end when they are told to, whatever they wait for, with exit
// code 130 and no file.
func TestStop(t *testing.T) {
	s := makeSamples(t)
	orders := s.read(t, "orders.ndjson")
	defer func() { stdin = os.Stdin }()
	for _, c := range []struct {
		name  string
		in    []byte // of the standard input before it blocks
		write bool   // the output blocks, not the input
		args  []string
	}{
		{"inspect waits for input", nil, false, []string{"inspect", "-"}},
		{"inspect waits for more input", s.read(t, "order.zmy")[:20], false, []string{"inspect", "-"}},
		{"inspect has no reader", nil, true, []string{"inspect", s.path("order.zmy"), "-type", orderType, "-all"}},
		{"convert waits for the first bytes", nil, false, []string{"convert", "-to", "json", "-type", orderType}},
		{"convert waits for input", orders, false, []string{"convert", "-from", "ndjson", "-to", "stream", "-type", orderType, "-o",
			s.path("out.stream")}},
		{"convert has no reader", nil, true, []string{"convert", s.path("orders.ndjson"), "-to", "stream", "-type", orderType}},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := &stuck{first: bytes.NewReader(c.in), begun: make(chan struct{}), free: make(chan struct{})}
			defer close(x.free)
			var out io.Writer = io.Discard
			if stdin = x; c.write {
				out = x
			}
			ctx, stop := context.WithCancel(t.Context())
			defer stop()
			var errs bytes.Buffer
			ended := make(chan int, 1)
			go func() { ended <- dispatch(ctx, &console{out, &errs}, c.args) }()
			limit := time.After(patience.For(time.Minute))
			select {
			case <-x.begun:
			case code := <-ended:
				t.Fatalf("exit %d before it was told to: %s", code, &errs)
			case <-limit:
				t.Fatal("it does not begin")
			}
			stop()
			select {
			case code := <-ended:
				if code != exitStopped || !strings.Contains(errs.String(), "stopped") {
					t.Errorf("exit %d, want %d: %s", code, exitStopped, &errs)
				}
			case <-limit:
				t.Error("it does not end")
			}
			if files, _ := filepath.Glob(s.path("*out*")); len(files) > 0 {
				t.Errorf("left behind: %v", files)
			}
		})
	}
}

// TestStopCommitted: a signal behind the end does not undo what was written.
func TestStopCommitted(t *testing.T) {
	name := filepath.Join(t.TempDir(), "out")
	out := &output{name: name}
	if err := out.open(nil); err != nil {
		t.Fatal(err)
	}
	if _, err := out.WriteString("all"); err != nil {
		t.Fatal(err)
	}
	if err := out.commit(); err != nil || !out.abandon() {
		t.Fatal("not written", err)
	}
	if b, err := os.ReadFile(name); string(b) != "all" {
		t.Errorf("%q, %v", b, err)
	}
	if err := out.commit(); err == nil {
		t.Error("written again")
	}
	if err := out.open(nil); !errors.Is(err, context.Canceled) {
		t.Errorf("opened again: %v", err)
	}
}

// TestTerminated: SIGTERM ends the command that waits for input.
func TestTerminated(t *testing.T) {
	bin := zmyCommand(t)
	ctx, cancel := context.WithTimeout(t.Context(), patience.For(time.Minute))
	defer cancel()
	cmd := exec.CommandContext(ctx, bin, "inspect", "-", "-type", orderType)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	// Once the pipe's 64 KiB are taken, the command has its handler: it reads.
	if _, err := in.Write(make([]byte, 1<<20)); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	var exit *exec.ExitError
	if err := cmd.Wait(); !errors.As(err, &exit) || exit.ExitCode() != exitStopped {
		t.Errorf("ended with %v, want exit status %d", err, exitStopped)
	}
}
