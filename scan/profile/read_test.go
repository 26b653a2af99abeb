package profile_test

import (
	"bytes"
	"context"
	"errors"
	"go/token"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime/pprof"
	"strings"
	"testing"
	"time"

	pprofile "github.com/google/pprof/profile"

	"github.com/zmylab/zmy/scan/internal/proftest"
	"github.com/zmylab/zmy/scan/profile"
	"github.com/zmylab/zmy/scan/site"
)

// TestRefused: what is wrong with a profile, and what to do.
func TestRefused(t *testing.T) {
	good := proftest.CPU(t, 1, proftest.Stack{N: 5000, Frames: []string{main}})
	heap := proftest.Heap(t, proftest.Stack{N: 5, Bytes: 5000, Frames: []string{main}})
	var routines bytes.Buffer
	if err := pprof.Lookup("goroutine").WriteTo(&routines, 0); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		data []byte
		kind profile.Kind
		want string
	}{
		{"empty", nil, profile.CPU, "it is empty; the program that wrote it may still be running"},
		{"truncated", good[:len(good)-20], profile.CPU, "the end of the file is missing"},
		{"head only", good[:6], profile.CPU, "the end of the file is missing"},
		{"text", []byte("hello"), profile.CPU, "it is not a pprof profile: "},
		{"web page", []byte("\n<!DOCTYPE html><title>Login"), profile.CPU, "it is a web page, not a profile; name the address that downloads it"},
		{"heap as cpu", heap, profile.CPU, "it is a heap profile, not a CPU profile; give it as -heap"},
		{"cpu as heap", good, profile.Alloc, "it is a CPU profile, not a heap profile; give it as -cpu"},
		{"goroutines", routines.Bytes(), profile.CPU, "it is a profile of goroutines; take one under load by: curl -o cpu.pprof"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := profile.Parse(c.data, "x.pprof", c.kind)
			if !errors.As(err, new(*profile.Error)) || !strings.HasPrefix(err.Error(), "profile x.pprof: "+c.want) {
				t.Errorf("got %v\nwant profile x.pprof: %s", err, c.want)
			}
		})
	}
}

// TestCheck: profiles that say nothing about the code base.
func TestCheck(t *testing.T) {
	for _, c := range []struct {
		name   string
		stacks []proftest.Stack
		want   string
	}{
		{"no samples", nil, "it has no CPU samples: the program was idle"},
		{"another program", []proftest.Stack{{N: 9, Frames: []string{stdTop, "main.main /src/other/main.go:1"}}},
			"no function of example.org/shop is in it: it is of another program (its outermost package is main, /src/other/main.go)"},
		{"stripped", []proftest.Stack{{N: 9, Frames: nil}, {N: 1, Frames: []string{main}}}, "90% of its samples have no function names"},
		{"usable", []proftest.Stack{{N: 9, Frames: []string{main}}}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := attribute(t, nil, c.stacks...).Check(program.Modules)
			if got := ""; err != nil {
				if got = err.Error(); c.want == "" || !strings.HasPrefix(got, "profile test: "+c.want) {
					t.Errorf("got %v, want %s", err, c.want)
				}
			} else if c.want != "" {
				t.Errorf("accepted, want %s", c.want)
			}
		})
	}
	few := attribute(t, nil, proftest.Stack{N: 2, Frames: []string{main}}, proftest.Stack{N: 98, Frames: []string{"net/http.serve /s.go:1"}})
	if w := few.Few(); !strings.HasPrefix(w, "only 2.0% of the samples of test have a function of the code base") {
		t.Errorf("no warning about few samples: %q", w)
	}
}

// TestMainOfAnother: main.main of a command in the module's folder is told from that of another program by its
// lines and by its other functions.
func TestMainOfAnother(t *testing.T) {
	here := profile.Program{Modules: []string{"example.org/shop"}, Mains: []string{"."}, Functions: map[string]site.Function{
		"main.main":  {Pos: token.Position{Filename: "main.go", Line: 20}, End: 40},
		"main.serve": {Pos: token.Position{Filename: "main.go", Line: 42}, End: 60}}}
	for frame, want := range map[string]float64{
		"main.main /x/main.go:30": 5, "main.main /x/main.go:70": 0, "main.main /x/cmd.go:30": 0, "main.serve /x/main.go:99": 5,
		"main.load /x/main.go:30": 0,
	} {
		p, err := profile.Parse(proftest.CPU(t, 1, proftest.Stack{N: 5, Frames: []string{frame}}), "x", profile.CPU)
		if err != nil {
			t.Fatal(err)
		}
		if got := profile.Attribute(here, nil, p).Known.Count(); got != want {
			t.Errorf("%s: %.0f samples are of the program, want %.0f", frame, got, want)
		}
	}
}

// TestForms: the sample types that Go, Pyroscope and Parca write give the same profile.
func TestForms(t *testing.T) {
	nanos := &pprofile.ValueType{Type: "cpu", Unit: "nanoseconds"}
	count := &pprofile.ValueType{Type: "samples", Unit: "count"}
	for _, c := range []struct {
		name   string
		types  []*pprofile.ValueType
		values []int64
		period *pprofile.ValueType
		note   bool
	}{
		{"Go", []*pprofile.ValueType{count, nanos}, []int64{6, 60e6}, nanos, false},
		{"nanoseconds only", []*pprofile.ValueType{nanos}, []int64{60e6}, nanos, false},
		{"samples only", []*pprofile.ValueType{count}, []int64{6}, nanos, false},
		{"no period", []*pprofile.ValueType{count}, []int64{6}, nil, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := &pprofile.Function{ID: 1, Name: "main.main"}
			l := &pprofile.Location{ID: 1, Line: []pprofile.Line{{Function: f}}}
			in := &pprofile.Profile{SampleType: c.types, Function: []*pprofile.Function{f}, Location: []*pprofile.Location{l},
				Sample: []*pprofile.Sample{{Value: c.values, Location: []*pprofile.Location{l}}}, PeriodType: c.period}
			if c.period != nil {
				in.Period = proftest.Period
			}
			var b bytes.Buffer
			if err := in.WriteUncompressed(&b); err != nil {
				t.Fatal(err)
			}
			p, err := profile.Parse(b.Bytes(), "x", profile.CPU)
			if err != nil {
				t.Fatal(err)
			}
			if n, sum := p.Total.Count(), p.Total.Sum; n != 6 || sum != 60e6 || len(p.Notes) > 0 != c.note {
				t.Errorf("%.1f samples, %.0f ns, notes %q", n, sum, p.Notes)
			}
		})
	}
}

// TestAllocations: the number of samples behind an estimate of allocations.
func TestAllocations(t *testing.T) {
	p, err := profile.Parse(proftest.Heap(t,
		proftest.Stack{N: 512 << 10, Bytes: 512 << 20, Frames: []string{main}},     // 1 KiB each: nearly one sample for each 512 KiB
		proftest.Stack{N: 100, Bytes: 100 * (64 << 20), Frames: []string{stdTop}}), // each far larger than the rate: all are sampled
		"x", profile.Alloc)
	if err != nil {
		t.Fatal(err)
	}
	if n := p.Samples[0].N; n < 1022 || n > 1024 {
		t.Errorf("%.1f samples of small objects, want about 1023", n)
	}
	if n := p.Samples[1].N; n != 100 {
		t.Errorf("%.3f samples of large objects, want 100", n)
	}
}

// TestLive: a profile of this process over HTTP, with net/http/pprof's paths completed.
func TestLive(t *testing.T) {
	data := proftest.CPU(t, 1, proftest.Stack{N: 5, Frames: []string{main}})
	var asked []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.URL.String())
		switch r.URL.Path {
		case "/debug/pprof/profile":
			w.Write(data)
		case "/secret":
			http.Error(w, "who are you?", http.StatusUnauthorized)
		case "/slow":
			<-r.Context().Done()
		default:
			http.NotFound(w, r)
		}
	}))
	defer server.Close()
	for _, path := range []string{"", "/", "/debug/pprof/", "/debug/pprof/profile", "/debug/pprof/profile?seconds=30"} {
		if _, err := profile.Read(t.Context(), server.URL+path, profile.CPU); err != nil {
			t.Errorf("%q: %v", path, err)
		}
	}
	for _, got := range asked {
		if got != "/debug/pprof/profile?seconds=30" {
			t.Errorf("asked for %s", got)
		}
	}
	for path, want := range map[string]string{
		"/secret":                        "the server answered 401 Unauthorized: who are you?; the service wants credentials",
		"/x":                             "the server answered 404 Not Found: 404 page not found; net/http/pprof is at /debug/pprof/profile",
		"/debug/pprof/profile?seconds=x": "seconds=x is not a number from 1 to 3600",
	} {
		if _, err := profile.Read(t.Context(), server.URL+path, profile.CPU); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", path, err, want)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := profile.Read(ctx, server.URL+"/slow", profile.CPU); err == nil {
		t.Error("a server that does not answer was waited for")
	}
	server.Close()
	if _, err := profile.Read(t.Context(), server.URL, profile.CPU); err == nil || !strings.Contains(err.Error(), "is the service running") {
		t.Errorf("a server that is gone: %v", err)
	}
}

func TestDefaults(t *testing.T) {
	a, b := t.TempDir(), t.TempDir()
	if err := os.WriteFile(filepath.Join(b, "default.pgo"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if got := profile.Defaults([]string{a, b}); len(got) != 1 || got[0] != filepath.Join(b, "default.pgo") {
		t.Errorf("got %q", got)
	}
	_, err := profile.Read(t.Context(), filepath.Join(a, "none.pprof"), profile.CPU)
	if err == nil || !strings.Contains(err.Error(), "it cannot be read: no such file") {
		t.Errorf("a file that is not there: %v", err)
	}
}
