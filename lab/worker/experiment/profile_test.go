package experiment

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/pprof/profile"

	"github.com/zmylab/zmy/lab/worker"
)

// The profiles have samples of the op under the op's label, and allocations that agree
// with those the runtime counted.
func TestProfile(t *testing.T) {
	var made []byte
	b := loadBench(func([]byte) { made = make([]byte, 1<<10) }) // what encoding/json allocates depends on the version of Go
	defer runtime.KeepAlive(made)
	dir := t.TempDir()
	a := &worker.ProfileArgs{Op: "decode", Mode: "fresh", For: 300 * time.Millisecond,
		CPU: filepath.Join(dir, "cpu"), Before: filepath.Join(dir, "before"), After: filepath.Join(dir, "after")}
	got, err := b.profile(a)
	if err != nil {
		t.Fatal(err)
	}
	if got.Ops == 0 || got.Ops%len(b.Vals) != 0 || got.Heap == 0 || got.Bytes == 0 {
		t.Errorf("%+v", got)
	}
	read := func(name string) *profile.Profile {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		p, err := profile.Parse(f)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	labelled := 0
	for _, s := range read(a.CPU).Sample {
		if slices.Contains(s.Label["op"], "decode") && slices.Contains(s.Label["codec"], b.Codec.Name) {
			labelled++
		}
	}
	if labelled == 0 {
		t.Error("no sample carries the op's label")
	}
	sum := func(p *profile.Profile) (n float64) {
		for _, s := range p.Sample {
			of := func(l *profile.Location) bool {
				return slices.ContainsFunc(l.Line, func(x profile.Line) bool { return strings.Contains(x.Function.Name, "TestProfile.func") })
			}
			if slices.ContainsFunc(s.Location, of) {
				n += float64(s.Value[1]) // alloc_space
			}
		}
		return n
	}
	if bytes := sum(read(a.After)) - sum(read(a.Before)); bytes < 0.6*got.Bytes || bytes > 1.4*got.Bytes {
		t.Errorf("the profile says %.0f bytes, the runtime %.0f", bytes, got.Bytes)
	}
	if _, err := b.profile(&worker.ProfileArgs{Op: "decode", Mode: "none"}); err == nil {
		t.Error("no error for a mode that there is not")
	}
}

func TestWorst(t *testing.T) {
	b := loadBench(func([]byte) {})
	file := filepath.Join(t.TempDir(), "trace")
	got, err := b.worst(&worker.WorstArgs{Op: "encode", Mode: "fresh", For: 100 * time.Millisecond, Trace: file})
	if err != nil {
		t.Fatal(err)
	}
	if got.N == 0 || got.Ns < got.Median || got.Ns < got.P99 || got.Bytes == 0 {
		t.Errorf("%+v", got)
	}
	if text, err := os.ReadFile(file); got.Traced && (err != nil || !strings.HasPrefix(string(text), "go 1.")) {
		t.Errorf("no trace: %v, %.20q", err, text)
	}
}
