package load

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"time"
)

// stopGrace is how long a service that was asked to end may take until it is killed.
const stopGrace = 5 * time.Second

// Self is the demo service in a process of its own, whose processor time is not the generator's.
type Self struct {
	URL string // without a slash at the end
	Pid int

	cmd   *exec.Cmd // with the pipe whose end the service waits for
	grace time.Duration
}

// UntilEOF is the variable of the environment, set to 1, that has zmy end when its standard input
// does. The kernel closes that of a service whose parent is gone, killed or not.
const UntilEOF = "ZMY_UNTIL_EOF"

// StartSelf starts program with args, which is to print the URL that it serves as its first line.
// It ends with this process: by UntilEOF, and where the kernel does that (Linux) killed, so that no
// killed load leaves a server behind.
func StartSelf(ctx context.Context, program string, args ...string) (*Self, error) {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.WaitDelay = stopGrace
	cmd.Env = append(os.Environ(), UntilEOF+"=1")
	cmd.SysProcAttr = orphan()
	cmd.Cancel = func() error { return interrupt(cmd.Process) }
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if _, err := cmd.StdinPipe(); err != nil { // which Wait closes
		return nil, err
	}
	var said strings.Builder
	cmd.Stderr = &said
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	url := strings.TrimSuffix(strings.TrimSpace(line), "/")
	if err != nil || !strings.Contains(url, "://") {
		_ = cmd.Process.Kill()
		return nil, fmt.Errorf("the service did not start: %w", errors.Join(cmd.Wait(), errors.New(strings.TrimSpace(said.String()))))
	}
	return &Self{URL: url, Pid: cmd.Process.Pid, cmd: cmd, grace: stopGrace}, nil
}

// Stop asks the service to end, kills it if it has not after five seconds, and waits for its end.
func (s *Self) Stop() error {
	if err := interrupt(s.cmd.Process); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	late := time.AfterFunc(s.grace, func() { _ = s.cmd.Process.Kill() })
	defer late.Stop()
	return s.cmd.Wait()
}

// CPU is the processor time of the service so far.
func (s *Self) CPU() (time.Duration, bool) { return cpuTime(s.Pid) }

// spareFiles are those that a process has open beside connections.
const spareFiles = 64

// Affordable is how many of the connections that are asked for to each of so many targets this
// process may open, and why it is not all of them.
func Affordable(conns, targets int) (int, string) { return affordable(conns, targets, openFiles()) }

func affordable(conns, targets, files int) (int, string) {
	most := (files - spareFiles) / max(targets, 1)
	if files == 0 || conns <= most {
		return conns, ""
	}
	return max(most, 1), fmt.Sprintf("%d of %d connections to each server: a process may have %d files open here, the hard limit "+
		"(ulimit -Hn), and each end of a connection is one", max(most, 1), conns, files)
}

// StartTargets starts a server for each flush policy, by program with its arguments and -flush.
// stop ends them.
func StartTargets(ctx context.Context, program string, flush []string, args ...string) (targets []*Target, stop func(), err error) {
	var all []*Self
	stop = func() {
		for _, s := range all {
			_ = s.Stop() // its exit code says nothing of the measurement
		}
	}
	for _, f := range flush {
		s, err := StartSelf(ctx, program, append(args[:len(args):len(args)], "-flush", f)...)
		if err != nil {
			stop()
			return nil, func() {}, err
		}
		all = append(all, s)
		t := &Target{URL: s.URL, Usage: ProcessUsage(s.Pid)}
		if runtime.GOOS != "linux" {
			t.Usage = MetricsUsage(s.URL + "/metrics")
		}
		targets = append(targets, t)
	}
	return targets, stop, nil
}
