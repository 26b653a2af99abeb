package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/zmylab/zmy"
	"github.com/zmylab/zmy/examples/order"
	"github.com/zmylab/zmy/internal/patience"
)

// convert converts a file to another of the samples.
func (s *samples) convert(t *testing.T, from, to string, args ...string) (code int, stderr string) {
	t.Helper()
	code, _, stderr = runs(t, append([]string{"convert", s.path(from), "-o", s.path(to)}, args...)...)
	return code, stderr
}

func (s *samples) read(t *testing.T, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(s.path(name))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestConvert: from any form to any other, and what comes back is what went in.
func TestConvert(t *testing.T) {
	s := makeSamples(t)
	for _, c := range []struct{ from, to, args string }{
		{"orders.ndjson", "1.stream", "-to stream -type T -compress zstd"},
		{"1.stream", "2.env", "-from stream -to envelope"},
		{"1.stream", "1.ndjson", ""},
		{"2.env", "2.ndjson", ""},
		{"2.env", "3.stream", "-from envelope -to stream -compress lz4 -no-schema"},
		{"3.stream", "4.ndjson", "-from stream -lossless -type T"},
		{"4.ndjson", "5.stream", "-to stream -lossless -type T"},
		{"5.stream", "6.ndjson", "-from stream"},
		{"order.zmy", "1.json", "-type T"},
		{"1.json", "2.json", "-type T"},
		{"2.json", "3.zmy", "-type T"},
		{"3.zmy", "4.stream", "-to stream"},
		{"4.stream", "5.zmy", "-from stream -type T"},
	} {
		args := strings.Fields(strings.ReplaceAll(c.args, "-type T", "-type "+orderType))
		if code, stderr := s.convert(t, c.from, c.to, args...); code != 0 || stderr != "" {
			t.Fatalf("%s to %s: exit %d, %s", c.from, c.to, code, stderr)
		}
	}
	for _, name := range []string{"1.ndjson", "2.ndjson", "6.ndjson"} {
		if !bytes.Equal(s.read(t, "orders.ndjson"), s.read(t, name)) {
			t.Errorf("the records changed on their way to %s", name)
		}
	}
	if !bytes.Equal(s.read(t, "1.json"), s.read(t, "2.json")) || !bytes.Equal(s.read(t, "3.zmy"), s.read(t, "5.zmy")) {
		t.Error("the record changed on its way")
	}
	var got, want order.Order
	if err := zmy.Unmarshal(s.read(t, "5.zmy"), &got); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(s.read(t, "order.json"), &want); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got.Items[0].Price.String(), want.Items[0].Price.String()) || got.ID != want.ID ||
		!got.Timestamp.Equal(want.Timestamp) {
		t.Errorf("got %+v\nwant %+v", got, want)
	}
	if files, _ := filepath.Glob(s.path(".*")); len(files) > 0 {
		t.Errorf("left behind: %v", files)
	}
}

// TestConvertErrors: what cannot be converted is named, and no half file is left.
func TestConvertErrors(t *testing.T) {
	s := makeSamples(t)
	lines := s.read(t, "orders.ndjson")
	first := bytes.IndexByte(lines, '\n') + 1
	bad := append(append(bytes.Clone(lines[:first]), "\n{\"id\":true}\nnot JSON\n{\"ID\":\"x\"}\n"...), lines[first:]...)
	s.write(t, "bad.ndjson", bad, nil)
	s.write(t, "order.bare", s.read(t, "order.zmy"), nil)
	two := append(s.read(t, "order.env"), s.read(t, "sum.env")...)
	s.write(t, "two.env", two, nil)
	for _, c := range []struct {
		from, to, args string
		code           int
		stderr         []string
	}{
		{"bad.ndjson", "o.stream", "-to stream -type T", 1,
			[]string{fmt.Sprintf("record 1 (line 3, offset %d): zmy: dynamic: JSON of Order.ID: a bool where a string belongs at offset 6",
				first+1)}},
		{"bad.ndjson", "ok.ndjson", "-type T -on-error skip", 0,
			[]string{"skipped record 1 (line 3", "skipped record 2 (line 4", `did you mean "id"?`, "25 records converted, 3 skipped"}},
		{"bad.ndjson", "o.ndjson", "-type T -on-error skip -drop-unknown", 0, []string{"26 records converted, 2 skipped"}},
		{"bad.zmy", "o.json", "-type T", 1, []string{"record 0 (offset 0): zmy: unmarshal Order.Items[3].Details.Description: invalid UTF-8"}},
		{"cut.stream", "o.ndjson", "-from stream", 1, []string{"record 24: zmy: read stream: unexpected end of input"}},
		{"two.env", "o.ndjson", "-from envelope", 1, []string{"record 1: envelope at offset ", "checksum does not match"}},
		{"orders.stream", "o.json", "-from stream", 1, []string{"there is more than one record", "-to ndjson"}},
		{"order.zmy", "o.json", "", 2, []string{"JSON needs the type"}},
		{"order.zmy", "o.json", "-type T -max 1K", 1, []string{"raise -max"}},
		{"order.json", "o.zmy", "-type T -max 1K", 1, []string{"larger than the limit"}},
		{"order.json", "o.zmy", "-type T -max 1X", 2, []string{"a size of 1 to 1G"}},
		{"order.zmy", "order.json", "-type T", 2, []string{"order.json exists; -force replaces it"}},
		{"order.zmy", "order.json", "-type T -force", 0, nil},
		{"order.bare", "o.json", "-type T", 2, []string{"which format has ", "order.bare? neither its name nor its first bytes say " +
			"it: -from json"}},
		{"order.env", "o.env", "", 2, []string{"what is to be written? no name of -o says it: -to json"}},
		{"order.zmy", "o.env", "", 2, []string{"what is to be written? no name of -o says it: -to json"}},
		{"order.zmy", "o.json", "-type T -compress zstd", 2, []string{"-compress is for envelopes and streams"}},
		{"order.zmy", "o.json", "-type T -to jsno", 2, []string{"did you mean json?"}},
		{"empty.zmy", "o.json", "-type T", 1, []string{"unexpected end of input"}},
		{"nowhere.zmy", "o.json", "-type T", 2, []string{"no such file"}},
		{"order.zmy", "no/o.json", "-type T", 2, []string{"no such file"}},
	} {
		t.Run(c.from+" "+c.args, func(t *testing.T) {
			_ = os.Remove(s.path("o" + filepath.Ext(c.to)))
			args := strings.Fields(strings.ReplaceAll(c.args, "-type T", "-type "+orderType))
			code, stderr := s.convert(t, c.from, c.to, args...)
			if code != c.code || len(c.stderr) == 0 && stderr != "" {
				t.Errorf("exit %d, want %d", code, c.code)
			}
			for _, part := range c.stderr {
				if !strings.Contains(stderr, part) {
					t.Errorf("it does not say %q", part)
				}
			}
			if _, err := os.Stat(s.path(c.to)); (err == nil) != (code == 0 || c.to == "order.json") {
				t.Errorf("the output: %v", err)
			}
			if files, _ := filepath.Glob(s.path(".*")); len(files) > 0 {
				t.Errorf("left behind: %v", files)
			}
			if t.Failed() {
				t.Log(stderr)
			}
		})
	}
	if !bytes.Equal(s.read(t, "ok.ndjson"), lines) {
		t.Error("skipping changed the other records")
	}
}

// endless gives the same lines until so many bytes are out, and looks at the heap
// meanwhile.
type endless struct {
	line []byte
	left int
	rest []byte
	peak *atomic.Uint64
	next int
}

func (e *endless) Read(b []byte) (int, error) {
	if e.left <= 0 && len(e.rest) == 0 {
		return 0, io.EOF
	}
	if len(e.rest) == 0 {
		e.rest = e.line
		e.left -= len(e.line)
	}
	n := copy(b, e.rest)
	e.rest = e.rest[n:]
	if e.next -= n; e.next < 0 {
		e.next = 4 << 20
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		e.peak.Store(max(e.peak.Load(), m.HeapInuse))
	}
	return n, nil
}

// TestConvertLarge: 200 MB pass in bounded memory.
func TestConvertLarge(t *testing.T) {
	if testing.Short() {
		t.Skip("converts 200 MB")
	}
	s := makeSamples(t)
	var peak atomic.Uint64
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	before := m.HeapInuse
	stdin = &endless{line: s.read(t, "orders.ndjson"), left: 200_000_000, peak: &peak}
	defer func() { stdin = os.Stdin }()
	start := time.Now()
	var errs bytes.Buffer
	count := &counter{}
	code := dispatch(t.Context(), &console{count, &errs}, []string{"convert", "-from", "ndjson", "-to", "stream", "-type", orderType})
	if code != 0 || errs.Len() > 0 {
		t.Fatalf("exit %d, %s", code, &errs)
	}
	more := int(peak.Load()-before) >> 20
	t.Logf("%d MB became %d MB in %s; the heap grew by %d MB", 200, count.n>>20, time.Since(start).Round(time.Second), more)
	if more > 64 {
		t.Errorf("the heap grew by %d MB", more)
	}
}

type counter struct{ n int }

func (c *counter) Write(b []byte) (int, error) { c.n += len(b); return len(b), nil }

// TestConvertCtrlC: no half file, exit code 130, also while the input is silent.
func TestConvertCtrlC(t *testing.T) {
	bin := zmyCommand(t)
	s := makeSamples(t)
	out := s.path("out.stream")
	ctx, cancel := context.WithTimeout(t.Context(), patience.For(time.Minute))
	defer cancel()
	cmd := exec.CommandContext(ctx, bin, "convert", "-from", "ndjson", "-to", "stream", "-type", orderType, "-o", out)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	var errs bytes.Buffer
	cmd.Stderr = &errs
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := in.Write(s.read(t, "orders.ndjson")); err != nil {
		t.Fatal(err)
	}
	for { // until it is under way
		if files, _ := filepath.Glob(s.path(".out*")); len(files) == 1 {
			break
		}
		if time.Sleep(20 * time.Millisecond); ctx.Err() != nil {
			t.Fatal("it does not begin")
		}
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	err = cmd.Wait()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != exitStopped || !strings.Contains(errs.String(), "was not written") {
		t.Errorf("ended with %v: %s", err, &errs)
	}
	if files, _ := filepath.Glob(s.path("*out*")); len(files) > 0 {
		t.Errorf("left behind: %v", files)
	}
}

// TestConvertFlows: a record comes out before the next one goes in.
func TestConvertFlows(t *testing.T) {
	s := makeSamples(t)
	r, w := io.Pipe()
	stdin = r
	defer func() { stdin = os.Stdin }()
	outR, outW := io.Pipe()
	done := make(chan int, 1)
	go func() {
		done <- dispatch(t.Context(), &console{outW, io.Discard}, []string{"convert", "-from", "ndjson", "-to", "ndjson", "-type", orderType})
		outW.Close()
	}()
	line := s.read(t, "orders.ndjson")
	line = line[:bytes.IndexByte(line, '\n')+1]
	for range 3 {
		if _, err := w.Write(line); err != nil {
			t.Fatal(err)
		}
		got := make([]byte, len(line))
		if _, err := io.ReadFull(outR, got); err != nil || !bytes.Equal(got, line) {
			t.Fatalf("%v\n got %s\nwant %s", err, got, line)
		}
	}
	w.Close()
	if rest, _ := io.ReadAll(outR); len(rest) > 0 || <-done != 0 {
		t.Errorf("%q", rest)
	}
}

func TestProgressLine(t *testing.T) {
	for _, c := range []struct {
		n, size, records int64
		want             string
	}{
		{0, 0, 0, "0 bytes · 0 records · 0 bytes/s"},
		{50 << 20, 200 << 20, 7, " 25% of 200 MiB · 7 records · 25 MiB/s · 6s left"},
	} {
		if got := progressLine(c.n, c.size, c.records, 2*time.Second); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
