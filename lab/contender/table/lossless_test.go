package table

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/zmylab/zmy/internal/longtest"
	"github.com/zmylab/zmy/lab/contender"
	"github.com/zmylab/zmy/lab/harness"
	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/lab/worker"
)

// TestLossless holds this project's own codecs to what they promise, on every
// built-in subject: zmy gives each value back as it was, fxjson does what
// encoding/json does. TestCarried does so where it builds them anyway.
func TestLossless(t *testing.T) {
	longtest.Only(t, "builds two programs for every subject")
	infos := All()
	for _, s := range subjects {
		if slices.Contains(carried, s.dir) {
			continue
		}
		t.Run(s.dir+"/"+s.typ, func(t *testing.T) {
			t.Parallel()
			subject, target := resolve(t, s.dir, s.typ)
			w, err := harness.New(t.Context(), harness.Config{Subject: subject, Sources: os.DirFS("../.."), TempDir: t.TempDir()})
			if err != nil {
				t.Fatal(err)
			}
			for codec, value := range promised {
				info := infos[slices.IndexFunc(infos, func(i contender.Info) bool { return i.Name == codec })]
				t.Run(codec, func(t *testing.T) {
					f := judged(t, w, info, target)
					if f.Contract.Grade != run.Kept {
						t.Errorf("contract: %+v", f.Contract)
					}
					if value != "" && f.Value.Grade != value {
						t.Errorf("value: %+v", f.Value)
					}
					t.Logf("contract %s, value %s", f.Contract.Grade, strings.ToLower(f.Value.Grade))
				})
			}
			if err := w.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

// promised are the grades of values that this project's own codecs promise, "" for any.
var promised = map[string]string{"zmy": run.Lossless, "fxjson": ""}

// judged builds a contender and asks for its fidelity.
func judged(t *testing.T, w *harness.Workspace, info contender.Info, target *contender.Target) *worker.Fidelity {
	t.Helper()
	if why := info.Plan(target); why != nil {
		t.Fatalf("%+v", why)
	}
	built, err := w.Build(t.Context(), info, target)
	if err != nil {
		t.Fatal(err)
	}
	p, err := built.Start(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	for _, q := range []worker.Request{{Cmd: worker.CmdValues, Seed: 42, N: 64}, {Cmd: worker.CmdFidelity}} {
		a, err := p.Do(t.Context(), q, 0)
		if err != nil {
			t.Fatalf("%s: %v", q.Cmd, err)
		}
		if a.Fidelity != nil {
			return a.Fidelity
		}
	}
	t.Fatal("no answer")
	return nil
}
