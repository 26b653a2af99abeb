package cli

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/zmylab/zmy/gen"
	"github.com/zmylab/zmy/gen/contract"
	"github.com/zmylab/zmy/schema"
)

// eachJSON compares the JSON of one package with its record.
func (b *breaking) eachJSON(ctx context.Context, x *visit) (int, error) {
	old, err := b.jsonLock(ctx, x)
	if err != nil {
		return exitFail, err
	}
	if old == nil {
		if b.passed++; x.several {
			return exitOK, nil
		}
		return exitFail, fmt.Errorf("%s has no %s to compare with; make one with: zmy lock -json %s", x.Path, contract.Name, quote(x.dir))
	}
	b.seen++
	now, changes, err := gen.CompareJSON(x.Pkg, old)
	if err != nil {
		return exitFail, err
	}
	for _, c := range changes {
		b.reportJSON(x, c)
	}
	if slices.ContainsFunc(changes, contract.Change.Breaks) {
		return exitFail, nil
	}
	if b.against == "" && b.format == "text" {
		if stale, err := gen.JSONLockFile(x.Pkg, now).Stale(); stale && err == nil {
			fmt.Fprintf(x.stderr, "zmy breaking: nothing breaks, but %s is not up to date; record what is new with: zmy lock -json %s\n",
				filepath.Join(x.dir, contract.Name), quote(x.dir))
		}
	}
	return exitOK, nil
}

func (b *breaking) reportJSON(x *visit, c contract.Change) {
	switch {
	case b.format == "json":
		p := place(x.dir, c.Pos)
		b.out = append(b.out, finding{x.Path, p.File, p.Line, p.Col, c.Level.String(), schema.Code(c.ID), "", c.Path, c.Detail, c.Instead,
			c.Side.String(), c.Ignored})
	case c.Ignored == "" && c.Level > contract.Safe || b.verbose:
		fmt.Fprintln(x.stdout, describedJSON(x, c))
	}
}

// jsonLock reads the record to compare with. It returns nil if there is none.
func (b *breaking) jsonLock(ctx context.Context, x *visit) (*contract.File, error) {
	if b.against == "" {
		return gen.ReadJSONLock(x.Pkg)
	}
	text, err := b.earlier(ctx, x, contract.Name)
	if err != nil || text == nil {
		return nil, err
	}
	f, err := contract.Parse(text)
	if err != nil { // not wrapped: the positions in err are of another file than that of the package
		return nil, fmt.Errorf("-against %s: %v", b.against, err)
	}
	return f, nil
}

// ruleTable returns the rules of -json for the help.
func ruleTable() string {
	var b strings.Builder
	b.WriteString("A change that is meant is accepted by a directive in a comment of the field or type:\n\n" +
		"\t//zmy:breaking-ignore NULL_REMOVED all readers are ours\n\nrules of -json:\n")
	level := contract.Level(99)
	for _, r := range contract.Rules() {
		if r.Level != level {
			level = r.Level
			fmt.Fprintf(&b, "\n%s:\n", level)
		}
		fmt.Fprintf(&b, "  %s\n", r.ID)
		for _, line := range wrapped(r.Doc, 84) {
			b.WriteString("    " + line + "\n")
		}
	}
	return b.String()
}

// wrapped breaks a text into lines of at most n bytes.
func wrapped(text string, n int) (lines []string) {
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && len(line)+1+len(word) > n {
			lines, line = append(lines, line), ""
		}
		line = strings.TrimLeft(line+" "+word, " ")
	}
	return append(lines, line)
}
