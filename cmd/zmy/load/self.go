package load

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
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

// UntilEOF is the variable of the environment, set to 1, that has zmy end when its standard input does. The kernel closes
// that of a service whose parent is gone, killed or not.
const UntilEOF = "ZMY_UNTIL_EOF"

// StartSelf starts program with args, which is to print the URL that it serves as its first line. It ends with this process:
// by UntilEOF, and where the kernel does that (Linux) killed, so that no killed load leaves a server behind.
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
