package compat

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/zmylab/zmy/codec/capture/fit"
	"github.com/zmylab/zmy/lab"
)

// say shows progress in the test's log.
type say struct{ t *testing.T }

func (s say) Doing(text string) { s.t.Log(text) }
func (s say) Note(text string)  { s.t.Log(text) }

// compared runs a comparison of types of testdata/shop.
func compared(t *testing.T, o Options, types ...string) *Result {
	t.Helper()
	if testing.Short() {
		t.Skip("it builds workers")
	}
	r, err := tried(t, o, types...)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func tried(t *testing.T, o Options, types ...string) (*Result, error) {
	t.Helper()
	t.Setenv("GOWORK", "off")
	if o.Dir == "" {
		o.Dir = filepath.Join("testdata", "shop")
	}
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	o.Runtime = root
	for _, name := range types {
		o.Types = append(o.Types, Subject{Package: ".", Type: name})
	}
	return Run(t.Context(), o, say{t})
}

// newest skips a test if the toolchain is not there and cannot be fetched.
func newest(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("it builds workers")
	}
	if err := haveToolchain(t.Context(), NewestGo); err != nil {
		t.Skip(err)
	}
}

// finding is what a test expects: an operation, a word of the class, a path and the option.
type finding struct{ op, class, path, pin string }

func found(t *testing.T, typ *Type, want []finding) {
	t.Helper()
	for _, f := range want {
		if !slices.ContainsFunc(typ.Differences, func(d Difference) bool {
			return d.Op == f.op && strings.Contains(d.Class, f.class) && slices.Contains(d.Paths, f.path) && slices.Equal(d.Pins, []string{f.pin})
		}) {
			t.Errorf("%s: no difference %+v", typ.Name, f)
		}
	}
}

// TestDocumented: every difference that the documentation of encoding/json lists between its
// versions is found, at its field and with its option alone. With all of these options nothing
// differs.
func TestDocumented(t *testing.T) {
	newest(t)
	r := compared(t, Options{To: "json-v2"}, "Documented", "Odd")
	const w, u = OpMarshal, OpUnmarshal
	typ := r.Types[0]
	found(t, typ, []finding{
		{u, "name in upper case: another value", "name", "jsonv2.MatchCaseInsensitiveNames"},
		{u, "name without underscores and dashes: another value", "by_key", "json.MatchCaseSensitiveDelimiter"},
		{w, "left out → written: false", "flag", "json.OmitEmptyWithLegacySemantics"},
		{w, "left out → written: 0", "count", "json.OmitEmptyWithLegacySemantics"},
		{w, "invalid use of `string` tag option", ".", "json.StringifyWithLegacySemantics"},
		{u, "as it is written: read → error", "quoted", "json.StringifyWithLegacySemantics"},
		{w, "null → []", "list", "jsonv2.FormatNilSliceAsNull"},
		{w, "null → {}", "map", "jsonv2.FormatNilMapAsNull"},
		{u, "an array of 40 numbers: read → error", "pair", "json.UnmarshalArrayFromAnyLength"},
		{w, "array → string", "hash", "json.FormatByteArrayAsArray"},
		{w, "object → string", "held.*", "json.CallMethodsWithLegacySemantics"},
		{w, "left out → written", "by_key.*", "json.CallMethodsWithLegacySemantics"},
		{w, "the same at each call → another", "map", "jsonv2.Deterministic"},
		{w, "HTML characters escaped → as they are", "name", "jsontext.EscapeForHTML"},
		{w, "U+2028", "name", "jsontext.EscapeForJS"},
		{w, "invalid UTF-N", ".", "jsontext.AllowInvalidUTF8"},
		{u, "invalid UTF-8: read → error", "name", "jsontext.AllowInvalidUTF8"},
		{u, "duplicate name: read → error", "count", "jsontext.AllowDuplicateNames"},
		{u, "null into a used variable: another value", "name", "json.MergeWithLegacySemantics"},
		{u, "an array of empty objects into a used variable: another value", "deep", "json.MergeWithLegacySemantics"},
		{w, "no default representation", ".", "json.FormatDurationAsNano"},
		{u, "as it is written: read → error", "wait", "json.FormatDurationAsNano"},
		{w, "string → array", "nibbles", "json.FormatBytesWithLegacySemantics"},
		{u, "an array of numbers: read → error", "blob", "json.FormatBytesWithLegacySemantics"},
		{u, "base64 with a line break: read → error", "blob", "json.ParseBytesWithLooseRFC4648"},
		{u, "a time with a comma: read → error", "at", "json.ParseTimeWithLooseRFC3339"},
		{u, "type of an error: *json.UnmarshalTypeError → *v2.SemanticError", ".", "json.ReportErrorsWithLegacySemantics"},
	})
	found(t, r.Types[1], []finding{
		{w, "Go struct has no exported fields", ".", "json.ReportErrorsWithLegacySemantics"},
	})
	for _, typ := range r.Types {
		if typ.Status != Differs || !typ.Whole {
			t.Errorf("%s: %s, verified %t", typ.Name, typ.Status, typ.Whole)
		}
		for _, d := range typ.Differences {
			if len(d.Pins) == 0 && !d.Only {
				t.Errorf("%s: nothing restores %s %q at %v: %+v", typ.Name, d.Op, d.Class, d.Paths, d.Example)
			}
		}
	}
}

// TestTags: the struct tags that the output names do what it says.
func TestTags(t *testing.T) {
	newest(t)
	r := compared(t, Options{To: "json-v2"}, "Tagged")
	for _, d := range r.Types[0].Differences {
		if strings.Contains(d.Class, "omitempty") {
			t.Errorf("with omitzero: %+v", d)
		}
		if strings.Contains(d.Class, "in upper case") && slices.Contains(d.Paths, "name") {
			t.Errorf("with case:ignore: %+v", d)
		}
	}
}

// TestToolchains: what version 1 writes and says changed with Go 1.27, and GOEXPERIMENT=nojsonv2
// restores it.
func TestToolchains(t *testing.T) {
	newest(t)
	r := compared(t, Options{To: NewestGo, From: "go1.26.8"}, "Plain", "Documented")
	for _, typ := range r.Types {
		if !slices.Equal(typ.Pins, []string{"GOEXPERIMENT=nojsonv2"}) || typ.Left > 0 {
			t.Errorf("%s: %v, %d left", typ.Name, typ.Pins, typ.Left)
		}
	}
	found(t, r.Types[0], []finding{
		{OpMarshal, `\ufffd → the character itself`, "items[].sku", "GOEXPERIMENT=nojsonv2"},
		{OpUnmarshal, "text of an error", ".", "GOEXPERIMENT=nojsonv2"},
	})
}

// TestSame: fxjson writes and reads what encoding/json does.
func TestSame(t *testing.T) {
	r := compared(t, Options{To: "fxjson"}, "Plain")
	typ := r.Types[0]
	if typ.Status != Same || typ.Tried < 500 || typ.Values < 100 || r.Unsure() {
		t.Errorf("%s on %d values and %d calls: %+v %+v", typ.Status, typ.Values, typ.Tried, typ.Differences, typ.Untested)
	}
}

// TestUntested: what cannot be decided is called untested, with the reason.
func TestUntested(t *testing.T) {
	r := compared(t, Options{To: "goccy", Errors: ErrorsNone}, "Clock", "Address", "Sealed", "Drawing", "Deadly")
	for i, want := range []string{"from call to call", "in another process", "unexported", "Shape"} {
		typ := r.Types[i]
		if typ.Status == Differs {
			t.Errorf("%s differs: %+v", typ.Name, typ.Differences)
		}
		said := ""
		for _, u := range typ.Untested {
			said += u.Where + ": " + u.Why + "\n"
		}
		if typ.Failure != nil {
			said += typ.Failure.Error()
		}
		if !strings.Contains(said, want) {
			t.Errorf("%s: %s: nothing says %q", typ.Name, said, want)
		}
	}
	if typ := r.Types[4]; typ.Status == NotTried || typ.Tried < 100 {
		t.Errorf("a process that ends ends all: %+v", typ)
	}
	if !r.Unsure() {
		t.Error("the result is sure of itself")
	}
}

// TestRefused: a type that both sides refuse to write and to read is untested, not the same.
func TestRefused(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module compat.invalid/refused\n\ngo 1.24\n", "refused.go": `package refused

import "errors"

type Never struct{ N int }

func (Never) MarshalJSON() ([]byte, error)  { return nil, errors.New("never written") }
func (*Never) UnmarshalJSON([]byte) error { return errors.New("never read") }

type Mute struct{ N int }

func (Mute) MarshalJSON() ([]byte, error) { return nil, errors.New("never written") }
`} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	r := compared(t, Options{To: "goccy", Errors: ErrorsNone, Dir: dir}, "Never", "Mute")
	for i, c := range []struct {
		status string
		why    []string
	}{{NotTried, []string{"no side writes any of", "never written", "no side reads any of"}}, {Same, []string{"no side writes any of"}}} {
		typ := r.Types[i]
		said := ""
		for _, u := range typ.Untested {
			said += u.Why + "\n"
		}
		if typ.Status != c.status || typ.Values > 0 {
			t.Errorf("%s is %s on %d values and %d calls: %+v", typ.Name, typ.Status, typ.Values, typ.Tried, typ.Differences)
		}
		for _, part := range c.why {
			if !strings.Contains(said, part) {
				t.Errorf("%s: nothing says %q: %s", typ.Name, part, said)
			}
		}
	}
	if !r.Unsure() {
		t.Error("the result is sure of itself")
	}
}

// TestVersions compares versions of a codec.
func TestVersions(t *testing.T) {
	r := compared(t, Options{To: "github.com/goccy/go-json@v0.10.2"}, "Plain")
	if !strings.HasPrefix(r.From, "goccy") || !strings.Contains(r.To, "go-json@v0.10.2") {
		t.Errorf("%s → %s", r.From, r.To)
	}
	if r.Types[0].Status == NotTried {
		t.Error(r.Types[0].Failure)
	}
}

// TestDoesNotBuild: a side that does not build is a result of its own.
func TestDoesNotBuild(t *testing.T) {
	newest(t)
	r := compared(t, Options{To: NewestGo, From: "go1.26.8", Dir: filepath.Join("testdata", "broken")}, "Order")
	f := r.Types[0].Failure
	if r.Types[0].Status != NotTried || f == nil || f.What != "does not build" || !strings.Contains(f.Reason, "undefined: number") {
		t.Errorf("%+v", f)
	}
}

// TestMistakes: mistakes of the user are said, with what to do.
func TestMistakes(t *testing.T) {
	if testing.Short() {
		t.Skip("it runs the go command")
	}
	for _, c := range []struct {
		o    Options
		typ  string
		want string
	}{
		{Options{To: "fxjson"}, "Missing", "Missing"},
		{Options{To: ""}, "Plain", "-to"},
		{Options{To: "sonik"}, "Plain", "did you mean sonic?"},
		{Options{To: "go1.99.99"}, "Plain", "cannot be had"},
		{Options{To: "go127"}, "Plain", "a toolchain is named like"},
		{Options{To: "github.com/goccy/go-json@v99.0.0"}, "Plain", "cannot be had"},
		{Options{To: "golang.org/x/text@v0.3.0"}, "Plain", "built without golang.org/x/text"},
		{Options{To: "std-json"}, "Plain", "nothing can differ"},
		{Options{To: "json-v2,go1.26.0"}, "Plain", "Go 1.27 and later"},
	} {
		_, err := tried(t, c.o, c.typ)
		var wrong *lab.UsageError
		if !errors.As(err, &wrong) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v %s: %v, without %q", c.o, c.typ, err, c.want)
		}
	}
}

// TestStopped: a run that is stopped returns soon, and leaves no folder behind.
func TestStopped(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds workers")
	}
	t.Setenv("GOWORK", "off")
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	o := Options{Dir: filepath.Join("testdata", "shop"), To: "goccy", Types: []Subject{{Package: ".", Type: "Plain"}}}
	r, err := Run(ctx, o, stopper{stop})
	if !errors.Is(err, context.Canceled) || r != nil && len(r.Types) > 0 {
		t.Errorf("%+v, %v", r, err)
	}
	left, err := os.ReadDir(temp)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range left {
		if strings.HasPrefix(f.Name(), "zmylab-") {
			t.Errorf("%s is left", f.Name())
		}
	}
}

// stopper stops a run when its values are written.
type stopper struct{ stop func() }

func (s stopper) Doing(text string) {
	if strings.Contains(text, "writing") {
		s.stop()
	}
}
func (stopper) Note(string) {}

// TestFit: the values are drawn from a fit of production, and a fit of other documents is refused.
func TestFit(t *testing.T) {
	saved := func(docs ...string) string {
		l := fit.NewLearner(fit.Limits{})
		for _, d := range docs {
			l.JSON("compat.invalid/shop.Plain", []byte(d), nil)
		}
		name := filepath.Join(t.TempDir(), "fit.json")
		if err := l.Fit.WriteFile(name); err != nil {
			t.Fatal(err)
		}
		return name
	}
	r := compared(t, Options{To: "fxjson", Sample: saved(`{}`)}, "Plain")
	if typ := r.Types[0]; typ.Status != Same || typ.Values < 64 {
		t.Errorf("%s on %d values: %+v", typ.Status, typ.Values, typ.Failure)
	}
	r, err := tried(t, Options{To: "fxjson", Sample: saved(`[1]`, `[2]`)}, "Plain")
	said := fmt.Sprint(err)
	if r != nil && len(r.Types) > 0 && r.Types[0].Failure != nil {
		said += r.Types[0].Failure.Reason
	}
	if !strings.Contains(said, "does not read what is drawn") {
		t.Errorf("a fit of lists: %s", said)
	}
}
