// Package server starts a Redis, a PostgreSQL or a MariaDB of the programs that are
// installed, for the time of a measurement: on a port of the loopback, with a password and a
// data folder of its own, which goes when it ends. What else of the kind runs on the machine is
// not touched.
//
// NOTE, the map: server.go is the life of a server, redis.go, postgres.go and mariadb.go what
// is particular to each, find.go looks for their programs, account*.go says who runs them.
package server

import (
	"bufio"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"time"
)

// Server is one that runs. Close ends it.
type Server struct {
	URL string // as its client takes it, with the password

	cmd   *exec.Cmd
	said  *tail
	ended chan struct{}
	quit  os.Signal // that makes it end at once, whatever it has not saved
	dir   string
}

// Missing is a kind of server that is not installed.
type Missing struct {
	Kind, Program string
	Package       string // of Debian
}

func (e *Missing) Error() string {
	return fmt.Sprintf("%s is not installed (Debian: apt-get install %s)", e.Program, e.Package)
}

// kind is what is particular to a server.
type kind struct {
	program string   // for a reader
	pack    string   // Debian's package
	find    []string // programs that must be there; found by find
	// launch prepares dir and says how to start the server on a port.
	launch func(ctx context.Context, l *launch) (*started, error)
}

var kinds = map[string]kind{
	"redis":    {"redis-server", "redis-server", []string{"redis-server"}, launchRedis},
	"postgres": {"PostgreSQL", "postgresql", []string{"postgres", "initdb"}, launchPostgres},
	"mysql":    {"MariaDB", "mariadb-server", []string{"mariadbd", "mariadb-install-db"}, launchMariaDB},
}

// Installed reports whether a kind's programs are there, by an error of type *Missing.
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
			return nil, &Missing{name, k.program, k.pack}
		}
	}
	return found, nil
}

// launch is what a server is started with.
type launch struct {
	programs map[string]string // by name
	dir      string            // empty, the server's own
	port     int
	password string
	as       *account // who runs it
}

// started is a server that is about to run.
type started struct {
	cmd   *exec.Cmd
	url   string
	ready string // what it says when it answers
	quit  os.Signal
}

// startTime is how long a server may take until it answers.
const startTime = time.Minute

// attempts is how often another port is tried: another process may take one in between.
const attempts = 3

// What servers say of a port that another one has, and of folders that they cannot enter.
var (
	taken  = regexp.MustCompile(`(?i)address already in use|in use\?`)
	denied = regexp.MustCompile(`(?i)permission denied`)
)

// Start starts a server in a new folder below dir, which who runs it must be able to reach,
// and waits until it answers. An installation that lacks it is a *Missing.
func Start(ctx context.Context, name, dir string) (*Server, error) {
	found, err := programs(name)
	if err != nil {
		return nil, err
	}
	as, err := servant()
	if err != nil {
		return nil, fmt.Errorf("%s cannot be started: %w", kinds[name].program, err)
	}
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
	prepared, err := kinds[name].launch(ctx, l)
	if err != nil {
		return nil, err
	}
	s = &Server{URL: prepared.url, cmd: prepared.cmd, quit: prepared.quit, dir: dir, ended: make(chan struct{}), said: &tail{}}
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	s.cmd.Stderr = s.cmd.Stdout
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	ready := make(chan struct{})
	go s.listen(out, prepared.ready, ready)
	select {
	case <-ready:
		return s, nil
	case <-s.ended:
		return nil, s.Died()
	case <-ctx.Done():
		return nil, errors.Join(context.Cause(ctx), s.Close())
	}
}

// listen keeps the end of what the server says, closes ready when it says that it answers,
// and waits for its end.
func (s *Server) listen(out io.Reader, text string, ready chan struct{}) {
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		line := lines.Text()
		s.said.add(line)
		if ready != nil && strings.Contains(line, text) {
			close(ready)
			ready = nil
		}
	}
	_, _ = io.Copy(io.Discard, out) // a line too long for the scanner: what follows must go somewhere
	_ = s.cmd.Wait()                // how it ended is read from ProcessState
	close(s.ended)
}

// Died says how the server ended by itself; nil while it runs.
func (s *Server) Died() error {
	select {
	case <-s.ended:
		return fmt.Errorf("it ended: %s; the last that it said:\n%s", s.cmd.ProcessState, s.said)
	default:
		return nil
	}
}

// closeTime is how long a server may take to end.
const closeTime = 10 * time.Second

// Close ends the server and removes its data.
func (s *Server) Close() error {
	for _, sig := range []os.Signal{s.quit, os.Kill} {
		_ = s.cmd.Process.Signal(sig) // it may have ended
		select {
		case <-s.ended:
			return remove(s.dir)
		case <-time.After(closeTime):
		}
	}
	return fmt.Errorf("process %d of %s does not end", s.cmd.Process.Pid, s.cmd.Path)
}

// remove removes a folder whose owner may still be at closing its files: the children of a
// server end after it.
func remove(dir string) (err error) {
	for range 50 {
		if err = os.RemoveAll(dir); err == nil {
			return nil
		}
		time.Sleep(20 * time.Millisecond)
	}
	return err
}

// freePort is a port of the loopback that nobody listens on, for the moment.
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
		return fmt.Errorf("%s: %w; it said:\n%s", filepath.Base(program), err, &said)
	}
	return nil
}

// command is a program in the server's folder that ends with this process at the latest.
func (l *launch) command(program string, args ...string) *exec.Cmd {
	cmd := exec.Command(program, args...)
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

// tail keeps the last lines of what a program says.
type tail struct {
	mu    sync.Mutex
	lines []string
}

const tailLines = 12

func (t *tail) add(line string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.lines = append(t.lines, line); len(t.lines) > tailLines {
		t.lines = t.lines[1:]
	}
}

func (t *tail) Write(b []byte) (int, error) {
	for line := range strings.Lines(string(b)) {
		t.add(strings.TrimRight(line, "\r\n"))
	}
	return len(b), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.Join(t.lines, "\n")
}
