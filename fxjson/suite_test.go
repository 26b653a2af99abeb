package fxjson_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/zmylab/zmy/fxjson"
)

// JSONTestSuite (MIT, https://github.com/nst/JSONTestSuite) by version and hash, as the
// go command has them: its documents are read from the module cache, none stands here.
const (
	suiteModule = "github.com/nst/JSONTestSuite@v0.0.0-20241122125541-1ef36fa01286"
	suiteSum    = "h1:t/cjDwz9uc/5ZSagWtr7nWpoEA5Imvw/ArlJuI+d+Cw="
)

// TestSuite accepts every y_ of JSONTestSuite, refuses every n_, and does with all of
// them, alone, in a member that is not known and in raw JSON, what encoding/json does.
func TestSuite(t *testing.T) {
	cmd := exec.Command("go", "mod", "download", "-json", suiteModule)
	cmd.Dir = t.TempDir()
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=")
	if err := os.WriteFile(filepath.Join(cmd.Dir, "go.mod"), []byte("module suite\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	out, err := cmd.Output()
	if err != nil {
		t.Skipf("%s cannot be had here: %v\n%s", suiteModule, err, out)
	}
	var got struct{ Dir, Sum string }
	if err := json.Unmarshal(out, &got); err != nil || got.Sum != suiteSum {
		t.Fatalf("%s has the sum %s, not %s (%v)", suiteModule, got.Sum, suiteSum, err)
	}
	files, err := filepath.Glob(filepath.Join(got.Dir, "test_parsing", "*.json"))
	if err != nil || len(files) < 300 {
		t.Fatalf("only %d documents (%v)", len(files), err)
	}
	for _, name := range files {
		doc, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		base := filepath.Base(name)
		var v any
		ok := fxjson.Unmarshal(doc, &v) == nil
		if base[0] == 'y' && !ok || base[0] == 'n' && ok || ok != fxjson.Valid(doc) || ok != json.Valid(doc) {
			// A number that no float64 holds is grammatical, and refused as a value.
			if base[0] != 'i' || fxjson.Valid(doc) != json.Valid(doc) || ok != (json.Unmarshal(doc, new(any)) == nil) {
				t.Errorf("%s: accepted %v, valid %v, by encoding/json %v", base, ok, fxjson.Valid(doc), json.Valid(doc))
			}
		}
		member := append(append([]byte(`{"unknown":`), doc...), '}')
		for _, target := range []func() any{func() any { return new(struct{}) }, func() any { return new(struct{ Unknown json.RawMessage }) }} {
			if err, want := fxjson.Unmarshal(member, target()), json.Unmarshal(member, target()); (err == nil) != (want == nil) {
				t.Errorf("%s as a member of %T: %v, want %v", base, target(), err, want)
			}
		}
	}
}
