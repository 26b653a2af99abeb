package stats

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/zmylab/zmy/lab/run"
)

// nextSteps returns what to do next: adopt one of the picks, or measure longer for those that are
// undecided. Each pick has all of its steps, also those that another has too, since a program
// follows the steps of one.
func nextSteps(r *run.Run) []run.Step {
	v := r.Verdict
	var out []run.Step
	picks := []struct{ codec, when string }{{v.Pick, "Both ends Go"}}
	if v.PickJSON != v.Pick {
		picks = append(picks, struct{ codec, when string }{v.PickJSON, "JSON must stay"})
	}
	if v.PickProto != v.Pick && v.PickProto != "" {
		picks = append(picks, struct{ codec, when string }{v.PickProto, "Protobuf must stay"})
	}
	for _, pick := range picks {
		if slices.Contains(v.Undecided, pick.codec) {
			continue
		}
		for _, s := range Steps(r, pick.codec) {
			if len(picks) > 1 {
				s.When = pick.when
			}
			out = append(out, s)
		}
	}
	if args := longerCommand(r); len(v.Undecided) > 0 && args != nil {
		where := ""
		if needed(r) > mostLonger { // the warnings then name a quieter machine, too
			where = " on a quieter machine"
		}
		out = append(out, run.Step{Codecs: v.Undecided, Kind: run.StepShell, Code: Shell(args),
			Do: "Measure longer" + where + ", as " + run.Some(v.Undecided) + " cannot be told from encoding/json yet"})
	}
	return out
}

// needed returns how many times longer r would have to run to decide on its undecided picks, at
// least 2.
func needed(r *run.Run) float64 {
	need := 2.0
	for _, codec := range r.Verdict.Undecided {
		for _, op := range []string{Encode, Decode} {
			if c := Find(r, codec, op, Fresh); c != nil {
				need = max(need, c.Need)
			}
		}
	}
	return need
}

// longerCommand returns the command of r with a larger budget, or nil if r does not know its
// command. The new budget is the time that the rounds took, times the factor that the undecided
// picks need, which is at most mostLonger. It is not a multiple of the old budget, because rounds
// may take longer than their budget if the machine is crowded or the budget is small.
func longerCommand(r *run.Run) []string {
	if len(r.Command) < 2 || r.Budget <= 0 {
		return nil
	}
	need := min(needed(r), mostLonger)
	took := r.Measured
	if took == 0 { // a run of an earlier version of the lab, or one that was stopped
		took = r.Budget
	}
	minutes := math.Ceil(took * need / 60)
	var out []string
	for i := 0; i < len(r.Command); i++ {
		name, _, joined := strings.Cut(strings.TrimLeft(r.Command[i], "-"), "=")
		if strings.HasPrefix(r.Command[i], "-") && (name == "budget" || name == "depth") {
			if !joined {
				i++
			}
			continue
		}
		out = append(out, r.Command[i])
	}
	depth := r.Depth
	if depth == "" || depth == "quick" {
		depth = "standard"
	}
	at := slices.Index(out, "lab") + 1 // after the words of go run, which has flags of its own
	for at < len(out) && !strings.HasPrefix(out[at], "-") {
		at++
	}
	return slices.Insert(out, at, "-depth", depth, "-budget", fmt.Sprintf("%.0fm", minutes))
}

// Shell quotes and joins a command for a POSIX shell.
func Shell(args []string) string {
	out := make([]string, len(args))
	for i, a := range args {
		out[i] = Quote(a)
	}
	return strings.Join(out, " ")
}

// Quote quotes an argument for a POSIX shell, if that is needed.
func Quote(s string) string {
	plain := func(c rune) bool {
		return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.ContainsRune("-_./=,:@%+", c)
	}
	if s != "" && strings.IndexFunc(s, func(c rune) bool { return !plain(c) }) < 0 {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
