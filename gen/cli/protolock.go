package cli

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/zmylab/zmy/gen"
	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/gen/protolock"
	"github.com/zmylab/zmy/schema"
)

// protoLock is the part of zmy lock that records protobuf messages.
type protoLock struct{ check, force *bool }

// each records the protobuf messages of a package. has is false if the package has none.
func (l protoLock) each(x *visit) (has bool, code int, err error) {
	old, err := gen.ReadProtoLock(x.Pkg)
	if err != nil {
		return true, exitFail, err
	}
	c, notes, err := gen.CompareProto(x.Pkg, old)
	if err != nil {
		return true, exitFail, err
	}
	if old == nil && len(c.Next.Types) == 0 {
		return false, exitOK, nil
	}
	if c.Breaks() && !*l.force {
		for _, ch := range c.Changes {
			if ch.Level == schema.Breaking {
				fmt.Fprintln(x.stderr, describedProto(x, ch))
			}
		}
		fmt.Fprintf(x.stderr, "zmy lock: %s was not written; zmy lock -force %s records these changes, and messages written before lose "+
			"what they have there\n",
			protolock.Name, quote(x.dir))
		return true, exitFail, nil
	}
	f := gen.ProtoLockFile(x.Pkg, c.Next)
	if !*l.check {
		for _, n := range notes {
			n.Pos, n.Path = place(x.dir, n.Pos), "not recorded: "+n.Path
			fmt.Fprintln(x.stderr, n.Error())
		}
		for _, ch := range c.Changes {
			if ch.Level == schema.Warning {
				fmt.Fprintln(x.stderr, describedProto(x, ch))
			}
		}
		return true, exitOK, f.Write()
	}
	stale, err := f.Stale()
	if stale && err == nil {
		fmt.Fprintf(x.stderr, "%s is not up to date; refresh it with: zmy lock %s\n", filepath.Join(x.dir, protolock.Name), quote(x.dir))
		return true, exitFail, nil
	}
	return true, exitOK, err
}

// eachProto compares the protobuf messages of one package with their record. has is false if there is no
// record.
func (b *breaking) eachProto(ctx context.Context, x *visit) (has bool, code int, err error) {
	old, err := b.protoLock(ctx, x)
	if err != nil || old == nil {
		return false, exitOK, err
	}
	c, _, err := gen.CompareProto(x.Pkg, old)
	if err != nil {
		return true, exitFail, err
	}
	for _, ch := range c.Changes {
		switch {
		case b.format == "json":
			p := place(x.dir, ch.Pos)
			b.out = append(b.out, finding{Package: x.Path, File: p.File, Line: p.Line, Col: p.Col, Severity: ch.Level.String(),
				Code: schema.Code(ch.ID), Path: ch.Path, Detail: ch.Detail, Advice: ch.Advice()})
		case ch.Level > schema.Safe || b.verbose:
			fmt.Fprintln(x.stdout, describedProto(x, ch))
		}
	}
	if c.Breaks() {
		return true, exitFail, nil
	}
	if b.against == "" && b.format == "text" {
		if stale, err := gen.ProtoLockFile(x.Pkg, c.Next).Stale(); stale && err == nil {
			b.stale = append(b.stale, protolock.Name)
		}
	}
	return true, exitOK, nil
}

// protoLock reads the record to compare with. It returns nil if there is none.
func (b *breaking) protoLock(ctx context.Context, x *visit) (*protolock.File, error) {
	if b.against == "" {
		return gen.ReadProtoLock(x.Pkg)
	}
	text, err := b.earlier(ctx, x, protolock.Name)
	if err != nil || text == nil {
		return nil, err
	}
	f, err := protolock.Parse(text)
	if err != nil { // not wrapped: the positions in err are of another file than that of the package
		return nil, fmt.Errorf("-against %s: %v", b.against, err)
	}
	return f, nil
}

// describedProto returns a change as one line. A change that does not break has its level in front.
func describedProto(x *visit, c protolock.Change) string {
	p := c.Problem()
	if p.Pos = place(x.dir, c.Pos); p.Pos.File == "" {
		p.Pos = ir.Pos{File: filepath.Join(x.dir, protolock.Name)}
	}
	if c.Level < schema.Breaking {
		p.Path = c.Level.String() + ": " + p.Path
	}
	return p.Error()
}
