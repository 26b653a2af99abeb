package lab

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/zmylab/zmy/lab/harness"
	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/lab/worker"
)

// mortal is a process that dies in one command and answers the checks before.
type mortal struct {
	dies   string
	checks []worker.Check
}

func (m mortal) Do(_ context.Context, q worker.Request, _ time.Duration) (*worker.Reply, error) {
	switch q.Cmd {
	case m.dies:
		return nil, &harness.Dead{Cmd: q.Cmd, How: "exit status 2"}
	case worker.CmdChecks:
		return &worker.Reply{Checks: m.checks}, nil
	case worker.CmdDamage:
		return &worker.Reply{Checks: []worker.Check{{Name: worker.CheckFlips, Result: "ok"}}}, nil
	}
	return &worker.Reply{}, nil
}

// TestJudge: what the checks found out before the process died counts, and one that
// died before it answered is not ranked.
func TestJudge(t *testing.T) {
	sound := []worker.Check{{Name: worker.CheckOutput, Result: "ok"}, {Name: worker.CheckInput, Result: "ok"}}
	alias := []worker.Check{{Name: worker.CheckOutput, Result: "ok"}, {Name: worker.CheckInput, Result: "bad", Detail: "ID changed"}}
	for _, c := range []struct {
		name     string
		p        mortal
		rankless string
		flips    string
	}{
		{"sound", mortal{"", sound}, "", "ok"},
		{"aliases", mortal{"", alias}, "mode fresh is not a safe copy: ID changed", "ok"},
		{"aliases and dies of damage", mortal{worker.CmdDamage, alias}, "mode fresh is not a safe copy: ID changed", "bad"},
		{"dies of goroutines", mortal{worker.CmdTogether, sound}, "it mixes the calls of goroutines: exit status 2", ""},
		{"dies of damage", mortal{worker.CmdDamage, sound}, "", "bad"},
		{"dies of sound input", mortal{worker.CmdChecks, nil}, "not judged: exit status 2", ""},
		{"dies of its values", mortal{worker.CmdValues, nil}, "not judged: exit status 2", ""},
	} {
		got := &run.Contender{}
		_, err := c.p.Do(t.Context(), worker.Request{Cmd: worker.CmdValues}, 0)
		err = judge(&asker{ctx: t.Context(), p: c.p, err: err}, got, nil, "", "")
		if err != nil || !strings.HasPrefix(got.Rankless, c.rankless) || (got.Rankless == "") != (c.rankless == "") {
			t.Errorf("%s: rankless %q, error %v; want %q", c.name, got.Rankless, err, c.rankless)
		}
		flips := ""
		for _, k := range got.Checks {
			if k.Name == worker.CheckFlips {
				flips = k.Result
			}
		}
		if flips != c.flips {
			t.Errorf("%s: %q on flipped bits, want %q", c.name, flips, c.flips)
		}
	}
	refusing := &asker{ctx: t.Context(), err: errors.New("no")}
	if judge(refusing, &run.Contender{}, nil, "", "") == nil {
		t.Error("an error was swallowed")
	}
}
