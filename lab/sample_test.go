package lab

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/zmylab/zmy/lab/contender/table"
	"github.com/zmylab/zmy/lab/report"
	"github.com/zmylab/zmy/lab/values"
)

// Documents alone are a subject: their type is derived, left in the report's folder, and
// with -fit so is what was learned; the temporary package goes with the run.
func TestSampleWithoutType(t *testing.T) {
	dir := t.TempDir()
	sample := filepath.Join(dir, "orders.ndjson")
	if err := os.WriteFile(sample, []byte("{\"id\":\"a\",\"n\":1}\n{broken\n{\"id\":\"b\",\"n\":2}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(dir, "report")
	o, err := Open(t.Context(), Options{Sample: sample, Fit: true, Seed: 1, Out: out, Table: table.Reflective()[:1]}, &quiet{})
	if err != nil {
		t.Fatal(err)
	}
	s := o.Run().Subject
	if s.Type != "Document" || !strings.HasPrefix(s.Package, "zmylab.invalid/derived/") || s.Fields != 2 {
		t.Errorf("subject %+v", s)
	}
	src, err := os.ReadFile(filepath.Join(out, report.FileDerived))
	if err != nil || !strings.Contains(string(src), "ID string `json:\"id\"`") {
		t.Errorf("%v\n%s", err, src)
	}
	if fit, ok, err := values.ReadFit(o.Values().Sample); !ok || err != nil || fit.Documents() != 2 ||
		o.Values().Sample != filepath.Join(out, report.FileFit) {
		t.Errorf("values come from %s: %v, %v", o.Values().Sample, ok, err)
	}
	if e := o.Run().Experiments; len(e) != 1 || e[0].Name != "fit" || len(e[0].Tables[0].Rows) != 3 {
		t.Errorf("experiments: %+v", e)
	}
	warnings := strings.Join(o.Run().Warnings, "\n")
	for _, want := range []string{"no Go type was named: type Document was derived from orders.ndjson",
		"1 of the captured documents or files gave no value: orders.ndjson:2: invalid character 'b'"} {
		if !strings.Contains(warnings, want) {
			t.Errorf("%q is missing in %s", want, warnings)
		}
	}
	derived := o.derived
	if err := o.Close(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(derived); derived == "" || !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the temporary package %q is still there: %v", derived, err)
	}
}

func TestSampleErrors(t *testing.T) {
	dir := t.TempDir()
	bad := filepath.Join(dir, "bad.json")
	if err := os.WriteFile(bad, []byte("{"), 0o644); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{bad: "bad.json:1: the document ends early", filepath.Join(dir, "none"): "no such file",
		dir + "/": "bad.json:1"} {
		_, err := Open(t.Context(), Options{Sample: name, Table: table.Reflective()[:1]}, &quiet{})
		var usage *UsageError
		if !errors.As(err, &usage) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
