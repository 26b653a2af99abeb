package compat

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"time"

	"github.com/zmylab/zmy/lab/harness"
	"github.com/zmylab/zmy/lab/worker"

	"github.com/zmylab/zmy/scan/compat/side"
)

// proc asks the worker of one side. If a call ends the process or never returns, the process is
// started again and the call's outcome says so.
type proc struct {
	name   string // of the side, for people
	worker *harness.Worker
	values worker.Request
	taken  []bool // answers for CmdList; nil for the first side
	shared bool   // both sides have the same type, so taken applies

	session *harness.Session
	listed  *side.Listed
	died    int // processes that ended
}

// extra is the time that making and listing the values may take beyond the worker's limit.
const extra = 2 * time.Minute

// mostDeaths bounds how often a side is started again.
const mostDeaths = 40

// start starts the process and lists its values.
func (p *proc) start(ctx context.Context) error {
	s, err := p.worker.Open(ctx, harness.Opening{Values: p.values, Extra: extra})
	if err != nil {
		return err
	}
	l, err := harness.Ask[side.Listed](ctx, s, side.CmdList, side.List{Taken: p.taken}, extra)
	if err != nil {
		s.Close()
		return err
	}
	p.session, p.listed = s, l
	return nil
}

func (p *proc) close() {
	if p.session != nil {
		p.session.Close()
		p.session = nil
	}
}

// batch is the number of calls of one request.
const batch = 500

// ask makes the calls and returns their outcomes, in order.
func (p *proc) ask(ctx context.Context, items []side.Item) ([]side.Outcome, error) {
	out := make([]side.Outcome, 0, len(items))
	for len(items) > 0 {
		n := min(len(items), batch)
		got, err := p.some(ctx, items[:n])
		if err != nil {
			return nil, err
		}
		out, items = append(out, got...), items[n:]
	}
	return out, nil
}

// some makes a few calls. If the process dies, it halves them until it knows which call did that.
func (p *proc) some(ctx context.Context, items []side.Item) ([]side.Outcome, error) {
	if p.session == nil {
		if err := p.start(ctx); err != nil {
			return nil, err
		}
	}
	got, err := p.once(ctx, items)
	var dead *harness.Dead
	if !errors.As(err, &dead) {
		return got, err
	}
	p.close()
	if p.died++; p.died > mostDeaths {
		return nil, err
	}
	if len(items) == 1 {
		return []side.Outcome{{Dead: true, Err: firstLine(dead.How) + deathReason(dead.Output)}}, nil
	}
	half := len(items) / 2
	first, err := p.some(ctx, items[:half])
	if err != nil {
		return nil, err
	}
	second, err := p.some(ctx, items[half:])
	return append(first, second...), err
}

func deathReason(output string) string {
	if line := firstLine(output); line != "" {
		return ": " + line
	}
	return ""
}

func (p *proc) once(ctx context.Context, items []side.Item) ([]side.Outcome, error) {
	text, err := json.Marshal(items)
	if err != nil {
		return nil, err
	}
	file := p.worker.Scratch("items.json")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		return nil, err
	}
	got, err := harness.Ask[[]side.Outcome](ctx, p.session, side.CmdProbe, side.Probe{File: file}, extra)
	if err != nil {
		return nil, err
	}
	return *got, nil
}

// both asks two sides at once.
func both(ctx context.Context, a, b *proc, items, itemsB []side.Item) (x, y []side.Outcome, err error) {
	type answer struct {
		out []side.Outcome
		err error
	}
	done := make(chan answer, 1)
	go func() {
		out, err := b.ask(ctx, itemsB)
		done <- answer{out, err}
	}()
	x, err = a.ask(ctx, items)
	other := <-done
	return x, other.out, errors.Join(err, other.err)
}
