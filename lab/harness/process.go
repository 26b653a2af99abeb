package harness

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/zmylab/zmy/lab/worker"
)

// Limits bound what a worker may use.
type Limits struct {
	Answer time.Duration // time for the answer to one command; waiting for a processor does not count
	Memory int64         // bytes of resident memory
}

// DefaultLimits returns generous limits, which stop only workers that hang or take ever more
// memory.
func DefaultLimits() Limits { return Limits{Answer: 30 * time.Second, Memory: memoryLimit()} }

// memoryLimit returns half of the machine's memory in bytes, at most 4 GiB.
func memoryLimit() int64 {
	const most = 4 << 30
	if total := totalMemory(); total > 0 {
		return min(most, total/2)
	}
	return most
}

// Process is one running worker. It serves one command at a time.
//
// Three goroutines belong to it: read passes on its answers, wait notes its end, and watch kills it
// if it takes too much memory. Do waits for the first of an answer, the end and the time limit.
// A caller that kills the process says why; dead then reports that reason, and not the signal.
type Process struct {
	Worker *Worker

	cmd     *exec.Cmd
	in      *os.File
	out     *os.File
	lines   chan []byte
	printed *printed
	ended   chan struct{} // closed when the process is gone
	mu      sync.Mutex
	killed  string // why the coordinator killed it
	next    int
}

// Dead is the error of a worker that ended without being asked to.
type Dead struct {
	Worker string // its name
	Cmd    string // command that it was serving
	How    string // "exit status 2", "no answer within 30s", "took more than 4.0 GiB"
	Output string // end of its output

	stopping bool // one of its goroutines was stopping the world
}

// Stalled reports whether the worker hung inside Go's runtime, while it waited for other threads to
// stop, so that no codec is at fault. This happened on machines with several times more work than
// processors, while workers waited for commands in a system call. Workers no longer do that, but
// codecs may.
func (e *Dead) Stalled() bool { return e.stopping }

func (e *Dead) Error() string {
	s := e.How + " during " + e.Cmd
	if e.Output != "" {
		s += "; it printed:\n" + e.Output
	}
	return s
}

// Refused is the error of a command that the worker answered with a Failure.
type Refused struct {
	Cmd     string
	Failure worker.Failure
}

func (e *Refused) Error() string { return e.Cmd + ": " + e.Failure.What }

// Start starts a worker's process. The process ends with ctx, or by Close.
func (wk *Worker) Start(ctx context.Context) (*Process, error) {
	p := &Process{Worker: wk, lines: make(chan []byte), ended: make(chan struct{}), printed: &printed{}}
	cmdR, cmdW, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	ansR, ansW, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(err, cmdR.Close(), cmdW.Close())
	}
	p.in, p.out = cmdW, ansR
	argv := append(slices.Clone(wk.under), wk.Path)
	p.cmd = command(ctx, argv[0], argv[1:]...)
	p.cmd.Dir = wk.scratch
	p.cmd.Env = append(append(os.Environ(), "PWD="+wk.scratch), wk.env...)
	p.cmd.ExtraFiles = []*os.File{cmdR, ansW}
	p.cmd.Stdout, p.cmd.Stderr = p.printed, p.printed
	err = StartOn(p.cmd, wk.cpus)
	err = errors.Join(err, cmdR.Close(), ansW.Close())
	if err != nil {
		return nil, errors.Join(err, cmdW.Close(), ansR.Close())
	}
	go p.read()
	go p.wait()
	go p.watch(wk.limits.Memory)
	return p, nil
}

// read passes on lines of answers until the pipe is closed.
func (p *Process) read() {
	r := bufio.NewReader(p.out)
	for {
		line, err := r.ReadBytes('\n')
		if err != nil {
			return
		}
		select {
		case p.lines <- line:
		case <-p.ended:
			return
		}
	}
}

func (p *Process) wait() {
	_ = p.cmd.Wait() // ProcessState says how it ended
	close(p.ended)
}

// watch kills the process if it takes more memory than limit, in bytes; 0 means no limit.
func (p *Process) watch(limit int64) {
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-p.ended:
			return
		case <-tick.C:
			if limit > 0 && residentMemory(p.cmd.Process.Pid) > limit {
				p.kill(fmt.Sprintf("took more than %.1f GiB of memory and was killed", float64(limit)/(1<<30)))
			}
		}
	}
}

// kill kills the process, unless it has ended already: another process may have its id by then.
func (p *Process) kill(why string) {
	select {
	case <-p.ended:
		return
	default:
	}
	p.blame(why)
	_ = killGroup(p.cmd.Process.Pid) // it may be gone already
}

// blame records why the process is killed; the first reason counts.
func (p *Process) blame(why string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.killed = cmp.Or(p.killed, why)
}

// stacksTime is how long a hanging worker may take to print its stacks.
const stacksTime = 5 * time.Second

// hung ends a process that does not answer, and makes it print its stacks first.
func (p *Process) hung(why string) {
	p.blame(why)
	p.printed.keep(stacksMost)
	if askStacks(p.cmd.Process.Pid) == nil {
		select {
		case <-p.ended:
			p.printed.stacks()
		case <-time.After(stacksTime):
		}
	}
	p.kill(why)
}

// Do sends a command and waits for its answer. The worker may take Limits.Answer plus extra of its
// own time, see lateness.
func (p *Process) Do(ctx context.Context, q worker.Request, extra time.Duration) (*worker.Reply, error) {
	p.next++
	q.ID = p.next
	if _, err := p.in.Write(q.Line()); err != nil {
		return nil, p.dead(ctx, q.Cmd)
	}
	late := p.lateness(p.Worker.limits.Answer + extra)
	var line []byte
	for line == nil {
		select {
		case line = <-p.lines:
		case <-p.ended:
			return nil, p.dead(ctx, q.Cmd)
		case <-ctx.Done():
			p.kill("stopped")
			return nil, ctx.Err()
		case <-time.After(late.next()):
			if why := late.why(); why != "" {
				p.hung(why)
				return nil, p.dead(ctx, what(&q))
			}
		}
	}
	a := new(worker.Reply)
	err := json.Unmarshal(line, a)
	if err == nil && a.ID != q.ID {
		err = fmt.Errorf("it answers question %d, not %d", a.ID, q.ID)
	}
	if err != nil {
		p.kill("broken answer")
		return nil, fmt.Errorf("answer to %s: %w: %.100q", q.Cmd, err, line)
	}
	if a.Err != nil {
		return nil, &Refused{Cmd: what(&q), Failure: *a.Err}
	}
	return a, nil
}

// what names a command for people.
func what(q *worker.Request) string { return strings.TrimSpace(q.Cmd + " " + q.Op + " " + q.Mode) }

// dead waits for the end of the process and returns an error that describes it.
func (p *Process) dead(ctx context.Context, cmd string) error {
	select {
	case <-p.ended:
	case <-time.After(3 * time.Second):
		p.kill("closed its pipes")
		<-p.ended
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	p.mu.Lock()
	how := p.killed
	p.mu.Unlock()
	if how == "" {
		how = "the worker ended: " + p.cmd.ProcessState.String()
		if p.cmd.ProcessState.ExitCode() == 0 {
			how = "the worker ended itself with exit status 0: something called os.Exit"
		}
	}
	output, stopping := p.printed.tail()
	return &Dead{Worker: p.Worker.Name, Cmd: cmd, How: how, Output: output, stopping: stopping}
}

// Close ends the process. It is safe to call twice.
func (p *Process) Close() {
	p.kill("closed")
	_ = p.in.Close()
	<-p.ended
	_ = p.out.Close()
}

// printed keeps the end of a worker's output.
type printed struct {
	mu       sync.Mutex
	buf      []byte
	most     int  // bytes to keep; at least printedMost
	stopping bool // one of the stacks is that of a goroutine that waits for other threads to stop
}

const (
	printedMost = 4 << 10
	stacksMost  = 256 << 10 // limit while the stacks of all goroutines are printed
)

func (t *printed) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.buf = append(t.buf, b...)
	if over := len(t.buf) - max(t.most, printedMost); over > 0 {
		t.buf = append(t.buf[:0], t.buf[over:]...)
	}
	return len(b), nil
}

func (t *printed) keep(most int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.most = most
}

// serving is a text in each stack of a worker that runs a command: a part of the line for function
// serve of package lab/worker/serve.
const serving = "/serve.serve("

// stacks reduces the output to the stack of the goroutine that served the command, found by the
// worker's own frames, and to at most printedMost bytes of it.
func (t *printed) stacks() {
	t.mu.Lock()
	defer t.mu.Unlock()
	keep := t.buf
	for part := range strings.SplitSeq(string(t.buf), "\n\n") {
		part = strings.TrimLeft(part, "\n")
		if !strings.HasPrefix(part, "goroutine ") {
			continue
		}
		if head, _, _ := strings.Cut(part, "\n"); strings.Contains(head, "[stopping the world") {
			t.stopping = true
		}
		if strings.Contains(part, serving) {
			keep = []byte(part)
		}
	}
	t.buf = keep[:min(len(keep), printedMost)]
}

func (t *printed) tail() (text string, stopping bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.TrimSpace(string(t.buf)), t.stopping
}
