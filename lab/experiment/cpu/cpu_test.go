package cpu

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/zmylab/zmy/lab/callgrind"
	"github.com/zmylab/zmy/lab/run"
)

// machine writes a tree as Linux describes nodes.
func machine(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestTopology reads a machine with two nodes and one that is memory only.
func TestTopology(t *testing.T) {
	dir := machine(t, map[string]string{
		"node0/cpulist": "0-3,8-11\n", "node0/distance": "10 21 30\n",
		"node0/meminfo": "Node 0 MemTotal:       16777216 kB\nNode 0 MemFree: 1 kB\n",
		"node1/cpulist": "4-7,12-15\n", "node1/distance": "21 10 30\n", "node1/meminfo": "Node 1 MemTotal:       33554432 kB\n",
		"node10/cpulist": "\n", "node10/distance": "30 30 10\n", "possible": "0-1,10\n", "node_x/cpulist": "9",
	})
	got, err := topology(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != 3 || got[1].ID != 1 || !slices.Equal(got[1].CPUs, []int{4, 5, 6, 7, 12, 13, 14, 15}) || got[0].Bytes != 16<<30 ||
		!slices.Equal(got[0].Distance, []int{10, 21, 30}) || len(got[2].CPUs) != 0 {
		t.Errorf("%+v", got)
	}
	mine := usable(got, []int{2, 3, 12})
	if len(mine) != 2 || !slices.Equal(mine[0].CPUs, []int{2, 3}) || !slices.Equal(mine[1].CPUs, []int{12}) {
		t.Errorf("usable: %+v", mine)
	}
	if s := describe(mine); !strings.Contains(s, "node 0 with 2 processors and 16 GiB and node 1") || !strings.Contains(s, "distance 30") {
		t.Error(s)
	}
	if s := describe(mine[:1]); !strings.Contains(s, "equally near") {
		t.Error(s)
	}
}

func TestTopologyRefuses(t *testing.T) {
	for _, files := range []map[string]string{
		{"empty": ""},
		{"node0/cpulist": "0-"},
		{"node0/cpulist": "3-1"},
		{"node0/cpulist": "0-99999999"},
		{"node0/cpulist": "0", "node0/distance": "near"},
		{"node0/distance": "10"},
	} {
		if got, err := topology(machine(t, files)); err == nil {
			t.Errorf("%v was read as %+v", files, got)
		}
	}
}

func TestSchedTrace(t *testing.T) {
	s := schedTrace(`noise of a program
SCHED 0ms: gomaxprocs=2 idleprocs=1 threads=5 spinningthreads=1 needspinning=0 idlethreads=0 runqueue=0 [0 4] schedticks=[ 1 2 ]
SCHED 10ms: gomaxprocs=2 idleprocs=0 threads=6 spinningthreads=0 needspinning=1 idlethreads=0 runqueue=6 [2 2 ]
SCHED 20ms: cut o`)
	if want := (Sched{Lines: 2, Procs: 2, Idle: 0.5, Threads: 6, Spinning: 0.5, Global: 3, Local: 4, Uneven: 2}); s != want {
		t.Errorf("%+v, want %+v", s, want)
	}
	if s := schedTrace("nothing"); s.Lines != 0 {
		t.Errorf("%+v", s)
	}
}

func TestSteps(t *testing.T) {
	for n, want := range map[int]string{1: "[1 2]", 2: "[1 2 4]", 6: "[1 2 4 6 12]"} {
		if got := fmt.Sprint(steps(n)); got != want {
			t.Errorf("%d processors: %s, want %s", n, got, want)
		}
	}
}

func TestFindings(t *testing.T) {
	load := func(codec, place string, procs int, rate, cpu float64) *Load {
		return &Load{Codec: codec, Place: place, Procs: procs, Rate: []float64{rate, 1.01 * rate, 1.02 * rate},
			CPU: []float64{cpu, 1.01 * cpu, 1.02 * cpu}}
	}
	way := func(name string, ns float64) Way {
		return Way{Name: name, CPU: []float64{ns, 1.01 * ns, 0.99 * ns, ns, ns, ns}, Each: []int{2, 2, 2}}
	}
	res := &Result{Codecs: []string{run.Baseline, "c"},
		Scale: []*Load{load(run.Baseline, "", 1, 100, 10), load(run.Baseline, "", 4, 150, 20), load("c", "", 1, 200, 5),
			load("c", "", 4, 780, 5)},
		Places: []*Load{load(run.Baseline, "one processor", 1, 100, 10), load("c", "one processor", 1, 190, 5)},
		Sched:  []Traced{{"c", Sched{Procs: 4, Idle: 1}}},
		Counts: []*Count{{run.Baseline, "encode", callgrind.Counts{Ir: 30_000}}, {"c", "encode", callgrind.Counts{Ir: 3000}}},
		Walks:  []Way{way("encode", 1000), way("reflective walk", 600), way("walk by offsets", 100)}}
	s := strings.Join(findings(res, 4), "\n")
	for _, want := range []string{"c takes the fewest instructions to encode, 3000, against 30,000", "c gains most, 3.9 times",
		run.Baseline + " least, 1.5 times",
		"less CPU time, of what it takes anywhere: " + run.Baseline + " (50%)", "something waits: c (25%",
		"encodes a value in 1 µs; to come by its fields takes 600 ns by package reflect and 100 ns by offsets: 6 times."} {
		if !strings.Contains(s, want) {
			t.Errorf("%q is missing from:\n%s", want, s)
		}
	}
}
