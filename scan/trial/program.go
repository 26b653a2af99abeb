package trial

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"syscall"
	"time"

	"github.com/zmylab/zmy/lab"
	"github.com/zmylab/zmy/scan/adopt"
	"github.com/zmylab/zmy/scan/profile"
)

// program is a command of the module.
type program struct {
	t             *trial
	at            *Row
	dir           string
	before, after string
	addr          string // where it listens; "" without a load
}

// How long a command may take to listen, and to end once it was told to.
const (
	patience = 30 * time.Second
	grace    = 10 * time.Second
)

// address matches where a load goes.
var address = regexp.MustCompile(`(?:localhost|127\.0\.0\.1|\[::1\]):\d+`)

func (t *trial) program(ctx context.Context, p adopt.Package) ([]work, error) {
	w := &program{t: t, at: &Row{Package: p.Path}, dir: t.copy.Dir()}
	if t.o.Load != "" {
		if w.addr = address.FindString(t.o.Load); w.addr == "" {
			return nil, lab.Usagef("-load %q names no address of this machine, such as 127.0.0.1:8080, at which the command listens", t.o.Load)
		}
		if c, err := net.DialTimeout("tcp", w.addr, time.Second); err == nil {
			_ = c.Close()
			return nil, lab.Usagef("another program listens at %s already: end it, or choose another port", w.addr)
		}
	} else if t.o.CPU != "" || t.o.Heap != "" {
		return nil, lab.Usagef("-cpu and -heap fetch profiles from the command under load: give the load by -load, or let the command write {cpu} and {heap}")
	}
	var err error
	w.before, w.after, err = t.copy.Build(ctx, p.Path, false)
	return []work{w}, err
}

func (p *program) row() *Row { return p.at }

func (p *program) programs() (before, after string) { return p.before, p.after }

// once runs the command.
func (p *program) once(ctx context.Context, file, cpu, heap string) (float64, error) {
	return p.run(ctx, file, cpu, heap, func() error { return nil })
}

// run runs the command, under the load if there is one; beside is called while the load goes on.
func (p *program) run(ctx context.Context, file, cpu, heap string, beside func() error) (float64, error) {
	var args []string
	for _, a := range p.t.o.Args {
		args = append(args, strings.NewReplacer("{cpu}", cpu, "{heap}", heap).Replace(a))
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	cmd := p.t.copy.Command(ctx, p.dir, file, args...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	if p.addr == "" {
		if err := <-ended; err != nil {
			return 0, fmt.Errorf("the command fails: %s", tail(out.Bytes()))
		}
	} else if err := p.underLoad(ctx, cmd, ended, beside); err != nil {
		stop()
		if !errors.Is(err, errEnded) {
			<-ended
		}
		return 0, fmt.Errorf("%w: %s", err, tail(out.Bytes()))
	}
	return float64((cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Nanoseconds()), nil
}

var errEnded = errors.New("the command ended before its load did")

// underLoad waits until the command listens, runs the load, and ends the command.
func (p *program) underLoad(ctx context.Context, cmd *exec.Cmd, ended chan error, beside func() error) error {
	for start := time.Now(); ; time.Sleep(20 * time.Millisecond) {
		c, err := net.DialTimeout("tcp", p.addr, time.Second)
		if err == nil {
			_ = c.Close()
			break
		}
		select {
		case <-ended:
			return errEnded
		default:
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if time.Since(start) > patience {
			return fmt.Errorf("the command does not listen at %s after %s", p.addr, patience)
		}
	}
	shell, flag := "sh", "-c"
	if runtime.GOOS == "windows" {
		shell, flag = "cmd", "/c"
	}
	sh, err := exec.LookPath(shell)
	if err != nil {
		return err
	}
	load := p.t.copy.Command(ctx, p.dir, sh, flag, p.t.o.Load)
	side := make(chan error, 1)
	go func() { side <- beside() }()
	if out, err := load.CombinedOutput(); err != nil {
		return fmt.Errorf("the load fails: %s", tail(out))
	}
	if err := <-side; err != nil {
		return err
	}
	select {
	case <-ended:
		return errEnded
	default:
	}
	if cmd.Process.Signal(syscall.SIGTERM) != nil {
		_ = cmd.Process.Kill()
	}
	select {
	case <-ended: // with whatever code a signal gives
	case <-time.After(grace):
		_ = cmd.Process.Kill()
		<-ended
	}
	return nil
}

// profiles fetches the profiles that the user named by URL, in a run of their own.
func (p *program) profiles(ctx context.Context) (cpu, heap *profile.Profile, err error) {
	if p.t.o.CPU == "" {
		return nil, nil, nil
	}
	p.t.o.Doing("profiling " + p.at.Package + " before the change")
	_, err = p.run(ctx, p.before, filepath.Join(p.t.tmp, "own.cpu"), filepath.Join(p.t.tmp, "own.heap"), func() (err error) {
		if cpu, err = profile.Read(ctx, p.t.o.CPU, profile.CPU); err == nil && p.t.o.Heap != "" {
			heap, err = profile.Read(ctx, p.t.o.Heap, profile.Alloc)
		}
		return err
	})
	return cpu, heap, err
}
