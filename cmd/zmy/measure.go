//go:build !labonly

package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"slices"

	"github.com/zmylab/zmy/lab"
	"github.com/zmylab/zmy/lab/contender/table"
	"github.com/zmylab/zmy/scan/adopt"
	"github.com/zmylab/zmy/scan/trial"
)

// measureFlags are the flags of zmy adopt -measure.
type measureFlags struct {
	trial.Options
	samples []string
}

func (f *measureFlags) register(fs *flag.FlagSet) {
	fs.StringVar(&f.What, "measure", "", "")
	fs.StringVar(&f.Load, "load", "", "")
	fs.StringVar(&f.CPU, "cpu", "", "")
	fs.StringVar(&f.Heap, "heap", "", "")
	fs.IntVar(&f.Rounds, "rounds", 10, "")
	fs.Func("sample", "", func(s string) error { f.samples = append(f.samples, s); return nil })
}

// complete makes the checks that the flag package cannot make. to is the codec that is adopted.
func (f *measureFlags) complete(to string, args []string) (err error) {
	switch {
	case f.What == "" && (f.Load != "" || f.CPU != "" || f.Heap != "" || f.samples != nil || f.Args != nil):
		return errors.New("-load, -cpu, -heap, -sample and arguments after -- go with -measure WHAT")
	case f.What == "":
		return nil
	case to != adopt.Codecs[0]:
		return fmt.Errorf("-measure compares with a prediction for %s; a change to ZMY has none", adopt.Codecs[0])
	case f.Rounds < 6:
		return fmt.Errorf("-rounds %d: an interval needs at least 6", f.Rounds)
	}
	if f.Scan.Samples, err = samplesOf(f.samples); err != nil {
		return err
	}
	f.Scan.Tool, f.Scan.Command = tool(), slices.Concat(invocation(), []string{"adopt"}, args)
	l := &f.Scan.Lab
	l.Tool, l.Version, l.Table, l.Depth, l.Seed = f.Scan.Tool, release(), table.All(), lab.Quick, 1
	return nil
}

// run measures a change, and prints what was measured.
func (f *measureFlags) run(ctx context.Context, c *console, s *screen, r *adopt.Result, o adopt.Options) error {
	f.Scan.Lab.Runtime = o.Runtime
	f.Doing = func(text string) {
		if s.live {
			s.status(text)
		}
	}
	out, err := trial.Run(ctx, r, o, f.Options)
	s.clear()
	if out != nil && len(out.Rows) > 0 {
		if err := out.Text(c.stdout); err != nil {
			return err
		}
	}
	if ctx.Err() != nil {
		return &exit{errors.New("stopped; what was measured so far counts"), exitStopped}
	}
	if usage := (*lab.UsageError)(nil); errors.As(err, &usage) {
		return &exit{err, exitUsage}
	}
	return err
}
