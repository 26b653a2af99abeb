package release

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/zmylab/zmy/lab/follow"
	labreport "github.com/zmylab/zmy/lab/report"
	"github.com/zmylab/zmy/lab/stats"
)

// within logs how long something has taken since start. It fails if that is more than most, unless the
// machine has more to do than it has processors.
func within(t *testing.T, start time.Time, most time.Duration, what string) {
	t.Helper()
	took, load := time.Since(start).Round(time.Second), loadOf()
	t.Logf("%s: %v, with a load of %.1f on %d processors", what, took, load, runtime.NumCPU())
	if took <= most {
		return
	}
	if load > 1.5*float64(runtime.NumCPU()) {
		t.Logf("NOT JUDGED: %s may take %v; the machine was too busy to tell", what, most)
		return
	}
	t.Errorf("%s took %v; want at most %v", what, took, most)
}

// loadOf returns how many processes wanted a processor in the last five minutes, 0 if the system does not say.
func loadOf() float64 {
	text, err := os.ReadFile("/proc/loadavg")
	if words := strings.Fields(string(text)); err == nil && len(words) > 1 {
		if load, err := strconv.ParseFloat(words[1], 64); err == nil {
			return load
		}
	}
	return 0
}

// trip carries an Order there and back by the calls that a report advises.
const trip = `package shop

import (
	"reflect"
	"testing"
	"time"
)

func TestTrip(t *testing.T) {
	v := Order{ID: "a", Total: 1.5, At: time.Unix(1, 0).UTC(), Tags: []string{"x"}}
	back, b, err := roundTrip(v)
	if err != nil || len(b) == 0 || !reflect.DeepEqual(v, back) {
		t.Fatalf("%v: %q: %+v became %+v", err, b, v, back)
	}
}
`

// steps: what the report says to do next, in the form for a release, works in a copy of the reader's
// module: for fxjson and for ZMY native, whichever the run has picked.
func (r *rehearsal) steps(t *testing.T, report, module string) {
	result, err := labreport.ReadJSON(strings.NewReader(text(t, filepath.Join(report, "run.json"))))
	if err != nil {
		t.Fatal(err)
	}
	for _, codec := range []string{"fxjson", "zmy"} {
		steps := stats.Steps(result, codec)
		t.Run("steps "+codec, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "shop")
			if err := os.CopyFS(dir, os.DirFS(module)); err != nil {
				t.Fatal(err)
			}
			for _, s := range steps {
				t.Logf("%s: %s\n%s", s.Kind, s.Do, s.Code)
				if strings.Contains(s.Code, "git clone") || strings.Contains(s.Code, "-replace") {
					t.Errorf("a step for a clone, of a release: %s", s.Code)
				}
			}
			if err := follow.Steps(t.Context(), dir, r.env, steps); err != nil {
				t.Fatal(err)
			}
			calls, ok := follow.ReadCalls(steps)
			if !ok {
				t.Fatalf("no calls in %+v", steps)
			}
			write(t, filepath.Join(dir, "calls.go"), calls.Source("shop", "roundTrip", "Order"))
			write(t, filepath.Join(dir, "trip_test.go"), trip)
			r.in(t, dir, "go", "test", ".")
			if mod := text(t, filepath.Join(dir, "go.mod")); !strings.Contains(mod, "github.com/zmylab/zmy "+r.last.Version) {
				t.Errorf("the library is not required at %s:\n%s", r.last.Version, mod)
			}
		})
	}
}

// block is a block of a page: what stands behind its ```, and its lines.
type block struct{ info, text string }

// blocks returns the blocks of README.md from one heading to another.
func blocks(t *testing.T, from, to string) (all []block) {
	t.Helper()
	_, page, ok := strings.Cut(text(t, "../../README.md"), "\n"+from+"\n")
	page, _, ends := strings.Cut(page, "\n"+to+"\n")
	if !ok || !ends {
		t.Fatalf("README.md has no part from %s to %s", from, to)
	}
	parts := strings.Split("\n"+page, "\n```")
	for i := 1; i < len(parts); i += 2 {
		info, body, _ := strings.Cut(parts[i], "\n")
		all = append(all, block{info, body + "\n"})
	}
	return all
}

// readme: a reader does what README.md says under Generate, block by block, with a release: its first
// block stands in place of the one for a clone. Caches have what the lab's first run, from empty ones,
// left in them.
func (r *rehearsal) readme(t *testing.T) {
	fresh := *r
	fresh.bin = filepath.Join(t.TempDir(), "bin")
	fresh.env = append(fresh.env, "GOBIN="+fresh.bin, "PATH="+fresh.bin+string(filepath.ListSeparator)+os.Getenv("PATH"))
	r = &fresh

	dir, start, ran := filepath.Join(t.TempDir(), "shop"), time.Now(), 0
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	r.in(t, dir, "go", "mod", "init", "example.org/shop")
	all := blocks(t, "## Generate", "## Run")
	for i, b := range all {
		kind, arg, _ := strings.Cut(b.info, " ")
		switch {
		case kind == "go":
			write(t, filepath.Join(dir, arg), b.text)
			continue
		case kind == "text" && arg == "", kind == "sh" && strings.Contains(b.text, "-replace github.com/zmylab/zmy="):
			continue
		}
		ran++
		out, err := r.shell(t, dir, b.text)
		if failed := err != nil; failed != (arg == "fails") {
			t.Fatalf("%s%v\n%s", b.text, err, out)
		}
		if next := i + 1; next < len(all) && all[next].info == "text" && !strings.Contains(out, all[next].text) {
			t.Errorf("%sprints\n%s\nREADME.md says\n%s", b.text, out, all[next].text)
		}
		if strings.Contains(b.text, "go run .") {
			within(t, start, 10*time.Minute, "fxjson and ZMY native in a program, by README.md")
		}
	}
	if ran < 4 {
		t.Errorf("README.md has %d blocks to run", ran)
	}
}

// shell runs lines of a page and returns what they print.
func (r *rehearsal) shell(t *testing.T, dir, lines string) (string, error) {
	start := time.Now()
	cmd := exec.Command("sh", "-e", "-c", lines)
	cmd.Dir, cmd.Env = dir, r.env
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	t.Logf("%4.0f s  %q", time.Since(start).Seconds(), lines)
	return out.String(), err
}
