package peers

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/zmylab/zmy/lab/compare"
	"github.com/zmylab/zmy/lab/contender"
	"github.com/zmylab/zmy/lab/run"
)

// Plan is a short run of the lab before and after requirements were raised.
type Plan struct {
	Root     string
	Subjects []string // folders of examples with their type: "sse SSEEvent"
	Codecs   []string // see [Codecs]
	Budget   time.Duration
	Dir      string // folder for the two programs and the runs
	Log      io.Writer
}

// Codecs returns the contenders of the table that require a stale peer.
func Codecs(peers []*Peer, table []contender.Info) []string {
	var out []string
	for _, i := range table {
		if slices.ContainsFunc(i.Modules, func(m run.Module) bool {
			return slices.ContainsFunc(peers, func(p *Peer) bool { return p.Path == m.Path && p.Stale() })
		}) {
			out = append(out, i.Name)
		}
	}
	return out
}

// Run builds zmy from the sources as they are, and measures the subjects. side is "before" or
// "after"; it names the folder of the runs in Dir.
func (p *Plan) Run(ctx context.Context, side string) error {
	program := filepath.Join(p.Dir, side, "zmy")
	if err := p.command(ctx, p.Root, "go", "build", "-o", program, "./cmd/zmy"); err != nil {
		return err
	}
	for _, s := range p.Subjects {
		dir, typ, _ := strings.Cut(s, " ")
		if err := p.command(ctx, p.Root, program, "lab", "./examples/"+dir, "-type", typ, "-codecs",
			strings.Join(append([]string{run.Baseline}, p.Codecs...), ","), "-budget", p.Budget.String(), "-seed", "1",
			"-o", filepath.Join(p.Dir, side, dir)); err != nil {
			return fmt.Errorf("%s: %w", s, err)
		}
	}
	return nil
}

func (p *Plan) command(ctx context.Context, dir, name string, args ...string) error {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, p.Log, p.Log
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s %s: %w", name, strings.Join(args, " "), err)
	}
	return nil
}

// Report writes what changed between the two sides: for each subject and codec the change of the
// ratio to encoding/json with its interval, and other differences such as grades.
func (p *Plan) Report(w io.Writer) error {
	for _, s := range p.Subjects {
		dir, _, _ := strings.Cut(s, " ")
		var sides [2]*run.Run
		for i, side := range []string{"before", "after"} {
			file := filepath.Join(p.Dir, side, dir, "run.json")
			data, err := os.ReadFile(file)
			if err != nil {
				return err
			}
			if err := json.Unmarshal(data, &sides[i]); err != nil {
				return fmt.Errorf("%s: %w", file, err)
			}
		}
		found, err := compare.Runs(sides[0], sides[1], compare.Options{})
		if err != nil {
			return err
		}
		Changed(w, s, found)
	}
	return nil
}

// Changed writes the comparison of one subject.
func Changed(w io.Writer, subject string, found *compare.Result) {
	fmt.Fprintf(w, "\n%s: speed after ÷ before, both in relation to encoding/json; noise floor ±%.0f%%\n", subject, 100*found.Floor)
	for _, c := range found.Cells {
		if c.Base() || c.A.Codec == run.Baseline || c.Rel.N == 0 {
			continue
		}
		fmt.Fprintf(w, "  %-22s %-7s %-13s %.2f× [%.2f, %.2f] %s\n", c.A.Codec, c.A.Op, c.A.Mode, c.Rel.Point, c.Rel.Lo, c.Rel.Hi, c.Verdict)
	}
	for _, c := range found.Changes {
		fmt.Fprintf(w, "  %s: %s → %s\n", c.What, c.A, c.B)
	}
	for _, text := range found.Warnings {
		fmt.Fprintf(w, "  ⚠ %s\n", text)
	}
}
