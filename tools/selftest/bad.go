package selftest

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/zmylab/zmy/lab"
	"github.com/zmylab/zmy/lab/harness"
	"github.com/zmylab/zmy/lab/inject"
	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/lab/worker"
)

// bad runs contenders that each fail in another way, together with one that works. Each failing one
// must be caught.
func bad(ctx context.Context, b *bench) error {
	dir, err := b.folder("user", inject.Subject())
	if err != nil {
		return err
	}
	before, err := inject.TreeHash(dir)
	if err != nil {
		return err
	}
	out := filepath.Join(b.dir, "report")
	if err := b.catch(ctx, inject.AllBad(), lab.Options{Dir: dir, Type: inject.Type, Seed: 1, Out: out,
		Budget: pick[time.Duration](b, 2, 10) * time.Second,
		// The limits are lower than a user's, so that a test does not fill the machine's memory.
		Limits: harness.Limits{Answer: pick[time.Duration](b, 8, 10) * time.Second, Memory: 400 << 20}}); err != nil {
		return err
	}
	b.report = out
	after, err := inject.TreeHash(dir)
	if err != nil {
		return err
	}
	b.check("the user's tree after a run", "the same files, modes, times and contents", same(before == after), before == after)
	return nil
}

func same(ok bool) string {
	if ok {
		return "the same"
	}
	return "CHANGED"
}

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
	all := slices.DeleteFunc(inject.AllCheats(files), func(c inject.Case) bool { return c.Long && b.o.Quick })
	return b.catch(ctx, all, lab.Options{Dir: dir, Type: inject.CheatType, Seed: b.o.Seed,
		Budget: pick[time.Duration](b, 3, 15) * time.Second})
}

// catch runs the contenders together with the baseline, and adds a row for each contender.
func (b *bench) catch(ctx context.Context, all []inject.Case, o lab.Options) error {
	o.Package, o.Values, o.Tool, o.Command = ".", 64, "maint", []string{"maint", "selftest"}
	o.Table, o.Codecs = b.baseline(), []string{"all"}
	for _, c := range all {
		o.Table = append(o.Table, c.Info)
	}
	r, err := lab.Run(ctx, o, quiet{})
	if err != nil {
		return err
	}
	for _, c := range all {
		row := judge(r, c)
		if why := b.busy(); row.Outcome == Fail && c.Noisy && why != "" {
			row.Outcome, row.Found = Undecided, row.Found+"; "+why
		}
		b.add(row)
	}
	return nil
}

// judge returns the row about one contender. A contender is caught if it ends as it must, the run's
// evidence has the expected text, and it is not ranked. A status alone would not do: a contender
// that fails for another reason than its fault has not been caught.
func judge(r *run.Run, c inject.Case) Row {
	what := "a codec that " + c.Does
	i := slices.IndexFunc(r.Contenders, func(x *run.Contender) bool { return x.Name == c.Info.Name })
	if i < 0 {
		return newRow(what, "is in the run", "is not", false)
	}
	x := r.Contenders[i]
	ranked := slices.ContainsFunc(r.Ranking, func(k run.Rank) bool { return k.Codec == x.Name })
	measured := slices.ContainsFunc(r.Cells, func(k *run.Cell) bool { return k.Codec == x.Name && len(k.Samples) > 0 })
	var blamed []string
	for _, k := range x.Checks {
		if k.Result == "bad" {
			blamed = append(blamed, k.Name+": "+k.Detail)
		}
	}
	evidence := inject.Evidence(x)
	if c.Honest {
		found := strings.Join(append([]string{x.Status}, blamed...), "; ")
		if x.Why != nil || x.Rankless != "" {
			found += "; " + evidence
		}
		return newRow(what, "honest: ranked, nothing is held against it", found,
			x.Status == run.StatusMeasured && ranked && len(blamed) == 0 && x.Contract.Grade == run.Kept)
	}
	found := x.Status
	if c.Grade != "" { // the grade's own text names the values that do not come back
		evidence += " " + x.Value.Text()
		found += ", graded " + x.Value.Grade
	}
	if c.Holds != "" {
		found += ": " + clue(evidence, c.Holds)
	}
	ok := x.Status == c.Status && strings.Contains(evidence, c.Holds) && (c.Grade == "" || x.Value.Grade == c.Grade) &&
		(c.Status != run.StatusMeasured || measured)
	if c.Check != "" {
		ok = ok && slices.ContainsFunc(blamed, func(s string) bool {
			return strings.HasPrefix(s, c.Check+": ") && strings.Contains(s, c.Holds)
		})
	}
	if c.Later && slices.ContainsFunc(blamed, func(s string) bool { return strings.HasPrefix(s, worker.CheckTogether+": ") }) {
		ok = true // it was caught before the timed calls
		found += ", " + worker.CheckTogether + ": bad"
	}
	if ranked {
		found += ", ranked"
		ok = ok && (c.Ranked || c.Grade == run.Ordinary)
	}
	return newRow(what, expected(c), found, ok)
}

func expected(c inject.Case) string {
	switch {
	case c.Info.Name == inject.Good:
		return "survives the others: measured"
	case c.Ranked:
		return "measured all the same"
	case c.Grade == run.Ordinary:
		return "caught, not lossless: " + c.Holds
	}
	return "caught, not ranked: " + cmp.Or(c.Check, c.Holds)
}

// clue returns the text around part in the evidence, or the whole evidence if it lacks part.
func clue(evidence, part string) string {
	i := strings.Index(evidence, part)
	if i < 0 {
		return "no evidence of " + part + " in: " + evidence
	}
	from := max(0, i-30)
	text := strings.Join(strings.Fields(strings.ToValidUTF8(evidence[from:min(len(evidence), i+len(part)+40)], "")), " ")
	if from > 0 {
		text = "…" + text
	}
	return text
}
