//go:build !labonly

package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestScanMisused: mistakes are told before anything is loaded.
func TestScanMisused(t *testing.T) {
	dir := t.TempDir()
	broken := filepath.Join(dir, "broken.pprof")
	if err := os.WriteFile(broken, []byte("no profile"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ args, want string }{
		{"-treshold 1", "there is no flag -treshold; did you mean -threshold?"},
		{"-threshold 0", "-threshold 0: want a share of CPU in percent"},
		{"-threshold NaN", "-threshold NaN: want a share of CPU in percent"},
		{"-cores NaN", "-cores and -price must be positive"},
		{"-top 0", "-top 0: want at least one type"},
		{"-cores -1", "-cores and -price must be positive"},
		{"-fit", "-fit learns from captured documents"},
		{"-sample model.Device=" + filepath.Join(dir, "none.json"), "there is no such file or folder; give TYPE=FILE"},
		{"-cpu " + broken, "it is not a pprof profile"},
		{"-cpu " + filepath.Join(dir, "none"), "it cannot be read"},
		{"-cpu http://127.0.0.1:1/?seconds=no", "seconds=no is not a number from 1 to 3600"},
		{"-sarif " + filepath.Join(dir, "none", "x.sarif"), "choose a folder that exists"},
		{"-sarif " + dir, "is a folder: name a file"},
		{"-o " + filepath.Join(broken, "report"), "a folder is wanted"},
	} {
		var out, errs bytes.Buffer
		code := dispatch(t.Context(), &console{&out, &errs}, append([]string{"scan"}, strings.Fields(c.args)...))
		if code != exitUsage || !strings.Contains(errs.String(), c.want) || out.Len() > 0 {
			t.Errorf("zmy scan %s: exit %d\n%s%s", c.args, code, &out, &errs)
		}
	}
}

// TestScan: the command on a program without a profile, as text, data and files.
func TestScan(t *testing.T) {
	if testing.Short() {
		t.Skip("loads a program")
	}
	t.Setenv("GOWORK", "off")
	out := t.TempDir()
	t.Chdir("../../examples/shop")
	var text, errs bytes.Buffer
	report, sarif := filepath.Join(out, "scan"), filepath.Join(out, "scan.sarif")
	if code := dispatch(t.Context(), &console{&text, &errs}, []string{"scan", "-json", "-o", report, "-sarif", sarif}); code != exitOK {
		t.Fatalf("exit %d\n%s", code, &errs)
	}
	var r struct {
		Sites []struct{ File, Call string }
		Found struct{ Sites int }
	}
	if err := json.Unmarshal(text.Bytes(), &r); err != nil {
		t.Fatalf("%v\n%s", err, &text)
	}
	if r.Found.Sites != 4 || len(r.Sites) != 6 || r.Sites[0].Call != "json.Encoder.Encode(map[string]string)" {
		t.Errorf("%+v", r)
	}
	for _, name := range []string{filepath.Join(report, "index.html"), filepath.Join(report, "scan.json"), sarif} {
		if s, err := os.Stat(name); err != nil || s.Size() < 500 {
			t.Errorf("%s: %v", name, err)
		}
	}
}
