package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/zmylab/zmy/codec/capture/fit"
)

// TestFit adds up two fits and shows the sum.
func TestFit(t *testing.T) {
	dir := t.TempDir()
	var names []string
	for i, doc := range []string{`{"id":"A-7","qty":2}`, `{"id":"B-8","qty":null}`} {
		l := fit.NewLearner(fit.Limits{Names: []string{"id", "qty"}})
		if !l.JSON("shop.Order", []byte(doc), nil) {
			t.Fatal(doc)
		}
		name := filepath.Join(dir, string(rune('a'+i))+".json")
		if err := l.Fit.WriteFile(name); err != nil {
			t.Fatal(err)
		}
		names = append(names, name)
	}
	sum := filepath.Join(dir, "sum.json")
	zmy := func(args ...string) (code int, out, errs string) {
		var o, e bytes.Buffer
		code = dispatch(t.Context(), &console{&o, &e}, append([]string{"fit"}, args...))
		return code, o.String(), e.String()
	}
	code, out, errs := zmy(append([]string{"-o", sum}, names...)...)
	if code != exitOK || !strings.Contains(out, "shop.Order: 2 documents") || !strings.Contains(out, "qty") || !strings.Contains(out, "50%") {
		t.Errorf("%d\n%s%s", code, out, errs)
	}
	if f, err := fit.ReadFile(sum); err != nil || f.Subjects[0].Documents != 2 {
		t.Errorf("the sum: %+v, %v", f, err)
	}
	if err := os.WriteFile(filepath.Join(dir, "other.json"), []byte(`{"a":1}`), 0o644); err != nil {
		t.Fatal(err)
	}
	for want, args := range map[string][]string{
		"name the files":          nil,
		"other.json is no fit":    {filepath.Join(dir, "other.json")},
		"ends with .json":         {names[0], "-o", "sum.txt"},
		"no such file":            {filepath.Join(dir, "none.json")},
		"did you mean shop.Order": {names[0], "-type", "shop.Ordre"},
	} {
		if code, out, errs := zmy(args...); code == exitOK || !strings.Contains(errs, want) {
			t.Errorf("%q: %d, %s%s; want %q", args, code, out, errs, want)
		}
	}
}
