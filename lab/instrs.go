package lab

import (
	"context"
	"fmt"

	"github.com/zmylab/zmy/lab/callgrind"
	"github.com/zmylab/zmy/lab/stats"
)

// instructions counts the instructions of encode and decode in mode fresh, after the rounds. If
// they cannot be counted for a codec, its cell stays without a count, and a warning says why.
func (l *Opened) instructions(ctx context.Context) error {
	if !l.o.Instrs {
		return nil
	}
	tool, err := callgrind.Find()
	if err != nil {
		l.warn("no instructions were counted: " + err.Error())
		return nil
	}
	for _, p := range l.probed {
		for _, op := range []string{stats.Encode, stats.Decode} {
			c := stats.Find(l.run, p.worker.Name, op, "fresh")
			if c == nil {
				continue
			}
			l.ui.Doing("counting instructions of " + p.worker.Name + " " + op)
			n, err := tool.Count(ctx, p.worker, l.Values(), op)
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if err != nil {
				l.warn(fmt.Sprintf("no instructions of %s %s were counted: %v", p.worker.Name, op, err))
				continue
			}
			c.Instrs = n.Ir
		}
	}
	return nil
}
