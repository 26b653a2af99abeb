package selftest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/zmylab/zmy/lab/inject"
)

// tree ends runs while they measure, first by SIGKILL, then by Ctrl-C. The second run must also
// remove what the killed run left.
func tree(ctx context.Context, b *bench) error {
	const expected = "the tree is the same, no process is left"
	if b.o.Program == "" {
		b.skip("the user's tree after SIGKILL and Ctrl-C", expected, "there is no zmy program to start")
		return nil
	}
	dir, err := b.folder("interrupted", inject.Subject())
	if err != nil {
		return err
	}
	temp, err := b.folder("temp", nil)
	if err != nil {
		return err
	}
	before, err := inject.TreeHash(dir)
	if err != nil {
		return err
	}
	for _, end := range []struct {
		name   string
		signal os.Signal
		more   string
	}{
		{"SIGKILL", os.Kill, ""},
		{"Ctrl-C", os.Interrupt, ", exit code 130, nothing is left of both runs"},
	} {
		code, err := b.interrupt(ctx, dir, temp, end.signal)
		if err != nil {
			return fmt.Errorf("%s: %w", end.name, err)
		}
		after, err := inject.TreeHash(dir)
		if err != nil {
			return err
		}
		left := processes(temp, 5*time.Second)
		found := fmt.Sprintf("%s, %d processes", same(before == after), left)
		ok := before == after && left == 0
		if end.signal == os.Interrupt {
			rest, err := os.ReadDir(temp)
			if err != nil {
				return err
			}
			found += fmt.Sprintf(", exit code %d, %d temporary folders", code, len(rest))
			ok = ok && code == 130 && len(rest) == 0
		}
		b.check("the user's tree after "+end.name, expected+end.more, found, ok)
	}
	return nil
}

// interrupt starts a run, waits until it measures, and sends the signal.
func (b *bench) interrupt(ctx context.Context, dir, temp string, signal os.Signal) (code int, err error) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, b.o.Program, "lab", ".", "-type", inject.Type, "-codecs", "std-json", "-n", "16", "-budget",
		"5m", "-o", filepath.Join(b.dir, "interrupted-report"))
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "TMPDIR="+temp)
	out, err := cmd.StderrPipe()
	if err != nil {
		return 0, err
	}
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	var seen []byte
	for buf := make([]byte, 4096); !bytes.Contains(seen, []byte("launch 1")); {
		n, err := out.Read(buf)
		seen = append(seen, buf[:n]...)
		if err != nil {
			return 0, fmt.Errorf("the run ended before it measured: %v\n%s", cmd.Wait(), seen)
		}
	}
	time.Sleep(time.Second) // so that rounds have begun
	if err := cmd.Process.Signal(signal); err != nil {
		return 0, err
	}
	_, _ = io.Copy(io.Discard, out) // Wait would close it before the run has written everything
	var exit *exec.ExitError
	if err := cmd.Wait(); err != nil && !errors.As(err, &exit) {
		return 0, err
	}
	return cmd.ProcessState.ExitCode(), ctx.Err()
}

// processes counts the running programs whose file is below dir. If there are any, it first gives
// them the time wait to end. It works only on Linux, and returns 0 elsewhere.
func processes(dir string, wait time.Duration) (n int) {
	for end := time.Now().Add(wait); ; time.Sleep(50 * time.Millisecond) {
		n = 0
		links, err := filepath.Glob("/proc/[0-9]*/exe")
		if err != nil {
			return 0
		}
		for _, l := range links {
			if exe, err := os.Readlink(l); err == nil && strings.HasPrefix(exe, dir+string(filepath.Separator)) {
				n++
			}
		}
		if n == 0 || time.Now().After(end) {
			return n
		}
	}
}
