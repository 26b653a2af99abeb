//go:build !labonly

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	grpcload "github.com/zmylab/zmy/adapters/grpcx/load"
	"github.com/zmylab/zmy/cmd/zmy/load"
	"github.com/zmylab/zmy/lab/run"
)

// TestLoadGRPC runs the command as a user does: a server in a process of its own, one that runs
// already, many connections, all in one report.
func TestLoadGRPC(t *testing.T) {
	name := zmyCommand(t)
	dir := t.TempDir()
	file, folder := filepath.Join(dir, "grpc.json"), filepath.Join(dir, "report")
	zmy := func(args ...string) string {
		t.Helper()
		out, err := exec.CommandContext(t.Context(), name, append([]string{"load", "grpc"}, args...)...).Output()
		if err != nil {
			var exit *exec.ExitError
			if errors.As(err, &exit) {
				t.Logf("%s", exit.Stderr)
			}
			t.Fatalf("%q: %v\n%s", args, err, out)
		}
		return string(out)
	}
	out := zmy("-self", "-for", "50ms", "-kind", "unary,server,client,bidi", "-codec", "zmy,flatbuffers", "-size", "1KB", "-payload",
		"records",
		"-window", "BDP,64KiB", "-rtt", "0.3ms", "-streams", "2", "-json", file, "-add", folder, "-o", filepath.Join(dir, "page.html"))
	for _, want := range []string{"zmy load grpc · gRPC under load", "Server CPU", "flatbuffers", "64 KiB", "Cells: unary "} {
		if !strings.Contains(out, want) {
			t.Errorf("what is printed has no %q:\n%s", want, out)
		}
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var x run.Experiment
	var data struct{ Cells []*grpcload.Result }
	if err := errors.Join(json.Unmarshal(text, &x), json.Unmarshal(x.Data, &data)); err != nil {
		t.Fatal(err)
	}
	for _, r := range data.Cells {
		if r.Messages == 0 || r.Failed() > 0 || r.Server == nil || r.Server.Objects == 0 || r.Ping < r.RTT {
			t.Errorf("%s: %+v", r.Cell, r)
		}
	}
	if len(data.Cells) != 16 {
		t.Errorf("%d cells", len(data.Cells))
	}
	if page, err := os.ReadFile(filepath.Join(dir, "page.html")); err != nil || !bytes.Contains(page, []byte("<html")) {
		t.Errorf("%d bytes, %v", len(page), err)
	}

	s, err := load.StartSelf(t.Context(), name, "load", "grpc", "-serve", "127.0.0.1:0", "-window", "1MiB")
	if err != nil {
		t.Fatal(err)
	}
	defer s.Stop() //nolint:errcheck // its exit code says nothing
	addr := strings.TrimPrefix(s.URL, "grpc://")
	if out := zmy(addr, "-for", "50ms", "-codec", "raw", "-gzip", "on", "-rtt", "0", "-window", "1MiB", "-size", "64KB", "-format",
		"md"); !strings.Contains(out, "the server's windows") {
		t.Errorf("%s", out)
	}
	out = zmy(addr, "-conns", "50", "-qps", "300", "-for", "200ms", "-codec", "protobuf,json", "-add", folder, "-format", "md")
	for _, want := range []string{"50 connections, 300 calls a second", "protobuf", "cache misses"} {
		if !strings.Contains(out, want) {
			t.Errorf("what is printed has no %q:\n%s", want, out)
		}
	}
	if whole, err := loadRun(folder); err != nil || len(whole.Experiments) != 2 || whole.Experiments[1].Name != "load-grpc-conns" {
		t.Errorf("%v", err)
	}
}

// TestLoadGRPCStopped: Ctrl-C prints what there is, and ends the server.
func TestLoadGRPCStopped(t *testing.T) {
	cmd := exec.CommandContext(t.Context(), zmyCommand(t), "load", "grpc", "-self", "-for", "50ms", "-rounds", "1000")
	var out bytes.Buffer
	cmd.Stdout = &out
	pipe, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var said bytes.Buffer
	for line := make([]byte, 1000); !strings.Contains(said.String(), " 1 of "); { // a cell is done
		n, err := pipe.Read(line)
		if err != nil {
			t.Fatalf("%v\n%s", err, said.String())
		}
		said.Write(line[:n])
	}
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	_, _ = said.ReadFrom(pipe)
	var exit *exec.ExitError
	if err := cmd.Wait(); !errors.As(err, &exit) || exit.ExitCode() != exitStopped {
		t.Fatalf("%v\n%s%s", err, out.String(), said.String())
	}
	for _, want := range []string{"PARTIAL", "MB/s", "unary"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("what is printed has no %q:\n%s", want, out.String())
		}
	}
}

// TestLoadGRPCBadInput: what cannot work says why before anything is started.
func TestLoadGRPCBadInput(t *testing.T) {
	for _, c := range []struct {
		args string
		code int
		want string
	}{
		{"-h", exitOK, "Exit codes"},
		{"-self 127.0.0.1:1", exitUsage, "one HOST:PORT, or -self"},
		{"127.0.0.1", exitUsage, "want 127.0.0.1:50051"},
		{"192.0.2.1:50051", exitUsage, "-remote"},
		{"-kind unary,duplex", exitUsage, `"duplex": want unary, server, client or bidi`},
		{"-codec xml", exitUsage, "there are protobuf, vtprotobuf"},
		{"-size 1", exitUsage, "-size: want 64"},
		{"-size 10GB", exitUsage, "64KB or 1MiB"},
		{"-streams 0", exitUsage, "-streams: want 1"},
		{"-window 1KiB", exitUsage, "-window: want 65535"},
		{"-rtt -1ms", exitUsage, "-rtt: want 0"},
		{"-rtt fast", exitUsage, "0.3ms"},
		{"-gzip maybe", exitUsage, "off or on"},
		{"-payload text", exitUsage, "blob or records"},
		{"-for 1ms", exitUsage, "at least 10ms"},
		{"-rounds 0", exitUsage, "1 to 1000"},
		{"-format xml", exitUsage, "-format: choose table"},
		{"-conns 10 -window BDP", exitUsage, "-window is not for -conns"},
		{"-conns 10 -all", exitUsage, "-all is not for -conns"},
		{"-conns -1", exitUsage, "up to 65536"},
		{"-conns 10 -qps 0", exitUsage, "-qps 0"},
		{"-serve 127.0.0.1:0 -size 100", exitUsage, "-size is not for -serve"},
		{"-serve 127.0.0.1:0 -self", exitUsage, "one -window alone"},
		{"-serve nowhere", exitUsage, "choose another address"},
		{"-al", exitUsage, "did you mean -all"},
		{"127.0.0.1:1 -for 10ms", exitInternal, "Unavailable"},
	} {
		var out, errs bytes.Buffer
		code := dispatch(t.Context(), &console{&out, &errs}, append([]string{"load", "grpc"}, strings.Fields(c.args)...))
		if code != c.code || !strings.Contains(out.String()+errs.String(), c.want) {
			t.Errorf("%s: %d, %s%s; want %d, %s", c.args, code, out.String(), errs.String(), c.code, c.want)
		}
	}
}

// TestLoadGRPCLists: what stands in lists is combined, the rest is the base; -all is everything.
func TestLoadGRPCLists(t *testing.T) {
	for _, c := range []struct {
		args string
		want int // cells
	}{
		{"", len(grpcload.Distinct(grpcload.Slices(grpcload.Kinds[:3])))},
		{"-kind unary", len(grpcload.Distinct(grpcload.Slices(grpcload.Kinds[:1])))},
		{"-kind unary -size 100", 1},
		{"-size 100,1KB -rtt 0,10ms,1s", 3 * 2 * 3},
		{"-all", len(grpcload.Full().Cells())},
		{"-all -codec zmy -gzip off", len(grpcload.Full().Cells()) / 9 / 2},
	} {
		f := &loadGRPC{lists: map[string]*string{}, qps: "1"}
		f.Rounds = 1
		args := strings.Fields(c.args)
		for _, name := range []string{"kind", "codec", "payload", "size", "streams", "window", "rtt", "gzip"} {
			value := ""
			if i := slices.Index(args, "-"+name); i >= 0 {
				value = args[i+1]
			}
			f.lists[name] = &value
		}
		f.all = slices.Contains(args, "-all")
		if err := f.complete(nil); err != nil {
			t.Fatalf("%s: %v", c.args, err)
		}
		cells := grpcload.Distinct(f.Groups)
		if len(cells) != c.want {
			t.Errorf("%s: %d cells, want %d", c.args, len(cells), c.want)
		}
		if took := f.Takes(); took < time.Duration(len(cells))*time.Second || c.args == "" && took > 150*time.Second {
			t.Errorf("%s: takes %v", c.args, took)
		}
	}
}
