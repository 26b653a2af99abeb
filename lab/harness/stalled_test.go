package harness

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/zmylab/zmy/lab/worker"
)

// TestStalled: only who waits for other threads to stop hangs in the runtime; a codec that
// loops or sleeps is at fault itself. What is kept is the goroutine that served the command.
func TestStalled(t *testing.T) {
	const serves = "example.com/worker/serve.serve(0x1)\n\t/src/serve.go:1\n"
	for _, c := range []struct {
		stacks  string
		stalled bool
		keeps   string
	}{
		{"SIGQUIT: quit\n\ngoroutine 1 gp=0x31187e70e1e0 m=0 mp=0x741060 [stopping the world]:\nruntime.systemstack_switch()\n" +
			serves + "\ngoroutine 2 [sleep]:\nx\n", true, "goroutine 1 gp"},
		{"\ngoroutine 1 gp=0xc000002380 m=nil [sync.WaitGroup.Wait]:\n" + serves +
			"\ngoroutine 9 gp=0xc0 m=3 [stopping the world, 1 minutes]:\nruntime.gcStart()\n", true, "goroutine 1 gp"},
		{"goroutine 1 gp=0xc000002380 m=nil [sleep]:\ntime.Sleep(0x3b9aca00)\n" + serves, false, "goroutine 1 gp"},
		{"goroutine 1 gp=0xc000002380 m=0 mp=0x5 [running]:\nmain.f()\n\tit says [stopping the world\n" + serves, false, "goroutine 1 gp"},
		{"", false, ""},
	} {
		p := &printed{buf: []byte(c.stacks)}
		p.stacks()
		text, stalled := p.tail()
		if stalled != c.stalled || !strings.HasPrefix(text, c.keeps) || strings.Contains(text, "[sleep]:\nx") {
			t.Errorf("%q: stalled %t, keeps %q", c.stacks, stalled, text)
		}
	}
}

// fakeWorker names the folder in which a fake worker notes what it did.
const fakeWorker = "ZMY_FAKE_WORKER"

func TestMain(m *testing.M) {
	if dir := os.Getenv(fakeWorker); dir != "" {
		fake(dir)
	}
	os.Exit(m.Run())
}

// fake answers commands with their own name, except one whose name is that of a file in dir:
// it removes the file and hangs, as a process does whose world does not stop.
func fake(dir string) {
	quit := make(chan os.Signal, 1)
	signal.Notify(quit, syscall.SIGQUIT)
	in, out := bufio.NewScanner(os.NewFile(worker.FDCommands, "commands")), os.NewFile(worker.FDAnswers, "answers")
	for in.Scan() {
		q, err := worker.ParseRequest(in.Bytes())
		if err != nil {
			os.Exit(3)
		}
		if os.Remove(filepath.Join(dir, q.Cmd)) == nil {
			<-quit
			fmt.Fprintln(os.Stderr, "SIGQUIT: quit\n\ngoroutine 1 gp=0x1 m=0 mp=0x2 [stopping the world]:\nexample.com/worker/serve.serve(0x1)")
			os.Exit(2)
		}
		data, _ := json.Marshal(q.Cmd)
		if err := json.NewEncoder(out).Encode(worker.Reply{ID: q.ID, Data: data}); err != nil {
			os.Exit(4)
		}
	}
	os.Exit(0)
}

// TestSession: a process that stalls is started anew, makes its values and is asked again;
// the second time is one too many.
func TestSession(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	hang := func(cmd string) {
		if err := os.WriteFile(filepath.Join(dir, cmd), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	const short = 50 * time.Millisecond // for the command that hangs; all others have a minute
	w := &Worker{Name: "fake", Path: self, scratch: t.TempDir(), env: []string{fakeWorker + "=" + dir}, limits: Limits{Answer: short}}
	var notes []string
	note := func(text string) {
		notes = append(notes, text)
		w.limits.Answer = time.Minute
	}
	open := func() *Session {
		t.Helper()
		s, err := w.Open(t.Context(), Opening{Values: worker.Request{Cmd: worker.CmdValues}, Extra: time.Minute, Note: note})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(s.Close)
		return s
	}
	ask := func(s *Session, cmd string, extra time.Duration) error {
		t.Helper()
		a, err := s.Do(context.Background(), worker.Request{Cmd: cmd}, extra)
		if err == nil && string(a.Data) != `"`+cmd+`"` {
			t.Errorf("%s was answered %s", cmd, a.Data)
		}
		return err
	}
	s := open()
	first := s.Process
	if err := ask(s, "fine", time.Minute); err != nil || s.Process != first || len(notes) != 0 {
		t.Fatalf("%v, notes %q", err, notes)
	}
	hang("run")
	if err := ask(s, "run", 0); err != nil || s.Process == first {
		t.Errorf("a stalled process was not started anew: %v", err)
	}
	if len(notes) != 1 || !strings.HasPrefix(notes[0], "a process of fake stalled in Go's runtime (no answer within 50ms during run)") {
		t.Errorf("notes %q", notes)
	}
	hang("run")
	w.limits.Answer = short
	var dead *Dead
	if err := ask(s, "run", 0); !errors.As(err, &dead) || !dead.Stalled() || dead.Worker != "fake" {
		t.Errorf("a second stall: %v", err)
	}
	if len(notes) != 1 {
		t.Errorf("notes %q", notes)
	}
}
