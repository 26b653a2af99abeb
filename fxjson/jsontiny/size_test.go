package jsontiny_test

import (
	"bytes"
	"compress/gzip"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// tinyTypes is the package of the types that tests generate tiny code for.
const tinyTypes = "github.com/zmylab/zmy/fxjson/internal/tinytypes"

// TestTinyDeps holds that neither reflect, fmt nor encoding/json is linked, natively and for
// browsers.
func TestTinyDeps(t *testing.T) {
	for _, env := range [][]string{nil, {"GOOS=js", "GOARCH=wasm"}} {
		for pkg := range strings.FieldsSeq(run(t, env, "go", "list", "-deps", tinyTypes)) {
			switch pkg {
			case "reflect", "fmt", "encoding/json", "encoding/binary", "encoding/base64", "sort":
				t.Errorf("%v: package %s is linked", env, pkg)
			}
		}
	}
}

// TestTinySize builds two programs for browsers and holds what JSON adds to them.
func TestTinySize(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs for wasm")
	}
	const without = `package main

import "os"

func main() { os.Stdout.WriteString(os.Args[0]) }
`
	with := func(typ string) string {
		return `package main

import (
	"os"

	"` + tinyTypes + `"
)

func main() {
	var v tinytypes.` + typ + `
	if v.DecodeJSON([]byte(os.Args[0])) == nil {
		b, _ := v.AppendJSON(nil)
		os.Stdout.Write(b)
	}
}
`
	}
	base := wasm(t, without)
	bounds := map[string]int{"Small": 60 << 10, "Order": 210 << 10}
	if strings.HasPrefix(runtime.Version(), "go1.25") { // it links more: 84,270 and 220,197 bytes
		bounds = map[string]int{"Small": 84 << 10, "Order": 216 << 10}
	}
	for typ, most := range bounds {
		adds := wasm(t, with(typ)) - base
		t.Logf("%s adds %d bytes to %d, compressed", typ, adds, base)
		if adds > most {
			t.Errorf("%s adds %d bytes, compressed; %d at most", typ, adds, most)
		}
	}
}

// wasm builds a program in the folder of this package, which may import internal ones, and returns
// its size compressed.
func wasm(t *testing.T, src string) int {
	t.Helper()
	dir := t.TempDir()
	main, overlay, out := filepath.Join(dir, "main.go"), filepath.Join(dir, "overlay.json"), filepath.Join(dir, "main.wasm")
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	write(t, main, src)
	write(t, overlay, `{"Replace": {"`+filepath.Join(here, "internal", "wasmsize", "main.go")+`": "`+main+`"}}`)
	run(t, []string{"GOOS=js", "GOARCH=wasm"}, "go", "build", "-overlay", overlay, "-ldflags=-s -w", "-o", out, "./internal/wasmsize")
	program, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(program); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Len()
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func run(t *testing.T, env []string, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Env = append(os.Environ(), env...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, &stderr)
	}
	return string(out)
}
