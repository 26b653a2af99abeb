package load

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"time"
)

// Self is the demo service in a process of its own, whose processor time is not the generator's.
type Self struct {
	URL string // without a slash at the end
	Pid int
	cmd *exec.Cmd
	in  io.Closer
}

// StartSelf starts program with args, which is to print the URL that it serves as its first line.
func StartSelf(ctx context.Context, program string, args ...string) (*Self, error) {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.WaitDelay = 5 * time.Second
	cmd.Cancel = func() error { return interrupt(cmd.Process) }
	out, err := cmd.StdoutPipe()
	if err != nil {
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
	return &Self{URL: url, Pid: cmd.Process.Pid, cmd: cmd, in: out}, nil
}

// Stop ends the service and waits for its end.
func (s *Self) Stop() error {
	if err := interrupt(s.cmd.Process); err != nil {
		return err
	}
	return s.cmd.Wait()
}

// CPU is the processor time of the service so far.
func (s *Self) CPU() (time.Duration, bool) { return cpuTime(s.Pid) }
