package selftest

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/zmylab/zmy/lab"
	"github.com/zmylab/zmy/lab/inject"
	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/lab/worker"
)

// cheats runs contenders that only pretend to work, and honest ones that really do the same work.
// Each cheat must be caught for what it does, and no honest contender may be.
func cheats(ctx context.Context, b *bench) error {
	dir, err := b.folder("cheats", inject.CheatSubject())
	if err != nil {
		return err
	}
	files, err := b.folder("cheats-files", nil)
	if err != nil {
		return err
	}
	all := slices.DeleteFunc(inject.AllCheats(files), func(c inject.Cheat) bool { return c.Long && b.o.Quick })
	table := b.baseline()
	for _, c := range all {
		table = append(table, c.Info)
	}
	r, err := lab.Run(ctx, lab.Options{Dir: dir, Package: ".", Type: inject.CheatType, Codecs: []string{"all"}, Seed: b.o.Seed, Values: 64,
		Budget: pick[time.Duration](b, 3, 15) * time.Second, Table: table, Tool: "maint", Command: []string{"maint", "selftest"}}, quiet{})
	if err != nil {
		return err
	}
	for _, c := range all {
		f := judgeCheat(r, c)
		row := Row{What: f.what, Expected: f.expected, Found: f.found, Outcome: outcome(f.ok)}
		if why := b.busy(); !f.ok && c.Noisy && why != "" {
			row.Outcome, row.Found = Undecided, row.Found+"; "+why
		}
		b.add(row)
	}
	return nil
}

// judgeCheat returns the finding about one contender.
func judgeCheat(r *run.Run, c inject.Cheat) finding {
	f := finding{what: "a codec that " + c.Does}
	i := slices.IndexFunc(r.Contenders, func(x *run.Contender) bool { return x.Name == c.Info.Name })
	if i < 0 {
		f.expected, f.found = "is in the run", "is not"
		return f
	}
	x := r.Contenders[i]
	ranked := slices.ContainsFunc(r.Ranking, func(k run.Rank) bool { return k.Codec == x.Name })
	var blamed []string
	for _, k := range x.Checks {
		if k.Result == "bad" {
			blamed = append(blamed, k.Name+": "+k.Detail)
		}
	}
	evidence := inject.Evidence(x) + " " + x.Value.Text()
	if c.Honest {
		f.expected = "honest: ranked, nothing is held against it"
		f.found = strings.Join(append([]string{x.Status}, blamed...), "; ")
		f.ok = x.Status == run.StatusMeasured && ranked && len(blamed) == 0 && x.Contract.Grade == run.Kept
		if x.Why != nil || x.Rankless != "" {
			f.found += "; " + evidence
		}
		return f
	}
	f.expected = fmt.Sprintf("caught, not %s: %s", pickText(c.Grade == run.Ordinary, "lossless", "ranked"),
		pickText(c.Check != "", c.Check, c.Holds))
	f.found = x.Status + ": " + clue(evidence, c.Holds)
	if !strings.Contains(evidence, c.Holds) {
		f.found += " in: " + evidence
	}
	f.ok = x.Status == c.Status && strings.Contains(evidence, c.Holds)
	if c.Check != "" {
		f.ok = f.ok && slices.ContainsFunc(blamed, func(s string) bool {
			return strings.HasPrefix(s, c.Check+": ") && strings.Contains(s, c.Holds)
		})
	}
	if c.Grade != "" {
		f.ok = f.ok && x.Value.Grade == c.Grade
		f.found += ", graded " + x.Value.Grade
	}
	if c.Later && slices.ContainsFunc(blamed, func(s string) bool { return strings.HasPrefix(s, worker.CheckTogether+": ") }) {
		f.ok = true // it was caught before the timed calls
		f.found += ", " + worker.CheckTogether + ": bad"
	}
	if ranked {
		f.found += ", ranked"
		f.ok = f.ok && c.Grade == run.Ordinary
	}
	return f
}

func pickText(first bool, a, b string) string {
	if first {
		return a
	}
	return b
}
