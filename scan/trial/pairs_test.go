package trial

import (
	"flag"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/zmylab/zmy/internal/longtest"
	"github.com/zmylab/zmy/lab"
	"github.com/zmylab/zmy/lab/contender/table"
	"github.com/zmylab/zmy/scan"
	"github.com/zmylab/zmy/scan/adopt"
)

var (
	update = flag.Bool("update", false, "write the table of docs/results/loop.md")
	only   = flag.String("only", "", "regular expression of pairs to measure: relay/goccy")
)

// services are the programs whose codec is changed, with arguments by which a run takes three seconds and more, so that costs which
// occur once, as sonic's compiler, count for little.
var services = []struct {
	name, dir string
	args      []string
}{
	{"shop", "../../examples/shop", []string{"-config", `{"orders": 500, "requests": 120000}`}},
	{"relay", "testdata/relay", []string{"-pushes", "600000"}},
	{"meter", "testdata/meter", []string{"-batches", "90000"}},
}

// codecs are what the services use before the change: how calls of encoding/json are spelled with them.
var codecs = []struct{ name, path, as, call string }{
	{"encoding/json", "", "", ""},
	{"goccy", "github.com/goccy/go-json@v0.12.0", "json", "json."},
	{"jsoniter", "github.com/json-iterator/go@v1.1.12", "jsoniter", "jsoniter.ConfigCompatibleWithStandardLibrary."},
	{"sonic", "github.com/bytedance/sonic@latest", "sonic", "sonic.ConfigStd."},
}

var call = regexp.MustCompile(`\bjson\.(Marshal|Unmarshal|NewEncoder|NewDecoder)\(`)

// service copies a service, and gives it a codec.
func service(t *testing.T, from, path, as, spelled string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(dir, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	if path == "" {
		return dir
	}
	module, _, _ := strings.Cut(path, "@")
	err = filepath.WalkDir(dir, func(name string, _ os.DirEntry, err error) error {
		if err != nil || filepath.Ext(name) != ".go" {
			return err
		}
		text, err := os.ReadFile(name)
		if err != nil || !call.Match(text) {
			return err
		}
		out := call.ReplaceAllString(string(text), spelled+"$1(")
		return os.WriteFile(name, []byte(strings.Replace(out, `"encoding/json"`, fmt.Sprintf("%s %q", as, module), 1)), 0o644)
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"get", path}, {"mod", "tidy"}, {"build", "-o", os.DevNull, "./..."}} {
		cmd := exec.Command("go", args...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOWORK=off")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out)
		}
	}
	return dir
}

// TestPairs changes the codec of three services, each with four codecs before, and compares what is saved with the prediction.
func TestPairs(t *testing.T) {
	longtest.Only(t, "changes twelve programs, and measures them for minutes each")
	clone, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	which := regexp.MustCompile(*only)
	var rows []string
	near, within := 0, 0
	for _, s := range services {
		for _, c := range codecs {
			name := s.name + "/" + c.name
			if !which.MatchString(name) {
				continue
			}
			t.Run(name, func(t *testing.T) {
				dir := service(t, s.dir, c.path, c.as, c.call)
				o := adopt.Options{Dir: dir, Runtime: clone, NoTests: true}
				start := time.Now()
				r, err := adopt.Run(t.Context(), o)
				if err != nil {
					t.Fatal(err)
				}
				out, err := Run(t.Context(), r, o, Options{What: ".", Args: append(s.args, "-cpuprofile", "{cpu}", "-memprofile", "{heap}"),
					Scan:  scan.Options{Lab: lab.Options{Table: table.All(), Depth: lab.Quick, Seed: 1, Runtime: clone}},
					Doing: func(s string) { t.Logf("%4.0f s: %s", time.Since(start).Seconds(), s) }})
				if err != nil {
					t.Fatal(err)
				}
				var text strings.Builder
				if err := out.Text(&text); err != nil {
					t.Fatal(err)
				}
				t.Log(text.String())
				x := out.Rows[0]
				if x.Predicted == nil {
					t.Fatal(x.Why)
				}
				off := x.Saved.Point/x.Predicted.Point - 1
				if math.Abs(off) <= 0.2 {
					near++
				}
				if x.Saved.Point >= x.Predicted.Lo && x.Saved.Point <= x.Predicted.Hi {
					within++
				}
				if (x.Saved.Point > 0) != (x.Predicted.Point > 0) {
					t.Errorf("the sign is wrong: saved %s, predicted %s", percent(x.Saved), percent(*x.Predicted))
				}
				rows = append(rows, fmt.Sprintf("| %s | %s | %d | %.2f s → %.2f s | %s | %s | %+.0f%% | %s |", s.name, c.name, len(r.Sites),
					x.Before/1e9, x.After/1e9, percent(x.Saved), percent(*x.Predicted), 100*off, x.Verdict()))
			})
		}
	}
	t.Logf("%d of %d within 20%% of the prediction, %d within its interval\n%s", near, len(rows), within, strings.Join(rows, "\n"))
	if !*update {
		return
	}
	const page = "../../docs/results/loop.md"
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, ok := strings.Cut(string(text), "<!-- pairs -->\n")
	_, tail, ends := strings.Cut(rest, "<!-- /pairs -->")
	if !ok || !ends || len(rows) < len(services)*len(codecs) {
		t.Fatal("the page has no marks, or pairs are missing")
	}
	body := "\n| service | codec before | sites | CPU time of a run | saved | predicted | saved ÷ predicted | |\n|---|---|--:|--:|--:|--:|--:|---|\n" +
		strings.Join(rows, "\n") +
		fmt.Sprintf("\n\n%d of %d savings are within 20%% of the prediction, %d within its interval.\n\n", near, len(rows), within)
	if err := os.WriteFile(page, []byte(head+"<!-- pairs -->\n"+body+"<!-- /pairs -->"+tail), 0o644); err != nil {
		t.Fatal(err)
	}
}
