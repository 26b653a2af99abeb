//go:build !labonly

package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/zmylab/zmy/cmd/zmy/load"
	"github.com/zmylab/zmy/lab/report"
	"github.com/zmylab/zmy/lab/run"
)

// TestLoadSSE runs the command against servers of its own, and against one that runs: all events
// come, and every figure is in the report and in the files.
func TestLoadSSE(t *testing.T) {
	name := zmyCommand(t)
	dir := t.TempDir()
	file := filepath.Join(dir, "sse.json")
	args := []string{"load", "sse", "-self", "-conns", "20", "-rate", "200", "-burst", "5", "-for", "200ms", "-rounds", "2", "-size",
		"0,5k", "-codecs", "fxjson,msgpack", "-flush", "drain,4k",
		"-timeout", "1m", "-json", file, "-add", filepath.Join(dir, "report")}
	out, err := exec.CommandContext(t.Context(), name, args...).Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, want := range []string{"zmy load sse · Streams of events by flush policy", "once, whole and in order", "P99.9",
		"CPU a delivery", "5 KiB", "msgpack", "4k"} {
		if !strings.Contains(string(out), want) {
			t.Errorf("the report has no %q:\n%s", want, out)
		}
	}
	var x run.Experiment
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &x); err != nil {
		t.Fatal(err)
	}
	var r load.SSEResult
	if err := json.Unmarshal(x.Data, &r); err != nil {
		t.Fatal(err)
	}
	if len(r.Groups) != 2 || len(r.Points) != 16 || len(r.Warm) != 2 || r.Wrong() != 0 || r.Groups[1].Flush != "4k" {
		t.Errorf("%d groups, %d points, %d warm, %d wrong", len(r.Groups), len(r.Points), len(r.Warm), r.Wrong())
	}
	for _, p := range r.Points {
		if p.Conns != 20 || p.Published == 0 || p.Delivered != int64(20*p.Published) {
			t.Errorf("%+v", p)
		}
		if runtime.GOOS == "linux" && (p.Server.RSS < 1<<20 || p.Collected < 1<<20 || r.Groups[p.Group].Alone.RSS < 1<<20) {
			t.Errorf("memory %d, %d, %d alone", p.Server.RSS, p.Collected, r.Groups[p.Group].Alone.RSS)
		}
	}
	f, err := os.Open(filepath.Join(dir, "report", report.FileJSON))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if whole, err := report.ReadJSON(f); err != nil || len(whole.Experiments) != 1 || whole.Experiments[0].Name != "load-sse-flush" {
		t.Errorf("%+v, %v", whole, err)
	}

	server := startServe(t, name, "-mock", "-flush", "each")
	out, err = exec.CommandContext(t.Context(), name, "load", "sse", server+"/", "-conns", "5", "-rate", "100", "-for", "200ms",
		"-codecs", "zmy", "-format", "json", "-timeout", "1m",
		"-add", filepath.Join(dir, "report")).Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if err := json.Unmarshal(out, &x); err != nil || x.Name != "load-sse" || len(x.Absent) != 0 && runtime.GOOS == "linux" ||
		!strings.Contains(x.Tables[0].Note, "flush each") {
		t.Errorf("%v: %s", err, out)
	}
	if whole, err := loadRun(filepath.Join(dir, "report")); err != nil || len(whole.Experiments) != 2 {
		t.Errorf("%v: the report does not hold both", err)
	}
}

// startServe starts a demo service and returns its URL.
func startServe(t *testing.T, name string, args ...string) string {
	t.Helper()
	s, err := load.StartSelf(t.Context(), name, append([]string{"serve", "-addr", "127.0.0.1:0", "-every", "0"}, args...)...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Stop() })
	return s.URL
}

// TestUntilEOF: a server that a load started ends when the load is gone and with it the other end
// of its standard input.
func TestUntilEOF(t *testing.T) {
	name := zmyCommand(t)
	for _, args := range [][]string{{"serve", "-addr", "127.0.0.1:0", "-every", "0"},
		{"load", "grpc", "-serve", "127.0.0.1:0", "-window", "65536"}} {
		cmd := exec.CommandContext(t.Context(), name, args...)
		cmd.Env = append(os.Environ(), load.UntilEOF+"=1")
		in, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || !strings.Contains(line, "://127.0.0.1:") {
			t.Fatalf("%q: %q, %v", args, line, err)
		}
		in.Close()
		if err := cmd.Wait(); err != nil {
			t.Errorf("%q: %v", args, err)
		}
	}
}

// TestLoadSSEStopped: Ctrl-C prints what there is, and leaves no server behind.
func TestLoadSSEStopped(t *testing.T) {
	cmd := exec.CommandContext(t.Context(), zmyCommand(t), "load", "sse", "-self", "-conns", "5", "-rate", "1000", "-for", "50m",
		"-codecs", "zmy,json")
	var out, progress bytes.Buffer
	cmd.Stdout = &out
	pipe, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line := make([]byte, 1000)
	n, err := pipe.Read(line) // the connections are open
	if err != nil {
		t.Fatal(err)
	}
	progress.Write(line[:n])
	time.Sleep(500 * time.Millisecond) // and some events have come: if not, nothing is said of them
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	_, _ = progress.ReadFrom(pipe)
	var exit *exec.ExitError
	if err := cmd.Wait(); !errors.As(err, &exit) || exit.ExitCode() != exitStopped {
		t.Fatalf("%v\n%s%s", err, out.String(), progress.String())
	}
	for _, want := range []string{"PARTIAL", "Connections"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("what is printed has no %q:\n%s", want, out.String())
		}
	}
}

// TestLoadSSEBadInput: what cannot work says why before anything is started.
func TestLoadSSEBadInput(t *testing.T) {
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{nil, exitUsage, "one URL, or -self"},
		{[]string{"-self", "http://127.0.0.1:1"}, exitUsage, "one URL, or -self"},
		{[]string{"http://127.0.0.1:1", "-flush", "each"}, exitUsage, "-flush and -nats are for -self"},
		{[]string{"-self", "-flush", "never"}, exitUsage, "drain, each, batch, 4k"},
		{[]string{"-self", "-codecs", "json,xml"}, exitUsage, `no codec "xml"`},
		{[]string{"-self", "-rate", "0"}, exitUsage, "-rate 0"},
		{[]string{"-self", "-rate", "NaN"}, exitUsage, "-rate NaN"},
		{[]string{"-self", "-size", "1m"}, exitUsage, "-size 1m"},
		{[]string{"-self", "-size", "1000k"}, exitUsage, "size 1024000"},
		{[]string{"-self", "-conns", "0"}, exitUsage, "-conns 0"},
		{[]string{"-self", "-for", "10ms"}, exitUsage, "less than one event"},
		{[]string{"-self", "-format", "yaml"}, exitUsage, "-format: choose table"},
		{[]string{"-self", "-con", "5"}, exitUsage, "did you mean -conns"},
		{[]string{"https://example.com"}, exitUsage, "no URL of zmy serve"},
		{[]string{"http://example.com"}, exitUsage, "not this machine"},
		{[]string{"http://127.0.0.1:1"}, exitInternal, "connection refused"},
	} {
		var out, errs bytes.Buffer
		code := dispatch(t.Context(), &console{&out, &errs}, append([]string{"load", "sse"}, c.args...))
		if code != c.code || !strings.Contains(errs.String(), c.want) || out.Len() > 0 {
			t.Errorf("%q: %d, %s%s, want %d with %s", c.args, code, errs.String(), out.String(), c.code, c.want)
		}
	}
}
