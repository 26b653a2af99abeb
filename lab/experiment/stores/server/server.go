// Package server starts a Redis, a PostgreSQL or a MariaDB for the time of a measurement, from the
// programs that are installed. The server listens on a port of the loopback, with a password and a
// data folder of its own, which is removed when it ends. Other servers on the machine are not
// touched.
//
// NOTE, the map: server.go starts and ends a server, kinds.go has what is particular to each kind,
// find.go looks for their programs, account*.go chooses the user that runs them.
package server

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"time"
)

// Server is a running server. Close ends it.
type Server struct {
	URL string // the address for its client, with the password

	cmd   *exec.Cmd
	quit  os.Signal // ends the server at once, without saving
	dir   string
	said  tail // looks for what the server prints when it accepts connections
	ended chan struct{}
}

// Missing is the error for a kind of server that is not installed.
type Missing struct {
	Kind, Program string
	Package       string // Debian's name for the package
	// Closed is a folder above the program that the account which would run it may not pass; "" if the
	// program is not there.
	Closed string
}

func (e *Missing) Error() string {
	if e.Closed != "" {
		return fmt.Sprintf("%s cannot be run: root has nobody run it, who may not pass folder %s (chmod o+x %[2]s)", e.Program, e.Closed)
	}
	return fmt.Sprintf("%s is not installed (Debian: apt-get install %s)", e.Program, e.Package)
}

// Installed returns an error of type *Missing if a kind's programs are not installed, or cannot be run.
func Installed(name string) error {
	_, err := programs(name)
	return err
}

func programs(name string) (map[string]string, error) {
	k, ok := kinds[name]
	if !ok {
		return nil, fmt.Errorf("there is no server %q", name)
	}
	found := map[string]string{}
	for _, p := range k.find {
		if found[p] = find(p); found[p] == "" {
			return nil, &Missing{Kind: name, Program: k.program, Package: k.pack}
		}
		if dir := closed(found[p]); dir != "" {
			return nil, &Missing{Kind: name, Program: k.program, Package: k.pack, Closed: dir}
		}
	}
	return found, nil
}

// launch holds what starting a server needs.
type launch struct {
	programs map[string]string // by name
	dir      string            // empty; the server's own folder
	port     int
	password string
	as       *account // the user that runs the server
}

// startTime is how long a server may take to answer, including the preparation of its data folder.
const startTime = time.Minute

// attempts is how many ports are tried: another process may take a free port before the server
// does.
const attempts = 3

// taken and denied match messages of servers: a port is in use, a folder cannot be entered.
var (
	taken  = regexp.MustCompile(`(?i)address already in use|in use\?`)
	denied = regexp.MustCompile(`(?i)permission denied`)
)

// Start starts a server in a new folder below dir and waits until it answers. The account that runs
// the server must be able to enter dir. If the server is not installed, the error is a *Missing.
func Start(ctx context.Context, name, dir string) (*Server, error) {
	found, err := programs(name)
	if err != nil {
		return nil, err
	}
	as, err := servant()
	if err != nil {
		return nil, fmt.Errorf("%s cannot be started: %w", kinds[name].program, err)
	}
	// The cause is what the user reads: "context deadline exceeded" would not say what was waited
	// for.
	ctx, cancel := context.WithTimeoutCause(ctx, startTime, fmt.Errorf("it did not answer within %s", startTime))
	defer cancel()
	var s *Server
	for try := range attempts {
		s, err = start(ctx, name, &launch{programs: found, as: as}, filepath.Join(dir, fmt.Sprintf("%s%d", name, try)))
		if err == nil || !taken.MatchString(err.Error()) {
			break
		}
	}
	if err != nil {
		hint := ""
		if as != nil && denied.MatchString(err.Error()) {
			hint = "\nroot has nobody run it, who must be able to reach " + dir + ": set TMPDIR to a folder that everybody can pass"
		}
		return nil, fmt.Errorf("%s does not start: %w%s", kinds[name].program, err, hint)
	}
	return s, nil
}

func start(ctx context.Context, name string, l *launch, dir string) (s *Server, err error) {
	defer func() {
		if err != nil {
			err = errors.Join(err, os.RemoveAll(dir))
		}
	}()
	if err := os.Mkdir(dir, 0o700); err != nil {
		return nil, err
	}
	l.dir, l.password = dir, rand.Text()
	if err := l.as.own(dir); err != nil {
		return nil, err
	}
	if l.port, err = freePort(); err != nil {
		return nil, err
	}
	if s, err = kinds[name].launch(ctx, l); err != nil {
		return nil, err
	}
	s.dir, s.ended = dir, make(chan struct{})
	s.said.seen = make(chan struct{})
	s.cmd.Stdout, s.cmd.Stderr = &s.said, &s.said
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	go func() {
		_ = s.cmd.Wait() // how it ended is read from ProcessState
		close(s.ended)
	}()
	select {
	case <-s.said.seen:
		return s, nil
	case <-s.ended:
		return nil, s.Died()
	case <-ctx.Done():
		return nil, errors.Join(context.Cause(ctx), s.Close())
	}
}

// Died returns an error if the server has ended by itself, and nil while it runs.
func (s *Server) Died() error {
	select {
	case <-s.ended:
		return fmt.Errorf("it ended: %s; the last that it said:\n%s", s.cmd.ProcessState, &s.said)
	default:
		return nil
	}
}

// closeTime is how long a server may take to end after a signal.
const closeTime = 10 * time.Second

// Close ends the server and removes its data.
func (s *Server) Close() error {
	for _, sig := range []os.Signal{s.quit, os.Kill} {
		_ = s.cmd.Process.Signal(sig) // an error means that it has ended already
		select {
		case <-s.ended:
			return remove(s.dir)
		case <-time.After(closeTime):
		}
	}
	return fmt.Errorf("process %d of %s does not end", s.cmd.Process.Pid, s.cmd.Path)
}

// remove removes a folder. It tries for about 1 s, since children of the server may still be
// closing their files.
func remove(dir string) (err error) {
	for range 50 {
		if err = os.RemoveAll(dir); err == nil {
			return nil
		}
		time.Sleep(20 * time.Millisecond)
	}
	return err
}

// freePort returns a port of the loopback that nobody listens on at the moment.
func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	return l.Addr().(*net.TCPAddr).Port, l.Close()
}

// run runs a program that prepares a server's folder.
func (l *launch) run(ctx context.Context, program string, args ...string) error {
	cmd := l.command(program, args...)
	var said tail
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Start(); err != nil {
		return err
	}
	stop := context.AfterFunc(ctx, func() { _ = cmd.Process.Kill() })
	defer stop()
	if err := cmd.Wait(); err != nil {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		return fmt.Errorf("%s: %w; it said:\n%s", program, err, &said)
	}
	return nil
}

// command returns a command that runs in the server's folder. On Linux the process is killed at the
// latest when this one dies.
func (l *launch) command(program string, args ...string) *exec.Cmd {
	cmd := exec.Command(l.programs[program], args...)
	cmd.Dir = l.dir
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "LC_ALL=C", "HOME=" + l.dir, "TMPDIR=" + l.dir}
	cmd.SysProcAttr = l.as.attr()
	return cmd
}

// write writes a file that only the server's account can read.
func (l *launch) write(name, text string) (string, error) {
	file := filepath.Join(l.dir, name)
	return file, errors.Join(os.WriteFile(file, []byte(text), 0o600), l.as.own(file))
}

// tail keeps the last lines that a program printed, for the error if it fails, and looks for a text
// in its lines. It reads to the end, because a server whose output nobody reads stops when its pipe
// is full.
type tail struct {
	mu     sync.Mutex
	lines  []string      // the last of them may be incomplete
	wanted string        // "" if no text is looked for, or if it was seen
	seen   chan struct{} // closed when the text was printed
}

// The bounds of a tail. A line longer than longLine counts as several.
const (
	tailLines = 12
	longLine  = 1 << 16
)

func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for line := range strings.Lines(string(b)) {
		if last := len(t.lines) - 1; last >= 0 && !strings.HasSuffix(t.lines[last], "\n") && len(t.lines[last]) < longLine {
			t.lines[last] += line
		} else {
			t.lines = append(t.lines, line)
		}
		if t.wanted != "" && strings.Contains(t.lines[len(t.lines)-1], t.wanted) {
			t.wanted = ""
			close(t.seen)
		}
	}
	t.lines = t.lines[max(0, len(t.lines)-tailLines):]
	return len(b), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.TrimRight(strings.Join(t.lines, ""), "\r\n")
}
