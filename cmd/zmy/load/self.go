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

// stopGrace is how long a service may take to end before it is killed.
const stopGrace = 5 * time.Second

// Self is the demo service in its own process, so that its processor time is not mixed with the
// generator's.
type Self struct {
	URL string // without a slash at the end
	Pid int

	cmd   *exec.Cmd // it holds the write end of the service's standard input, see UntilEOF
	grace time.Duration
}

// UntilEOF is an environment variable. If it is 1, zmy ends when its standard input ends. The
// kernel closes the standard input of a service whose parent has ended, even if the parent was
// killed.
const UntilEOF = "ZMY_UNTIL_EOF"

// StartSelf starts program with args. If program is "", it starts this program. The first line that
// the program prints must be the URL that it serves. The program ends when this process ends: by
// UntilEOF, and on Linux because the kernel kills it. So no server is left behind if this process
// is killed.
func StartSelf(ctx context.Context, program string, args ...string) (*Self, error) {
	if program == "" {
		var err error
		if program, err = os.Executable(); err != nil {
			return nil, err
		}
	}
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.WaitDelay = stopGrace
	cmd.Env = append(os.Environ(), UntilEOF+"=1")
	cmd.SysProcAttr = orphan()
	cmd.Cancel = func() error { return interrupt(cmd.Process) }
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if _, err := cmd.StdinPipe(); err != nil { // closed by Wait
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

// Stop asks the service to end, kills it after five seconds, and waits until it has ended.
func (s *Self) Stop() error {
	if err := interrupt(s.cmd.Process); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	late := time.AfterFunc(s.grace, func() { _ = s.cmd.Process.Kill() })
	defer late.Stop()
	return s.cmd.Wait()
}

// CPU returns the processor time of the service so far.
func (s *Self) CPU() (time.Duration, bool) { return cpuTime(s.Pid) }

// spareFiles is the number of files that a process has open besides connections.
const spareFiles = 64

// Affordable returns how many of conns connections to each of the targets this process may open. If
// it is less than conns, the text says why.
func Affordable(conns, targets int) (int, string) { return affordable(conns, targets, openFiles()) }

func affordable(conns, targets, files int) (int, string) {
	most := (files - spareFiles) / max(targets, 1)
	if files == 0 || conns <= most {
		return conns, ""
	}
	return max(most, 1), fmt.Sprintf("%d of %d connections to each server: a process may have %d files open here, the hard limit "+
		"(ulimit -Hn), and each end of a connection is one", max(most, 1), conns, files)
}

// StartTargets starts a server for each flush policy: this program with args and -flush. stop ends
// the servers.
func StartTargets(ctx context.Context, flush []string, args ...string) (targets []*Target, stop func(), err error) {
	var all []*Self
	stop = func() {
		for _, s := range all {
			_ = s.Stop() // its exit code says nothing about the measurement
		}
	}
	for _, f := range flush {
		s, err := StartSelf(ctx, "", append(args[:len(args):len(args)], "-flush", f)...)
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
