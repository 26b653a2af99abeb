package lab

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/zmylab/zmy/gen/print"
	"github.com/zmylab/zmy/lab/contender"
	"github.com/zmylab/zmy/lab/harness"
	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/lab/worker"
)

// vet finds the values that encoding/json refuses, in a separate process of the baseline. Later
// processes do not make these values, and a warning counts them. If encoding/json refuses all
// values, the baseline cannot be measured, and vet returns why, with advice.
func (l *Opened) vet(ctx context.Context, w *harness.Worker) (why *run.Why, err error) {
	q := l.Values()
	q.Input = worker.InputAsWritten // other spellings are made from what the codec writes
	p, err := w.Open(ctx, harness.Opening{Values: q, Note: l.warn})
	if err != nil {
		return nil, err
	}
	defer p.Close()
	a := &asker{ctx: ctx, p: p}
	desc := a.do(worker.Request{Cmd: worker.CmdDescribe}).Describe
	if a.err != nil {
		return nil, a.err
	}
	if desc == nil {
		return nil, errors.New("the worker described nothing")
	}
	if len(desc.Refused) == 0 {
		return nil, nil
	}
	made := p.Made.Values.N
	if len(desc.Refused) == made {
		why := l.refused(made, desc.Refused[0].Why)
		return &why, nil
	}
	for _, r := range desc.Refused {
		l.skip = append(l.skip, r.Value)
	}
	l.warn(fmt.Sprintf("%d of %d values were left out, since encoding/json refuses them: value %d: %s", len(desc.Refused), made,
		desc.Refused[0].Value, desc.Refused[0].Why))
	return nil, nil
}

// refused says why encoding/json carries no value, where in the type, and what the user can do.
func (l *Opened) refused(made int, reason string) run.Why {
	why := run.Why{What: fmt.Sprintf("encoding/json carries none of the %d values", made), Reason: reason,
		Next: "take real values: -sample FILE with captured JSON"}
	if s := &l.run.Subject; s.Sampler != "" {
		why.Next += fmt.Sprintf(", or func %s(*rand.Rand) %s in the package", s.Sampler, s.Type)
	}
	for v := range contender.Walk(l.target) {
		if v.Type.Name != nil && names(reason, print.TypeExpr(v.Type)) && v.Type != l.target.Root {
			why.Where = fmt.Sprintf("%s, %s:%d", v.Path, v.Pos.File, v.Pos.Line)
			break
		}
	}
	return why
}

// names reports whether text contains typ as a whole word: not if it has model.IDs where typ is
// model.ID.
func names(text, typ string) bool {
	_, rest, found := strings.Cut(text, typ)
	return found && (rest == "" || !strings.ContainsAny(rest[:1], "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"))
}
