package capture_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/zmylab/zmy/internal/cputime"
)

// The environment of a process that TestCounted runs in, under callgrind.
const (
	countedSubject = "ZMY_CAPTURE_COUNTED" // name of the subject
	countedDir     = "ZMY_CAPTURE_DIR"     // folder with the documents
)

// counted returns a function that counts the instructions of the ways of a subject.
func counted(t *testing.T) func(t *testing.T, s *subject, sets ...[][]byte) [][]cost {
	if _, err := exec.LookPath("valgrind"); err != nil && !*timed {
		t.Skip("valgrind is not installed (Debian: apt install valgrind); -timed measures processor time instead")
	}
	// This program has no names of functions, which callgrind needs: go test leaves them out unless it
	// only compiles.
	program := filepath.Join(t.TempDir(), "counted.test")
	if !*timed {
		if text, err := exec.Command("go", "test", "-c", "-o", program, ".").CombinedOutput(); err != nil {
			t.Fatalf("go test -c: %v\n%s", err, text)
		}
	}
	return func(t *testing.T, s *subject, sets ...[][]byte) (out [][]cost) {
		for i, docs := range sets {
			dir := filepath.Join(*keep, s.name, strconv.Itoa(i))
			if *keep == "" {
				dir = t.TempDir()
			}
			out = append(out, count(t, program, dir, s, docs))
		}
		return out
	}
}

// count counts the instructions of the ways in a process of their own: codecs learn from the values
// that they have seen, and those of the other set are none of them.
func count(t *testing.T, program, dir string, s *subject, docs [][]byte) (out []cost) {
	text, err := json.Marshal(docs)
	if err == nil {
		err = errors.Join(os.MkdirAll(dir, 0o700), os.WriteFile(filepath.Join(dir, "documents"), text, 0o600))
	}
	if err != nil {
		t.Fatal(err)
	}
	files := filepath.Join(dir, "counts")
	cmd := exec.Command("valgrind", "--tool=callgrind", "--quiet", "--separate-threads=yes", "--dump-before=*.countMark",
		"--callgrind-out-file="+files, program, "-test.run=^TestCounted$")
	cmd.Env = append(os.Environ(), countedSubject+"="+s.name, countedDir+"="+dir,
		"GOGC=off", "GOMAXPROCS=1", "GODEBUG=asyncpreemptoff=1,memprofilerate=0")
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s under callgrind: %v\n%s", s.name, err, text)
	}
	ways, err := s.ways(docs)
	if err != nil {
		t.Fatal(err)
	}
	mark := 0
	for _, w := range ways {
		least := math.Inf(1)
		for range counts {
			mark += 2
			least = min(least, dumped(t, files, mark)/float64(len(docs)))
		}
		out = append(out, cost{w.codec, w.op, least})
	}
	return out
}

// counts is how often a way is counted. The least counts: in some rounds the heap grows, or the runtime
// seeds a map anew.
const counts = 3

// TestCounted is the program that callgrind runs: each way once to warm up, and then between marks.
func TestCounted(t *testing.T) {
	dir := os.Getenv(countedDir)
	if dir == "" {
		t.Skip("TestRatios runs it under callgrind")
	}
	at := slices.IndexFunc(subjects, func(s subject) bool { return s.name == os.Getenv(countedSubject) })
	text, err := os.ReadFile(filepath.Join(dir, "documents"))
	if err != nil {
		t.Fatal(err)
	}
	var docs [][]byte
	if err := json.Unmarshal(text, &docs); err != nil {
		t.Fatal(err)
	}
	ways, err := subjects[at].ways(docs)
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range ways {
		w.run()
		for range counts {
			countMark()
			w.run()
			countMark()
		}
	}
}

// countMark does nothing. Callgrind begins a new count before it, so it must stay a call.
//
//go:noinline
func countMark() {}

var totals = regexp.MustCompile(`(?m)^(?:totals|summary): (\d+)`)

// dumped returns the instructions of a count: those of the thread with the most of them. Other threads
// watch the clock.
func dumped(t *testing.T, name string, n int) (most float64) {
	threads, _ := filepath.Glob(fmt.Sprintf("%s.%d-*", name, n))
	for _, file := range threads {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if m := totals.FindSubmatch(text); m != nil {
			x, _ := strconv.ParseFloat(string(m[1]), 64)
			most = max(most, x)
		}
	}
	if most == 0 {
		t.Fatalf("callgrind wrote no count number %d", n)
	}
	return most
}

// clocked measures the ways of a subject in processor time: by turns, in shuffled order.
func clocked(t *testing.T, s *subject, sets ...[][]byte) (out [][]cost) {
	type turn struct {
		way
		set, passes, docs int
		times             []float64
	}
	now := func() time.Duration {
		if d, ok := cputime.Process(); ok {
			return d
		}
		return time.Duration(time.Now().UnixNano())
	}
	var all []*turn
	for i, docs := range sets {
		ways, err := s.ways(docs)
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range ways {
			all = append(all, &turn{way: w, set: i, docs: len(docs)})
		}
	}
	run := func(x *turn) time.Duration {
		start := now()
		for range x.passes {
			x.run()
		}
		return now() - start
	}
	for _, x := range all {
		for x.passes = 1; run(x) < time.Millisecond; x.passes *= 2 {
		}
	}
	shuffled, r := slices.Clone(all), rand.New(rand.NewPCG(1, 2))
	for range 150 {
		r.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		for _, x := range shuffled {
			x.times = append(x.times, float64(run(x))/float64(x.passes*x.docs))
		}
	}
	out = make([][]cost, len(sets))
	for _, x := range all {
		out[x.set] = append(out[x.set], cost{x.codec, x.op, calm(x.times)})
	}
	return out
}

// calm returns the 10% quantile: other programs only ever add time.
func calm(times []float64) float64 {
	slices.Sort(times)
	return times[len(times)/10]
}
