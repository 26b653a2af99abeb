package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/zmylab/zmy/lab/report"
	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/lab/run/runtest"
	"github.com/zmylab/zmy/lab/stats"
)

// reports writes the reports of two runs, of which the second has a slower goccy.
func reports(t *testing.T, change func(b *run.Run)) (a, b string) {
	t.Helper()
	a, b = filepath.Join(t.TempDir(), "a"), filepath.Join(t.TempDir(), "b")
	for i, dir := range []string{a, b} {
		r := runtest.Order(runtest.Options{Seed: uint64(i), Rounds: 9, Launches: 5})
		if i == 1 {
			change(r)
		}
		stats.Fill(r)
		if err := report.WriteDir(dir, r); err != nil {
			t.Fatal(err)
		}
	}
	return a, b
}

func TestCompare(t *testing.T) {
	slower := func(r *run.Run) {
		for _, c := range r.Cells {
			for i := range c.Samples {
				if c.Codec == "goccy" && c.Op == stats.Decode {
					c.Samples[i].Wall *= 1.3
					c.Samples[i].CPU *= 1.3
				}
			}
		}
	}
	a, b := reports(t, slower)
	away, there := reports(t, func(r *run.Run) { r.Host.CPU = "another" })
	for _, c := range []struct {
		args []string
		code int
		out  string
		err  string
	}{
		{[]string{a, b}, exitOK, "▶ goccy decode fresh is slower: 0.7", ""},
		{[]string{filepath.Join(a, "run.json"), b, "-format", "md"}, exitOK, "| goccy | decode | fresh |", ""},
		{[]string{a, b, "-format", "html"}, exitOK, "<!doctype html>", ""},
		{[]string{a, b, "-format", "csv"}, exitOK, "compare,table,Times,goccy,verdict,,slower", ""},
		{[]string{away, there}, exitInconclusive, "these runs come from two machines", ""},
		{[]string{away, there, "-across"}, exitOK, "may be the machines", ""},
		{[]string{a}, exitUsage, "", "name two runs"},
		{[]string{a, a + "/none.json"}, exitUsage, "", "there is no such file"},
		{[]string{a, b, "-format", "pdf"}, exitUsage, "", "choose table, md"},
		{[]string{a, b, "-acros"}, exitUsage, "", "did you mean -across?"},
	} {
		var out, errs bytes.Buffer
		code := dispatch(t.Context(), &console{&out, &errs}, append([]string{"lab", "compare"}, c.args...))
		if code != c.code || !strings.Contains(strings.Join(strings.Fields(out.String()), " "), c.out) ||
			!strings.Contains(errs.String(), c.err) {
			t.Errorf("%q: exit %d, want %d with %q and %q\n%.900s%s", c.args, code, c.code, c.out, c.err, &out, &errs)
		}
	}
	var out bytes.Buffer
	if code := dispatch(t.Context(), &console{&out, io.Discard},
		[]string{"lab", "compare", a, b, "-format", "json"}); code != exitOK || !json.Valid(out.Bytes()) {
		t.Errorf("-format json: exit %d", code)
	}
}

// TestView: the address that is printed serves the report until the program is ended.
func TestView(t *testing.T) {
	dir, _ := reports(t, func(*run.Run) {})
	cmd := exec.Command(zmyCommand(t), "lab", "view", dir)
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Process.Kill()
	line, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil || !strings.HasPrefix(line, "http://127.0.0.1:") {
		t.Fatalf("%q %v", line, err)
	}
	res, err := http.Get(strings.TrimSpace(line))
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if page, err := io.ReadAll(res.Body); err != nil || !strings.Contains(string(page), "order.Order") {
		t.Errorf("%d bytes (%v)", len(page), err)
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("Ctrl-C: %v, want exit 0", err)
	}
}
