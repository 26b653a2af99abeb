package contenders

import (
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/zmylab/zmy/lab/contender"
)

const lab = "../../lab"

// TestMake makes contenders in a copy of the lab's folders. With an overlay they are compiled and
// tested as if they were in the lab, where the tests say what is to be filled in.
func TestMake(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs")
	}
	root := t.TempDir()
	for _, name := range []string{"worker", "fidelity", "values", "contender/shared"} {
		if err := os.CopyFS(filepath.Join(root, name), os.DirFS(filepath.Join(lab, name))); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"contender/table/table.go", sizes} {
		text, err := os.ReadFile(filepath.Join(lab, name))
		if err == nil {
			err = contender.Write(root, map[string][]byte{name: text})
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range []string{"json-twin github.com/goccy/go-json@v0.12.0", "packed github.com/shamaton/msgpack/v2@v2.4.0 binary"} {
		n, err := Parse(strings.Fields(args))
		if err == nil {
			err = n.Make(t.Context(), root)
		}
		if err != nil {
			t.Fatalf("%s: %v", args, err)
		}
	}
	overlay(t, root)
	for _, name := range []string{"json-twin", "packed"} {
		if out, err := inLab(t, "test", "-c", "-vet=off", "-o", os.DevNull, "-overlay", filepath.Join(root, "overlay.json"),
			"./contender/codecs/"+name); err != nil {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
	}
	out, err := inLab(t, "test", "-short", "-overlay", filepath.Join(root, "overlay.json"), "./contender", "./contender/table")
	if err == nil {
		t.Error("nothing is to be filled in")
	}
	for _, want := range []string{
		"ok  \tgithub.com/zmylab/zmy/lab/contender\t", // the adapters' imports are pinned
		"json-twin: Info.Text is empty",
		"json-twin: Info.Adopt has no Marshal",
		"json-twin: licence is unknown: fill in Info.Abilities",
		"packed: evolution is unknown: fill in Info.Abilities",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not said:\n%s", want, out)
		}
	}
	if strings.Contains(out, "json-twin: evolution") {
		t.Errorf("json-twin is asked for what JSON codecs have in common:\n%s", out)
	}
}

// overlay lays the contenders' files of root over those of the lab.
func overlay(t *testing.T, root string) {
	t.Helper()
	dir, err := filepath.Abs(lab)
	if err != nil {
		t.Fatal(err)
	}
	over := map[string]string{}
	err = filepath.WalkDir(filepath.Join(root, "contender"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(root, path)
		over[filepath.Join(dir, rel)] = path
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(map[string]any{"Replace": over})
	if err == nil {
		err = contender.Write(root, map[string][]byte{"overlay.json": text})
	}
	if err != nil {
		t.Fatal(err)
	}
}

func inLab(t *testing.T, args ...string) (string, error) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", args...)
	cmd.Dir = lab
	out, err := cmd.CombinedOutput()
	return string(out), err
}
