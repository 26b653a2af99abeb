package lock_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/zmylab/zmy/gen"
	"github.com/zmylab/zmy/gen/load"
	"github.com/zmylab/zmy/gen/lock"
	"github.com/zmylab/zmy/schema"
)

var update = flag.Bool("update", false, "make the file want of every case what is said now")

// A case is a folder of testdata/breaking: a package before and after, and want,
// what is said of the change. Names begin with the code that it is there for, with
// warn- for warnings, or with ok- for what is allowed.
// Run go test -run Breaking -update to accept what is new, and read the diff.
func TestBreaking(t *testing.T) {
	dirs, err := filepath.Glob("testdata/breaking/*")
	if err != nil || len(dirs) == 0 {
		t.Fatal(dirs, err)
	}
	mod := t.TempDir()
	if err := os.CopyFS(mod, os.DirFS("testdata/breaking")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(mod, "go.mod"), []byte("module example.org/cases\n\ngo 1.25\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, dir := range dirs {
		name := filepath.Base(dir)
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			before := locked(t, mod, name+"/before", nil)
			old, err := lock.Parse(before.Next.Text())
			if err != nil {
				t.Fatalf("%v\n%s", err, before.Next.Text())
			}
			after := locked(t, mod, name+"/after", old)
			var said strings.Builder
			worst := schema.Safe
			for _, c := range after.Changes {
				fmt.Fprintf(&said, "%s: %v\n", c.Severity(), gen.Problem(c))
				worst = max(worst, c.Severity())
			}
			compare(t, filepath.Join(dir, "want"), said.String())
			switch code := strings.ToUpper(strings.ReplaceAll(name, "-", "_")); {
			case strings.HasPrefix(name, "ok-") && worst > schema.Safe,
				strings.HasPrefix(name, "warn-") && worst != schema.Warning,
				!strings.HasPrefix(name, "ok-") && !strings.HasPrefix(name, "warn-") && worst != schema.Breaking:
				t.Errorf("the worst is %s:\n%s", worst, &said)
			case worst == schema.Breaking && !named(after.Changes, code) && !strings.HasPrefix(name, "reserve-"):
				t.Errorf("no code that begins %s:\n%s", code, &said)
			}
			if worst < schema.Breaking { // the next record says nothing new of the same source
				next, err := lock.Parse(after.Next.Text())
				if err != nil {
					t.Fatalf("%v\n%s", err, after.Next.Text())
				}
				again := locked(t, mod, name+"/after", next)
				if len(again.Changes) > 0 || string(again.Next.Text()) != string(after.Next.Text()) {
					t.Errorf("recorded and compared again: %v\n%s\n%s", again.Changes, after.Next.Text(), again.Next.Text())
				}
			}
		})
	}
}

// named reports whether one of the changes has a code that the name begins with.
func named(changes []lock.Change, name string) bool {
	for _, c := range changes {
		if strings.HasPrefix(name, string(c.Code)) || strings.HasPrefix(string(c.Code), name) || aliases[name] == c.Code {
			return true
		}
	}
	return false
}

var aliases = map[string]schema.Code{
	"TAGS_SWAPPED": schema.TagReused, "INLINE_GROWN": schema.InlineChanged, "UNION_ARM_DELETED": schema.FieldDeleted,
	"ENUM_VALUE_DELETED": schema.EnumValueChanged,
}

func locked(t *testing.T, mod, pkg string, old *lock.File) lock.Comparison {
	t.Helper()
	p, err := load.Load(t.Context(), load.Config{Dir: filepath.Join(mod, pkg), Env: append(os.Environ(), "GOWORK=off")}, ".")
	if err != nil {
		t.Fatal(err)
	}
	c, err := gen.Locked(p, old)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func compare(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
}
