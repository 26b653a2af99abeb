package main

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"strings"
	"time"

	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/tools/goals"
	"github.com/zmylab/zmy/tools/startup"
)

// measureStartUp measures a subject such as types500: how much longer a program takes to start if
// it has the generated code of that many types.
func measureStartUp(ctx context.Context, ui *progress, q goals.Request, root string, types int) (_ *run.Run, err error) {
	start := time.Now()
	ui.Doing(fmt.Sprintf("building a program with %d types", types))
	dir, err := os.MkdirTemp("", "zmy-startup-*")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	p, err := startup.Build(ctx, dir, root, types)
	if err != nil {
		return nil, err
	}
	ui.Doing(fmt.Sprintf("starting it and an empty one by turns for %s", q.Budget))
	const seed = 1
	wall, cpu, err := p.Measure(ctx, q.Budget, seed)
	if err != nil {
		return nil, err
	}
	return &run.Run{
		Schema: run.Schema, Tool: program, Command: strings.Fields(program + " goals -subject " + q.Subject + " -budget " + q.Budget.String()),
		Started: start.UTC(), Seconds: time.Since(start).Seconds(), Budget: q.Budget.Seconds(), Seed: seed, Clock: "wall",
		Host:       run.Host{OS: runtime.GOOS, Arch: runtime.GOARCH, Cores: runtime.NumCPU(), Load1: -1, Go: runtime.Version(), Counters: "n/a"},
		Subject:    run.Subject{Name: q.Subject, Type: q.Subject, Source: fmt.Sprintf("%d types made for this", types)},
		Contenders: []*run.Contender{{Name: startup.Codec, Family: "binary", Text: "ZMY native, generated code", Status: run.StatusMeasured}},
		Cells:      []*run.Cell{{Codec: startup.Codec, Mode: startup.Mode, Start: &wall, CPU: cpu, Wall: wall}},
	}, nil
}
