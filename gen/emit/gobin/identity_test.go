package gobin_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/zmylab/zmy"
	"github.com/zmylab/zmy/gen/emit/gobin/testdata/carriers"
	"github.com/zmylab/zmy/gen/emit/gobin/testdata/kinds"
	"github.com/zmylab/zmy/schema"
)

// Generated types know what they are: their schema block is one, and has their
// fingerprint.
func TestIdentity(t *testing.T) {
	for _, v := range []interface {
		zmy.Fingerprinter
		zmy.Describer
	}{&kinds.All{}, &kinds.Every{}, &carriers.V3{}, &carriers.Kept{}, &carriers.SDrop{}} {
		s, err := schema.Parse([]byte(v.ZMYSchema()))
		if err != nil {
			t.Errorf("%T: %v", v, err)
			continue
		}
		if s.Fingerprint() != v.ZMYFingerprint() {
			t.Errorf("%T: fingerprint %x, the block has %x", v, v.ZMYFingerprint(), s.Fingerprint())
		}
		if name := strings.TrimPrefix(strings.TrimPrefix(s.Types[0].Name, "kinds."), "carriers."); name == "" {
			t.Errorf("%T has no name", v)
		}
	}
	s, err := schema.Parse([]byte(kinds.ZMYSchemaPageItem()))
	if err != nil || s.Types[0].Name != "Page" || s.Fingerprint() != kinds.ZMYFingerprintPageItem() {
		t.Error(err)
	}
}

// A program that does not ask for them carries no schema blocks.
func TestIdentityUnused(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs")
	}
	core, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		uses string
		want bool
	}{
		{"b, _ := o.AppendZMY(nil); _ = o.UnmarshalZMY(b)", false},
		{"b, _ := zmy.Marshal(&o); _ = zmy.Unmarshal(b, &o)", false},
		{"b, _ := zmy.SealOptions{Describe: true}.Seal(&o); _ = zmy.Unseal(b, &o)", true},
	} {
		dir := t.TempDir()
		for name, text := range map[string]string{
			"go.mod": "module example.org/p\n\ngo 1.25\n\nrequire github.com/zmylab/zmy v0.0.0\n\nreplace github.com/zmylab/zmy => " + core + "\n",
			"main.go": "package main\n\nimport (\n\t\"github.com/zmylab/zmy\"\n\t\"github.com/zmylab/zmy/examples/order\"\n)\n\nvar _ " +
				"= zmy.ErrTooLarge\n\nfunc main() {\n\tvar o order.Order\n\t" + c.uses + "\n}\n",
		} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		build := exec.Command("go", "build", "-o", "p", ".")
		build.Dir, build.Env = dir, append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod")
		if out, err := build.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		program, err := os.ReadFile(filepath.Join(dir, "p"))
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(string(program), "SkuDetails\x0c\x80\x00\x00"); got != c.want { // the block's own bytes
			t.Errorf("%s: the program has the schema block: %v", c.uses, got)
		}
	}
}
