package startup

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/lab/stats"
)

// Subject returns the number of types in the name of a goal's subject, such as types500. ok is
// false if the name has another form.
func Subject(name string) (types int, ok bool) {
	n, found := strings.CutPrefix(name, "types")
	types, err := strconv.Atoi(n)
	return types, found && err == nil && types > 0
}

// Codec and Mode name the cell with the result of Measure.
const (
	Codec = "zmy"
	Mode  = "fresh"
)

const (
	warmUp   = 10 // pairs that do not count, since the programs' files are not in memory yet
	minPairs = 40
	maxPairs = 1000
)

// Measure runs the two programs in turns for about the given time. It returns how much longer the
// full one takes from start to end, in ns of wall time and of CPU time.
func (p *Programs) Measure(ctx context.Context, budget time.Duration, seed uint64) (wall, cpu run.Estimate, err error) {
	r := rand.New(rand.NewPCG(seed, 0))
	var walls, cpus []float64
	start := time.Now()
	for i := 0; i < warmUp+minPairs || i < maxPairs && time.Since(start) < budget; i++ {
		order := []string{p.Empty, p.Full}
		if r.IntN(2) == 0 {
			order[0], order[1] = order[1], order[0]
		}
		took := map[string]spent{}
		for _, program := range order {
			if took[program], err = once(ctx, program); err != nil {
				return wall, cpu, err
			}
		}
		if i >= warmUp {
			walls = append(walls, float64(took[p.Full].wall-took[p.Empty].wall))
			cpus = append(cpus, float64(took[p.Full].cpu-took[p.Empty].cpu))
		}
	}
	return estimate(walls), estimate(cpus), nil
}

type spent struct{ wall, cpu time.Duration }

func once(ctx context.Context, program string) (spent, error) {
	cmd := exec.CommandContext(ctx, program)
	t := time.Now()
	err := cmd.Run()
	wall := time.Since(t)
	if err != nil {
		return spent{}, fmt.Errorf("%s: %w", program, err)
	}
	return spent{wall, cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()}, nil
}

func estimate(x []float64) run.Estimate {
	lo, hi, _ := stats.MedianInterval(x, 0.95)
	return run.Estimate{Median: stats.Median(x), Lo: lo, Hi: hi, N: len(x)}
}
