package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// TestUpToDate: what is committed is what the generators make of the schemas.
func TestUpToDate(t *testing.T) {
	files, err := generated(t.Context(), "..")
	if err != nil {
		t.Fatal(err)
	}
	if len(files) != 2 {
		t.Fatalf("%d files", len(files))
	}
	for name, want := range files {
		got, err := os.ReadFile(filepath.Join("..", name))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s is out of date: run go generate in the folder above", name)
		}
	}
}

// TestSchemas: both schemas are the same but for the options, or nothing could be compared.
func TestSchemas(t *testing.T) {
	plain := func(name string) string {
		text, err := os.ReadFile(filepath.Join("..", name, "shop.proto"))
		if err != nil {
			t.Fatal(err)
		}
		for _, drop := range []string{`(?m)^//.*\n`, `import "gogoproto/gogo.proto";`, `option go_package.*`,
			`option \(gogoproto[^;]*;`, ` \[\s*\(gogoproto[^\]]*\]`, `\s+`} {
			text = regexp.MustCompile(drop).ReplaceAll(text, nil)
		}
		return string(text)
	}
	if a, b := plain("gogopb"), plain("pb"); a != b || len(a) < 500 {
		t.Errorf("the schemas differ:\n%s\n%s", a, b)
	}
}
