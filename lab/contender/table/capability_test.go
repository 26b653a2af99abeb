package table

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/zmylab/zmy/lab/contender"
	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/lab/worker"
)

// TestCapabilities: every contender's row has every capability, in one order; what
// is not known belongs to codecs that cannot be had.
func TestCapabilities(t *testing.T) {
	for _, i := range All() {
		row := i.Capabilities()
		if len(row) != len(contender.CapabilityNames) {
			t.Errorf("%s has %d capabilities of %d", i.Name, len(row), len(contender.CapabilityNames))
			continue
		}
		for n, c := range row {
			if c.Value == "unknown" && i.Generate != nil {
				t.Errorf("%s: %s is unknown: fill in Info.Abilities", i.Name, c.Name)
			}
			if c.Name != contender.CapabilityNames[n] || c.Value == "" || len(c.Value) > 16 {
				t.Errorf("%s: %+v, want %s", i.Name, c, contender.CapabilityNames[n])
			}
		}
	}
}

// TestMeasured: what a run finds out takes the place of what is said, and only
// there.
func TestMeasured(t *testing.T) {
	said := All()[0].Capabilities()
	for _, c := range []struct {
		check             run.Check
		name, value, note string
	}{
		{run.Check{Name: worker.CheckSame, Result: "no"}, "deterministic", "no", "measured on maps of these values"},
		{run.Check{Name: worker.CheckSame, Result: "n/a"}, "", "", ""},
		{run.Check{Name: worker.CheckTimes, Result: "no", Detail: "milliseconds"}, "time precision", "milliseconds", "measured"},
		{run.Check{Name: worker.CheckAny, Result: "no", Detail: "1 became 2"}, "any", "partly", "measured: 1 became 2"},
		{run.Check{Name: worker.CheckTruncation, Result: "no", Detail: "3 of 4"}, "validation", "partly", "measured: 3 of 4"},
		{run.Check{Name: worker.CheckTruncation, Result: "ok"}, "", "", ""},
		{run.Check{Name: worker.CheckTruncation, Result: "bad"}, "validation", "no", "measured: a message that is cut short makes it panic"},
		{run.Check{Name: worker.CheckFlips, Result: "bad"}, "validation", "no", "measured: flipped bits make it panic"},
		{run.Check{Name: worker.CheckFlips, Result: "ok"}, "", "", ""},
	} {
		got := contender.Measured(said, []run.Check{c.check})
		for n, k := range got {
			if k.Name == c.name && (k.Value != c.value || k.Note != c.note) || k.Name != c.name && k != said[n] {
				t.Errorf("%+v makes %+v", c.check, k)
			}
		}
	}
}

// licences are words of the licences' texts.
var licences = map[string]string{
	"MIT": "Permission is hereby granted, free of charge", "Apache-2.0": "Apache License",
	"BSD-3-Clause": `Neither the name`, "BSD-2-Clause": "Redistributions in binary form",
}

// TestReleases holds days and licences against the modules in this machine's cache.
func TestReleases(t *testing.T) {
	seen := 0
	for _, i := range All() {
		if len(i.Modules) == 0 || i.Modules[0].Version == "" {
			continue
		}
		m := i.Modules[0]
		cmd := exec.CommandContext(t.Context(), "go", "mod", "download", "-json", m.Path+"@"+m.Version)
		cmd.Dir = t.TempDir()
		cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=", "GOPROXY=off")
		out, err := cmd.Output()
		var have struct{ Info, Dir string }
		if err != nil || json.Unmarshal(out, &have) != nil {
			continue // not fetched yet
		}
		info, err := os.ReadFile(have.Info)
		if err != nil {
			t.Fatal(err)
		}
		seen++
		row := i.Capabilities()
		day, licence := row[len(row)-1].Value, row[len(row)-2].Value
		if !strings.Contains(string(info), `"Time":"`+day+"T") {
			t.Errorf("%s: %s %s is not of %s: %s", i.Name, m.Path, m.Version, day, info)
		}
		texts, err := filepath.Glob(filepath.Join(have.Dir, "LICEN[SC]E*"))
		if err != nil || len(texts) == 0 {
			t.Errorf("%s: no licence in %s", i.Name, m.Path)
			continue
		}
		text, err := os.ReadFile(texts[0])
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(text), licences[licence]) {
			t.Errorf("%s: the licence is not %s", i.Name, licence)
		}
	}
	t.Logf("%d modules are here", seen)
}

// TestNoFavours: nothing of the lab asks for a contender by its name, but for the
// baseline, whose name is a constant, and the contenders' own folders.
func TestNoFavours(t *testing.T) {
	var names []string
	for _, i := range All() {
		if i.Name != run.Baseline {
			names = append(names, regexp.QuoteMeta(i.Name))
		}
	}
	quoted := regexp.MustCompile(`[=!]= *"(` + strings.Join(names, "|") + `)"|case "(` + strings.Join(names, "|") + `)"`)
	root := "../.."
	err := filepath.WalkDir(root, func(p string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, p)
		if err != nil {
			return err
		}
		tests := strings.HasSuffix(d.Name(), "test") || d.Name() == "testdata"
		if d.IsDir() && (tests || rel == "goals" || filepath.ToSlash(rel) == "contender/codecs") {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(p, ".go") || strings.HasSuffix(p, "_test.go") {
			return nil
		}
		src, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		if at := quoted.Find(src); at != nil {
			t.Errorf("%s asks for a contender by name: %s", rel, at)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
