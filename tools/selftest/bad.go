package selftest

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/zmylab/zmy/lab"
	"github.com/zmylab/zmy/lab/harness"
	"github.com/zmylab/zmy/lab/inject"
	"github.com/zmylab/zmy/lab/run"
)

// bad runs contenders that fail in all ways together with one that works. Each must be caught.
func bad(ctx context.Context, b *bench) error {
	dir, err := b.folder("user", inject.Subject())
	if err != nil {
		return err
	}
	before, err := inject.TreeHash(dir)
	if err != nil {
		return err
	}
	table := b.baseline()
	for _, c := range inject.AllBad() {
		table = append(table, c.Info)
	}
	out := filepath.Join(b.dir, "report")
	r, err := lab.Run(ctx, lab.Options{Dir: dir, Package: ".", Type: inject.Type, Codecs: []string{"all"}, Seed: 1, Values: 64, Out: out,
		Budget: pick[time.Duration](b, 2, 10) * time.Second, Table: table, Tool: "maint", Command: []string{"maint", "selftest"},
		// The limits are lower than a user's, so that a test does not fill the machine's memory.
		Limits: harness.Limits{Answer: pick[time.Duration](b, 8, 10) * time.Second, Memory: 400 << 20}}, quiet{})
	if err != nil {
		return err
	}
	b.report = out
	for _, c := range inject.AllBad() {
		b.caught(r, c)
	}
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

// caught adds the row of one contender.
func (b *bench) caught(r *run.Run, c inject.Bad) {
	i := slices.IndexFunc(r.Contenders, func(x *run.Contender) bool { return x.Name == c.Info.Name })
	if i < 0 {
		b.check(c.Info.Name, "is in the run", "is not", false)
		return
	}
	x := r.Contenders[i]
	ranked := slices.ContainsFunc(r.Ranking, func(k run.Rank) bool { return k.Codec == x.Name })
	measured := slices.ContainsFunc(r.Cells, func(k *run.Cell) bool { return k.Codec == x.Name && len(k.Samples) > 0 })
	expected, found := "survives the others: measured", x.Status
	if !c.Ranked {
		expected = "caught, " + c.Status + ", not ranked"
	} else if c.Info.Name != inject.Good {
		expected = "measured all the same"
	}
	evidence := inject.Evidence(x)
	holds := strings.Contains(evidence, c.Holds)
	if c.Holds != "" {
		found += ": " + clue(evidence, c.Holds)
	}
	if ranked {
		found += ", ranked"
	}
	b.check(fmt.Sprintf("a codec that %s", c.Does), expected, found,
		x.Status == c.Status && holds && measured == (c.Status == run.StatusMeasured) && (c.Ranked || !ranked))
}

// clue returns the text around part in the evidence.
func clue(evidence, part string) string {
	i := strings.Index(evidence, part)
	if i < 0 {
		return "no evidence of " + part
	}
	from := max(0, i-30)
	text := strings.Join(strings.Fields(strings.ToValidUTF8(evidence[from:min(len(evidence), i+len(part)+40)], "")), " ")
	if from > 0 {
		text = "…" + text
	}
	return text
}
