package stats

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/zmylab/zmy/lab/run"
)

// nextSteps returns what to do next: adopt the picks, or measure longer for those that are
// undecided. A step that two picks share is returned once.
func nextSteps(r *run.Run) []run.Step {
	v := r.Verdict
	var out []run.Step
	for i, codec := range []string{v.Pick, v.PickJSON} {
		if i > 0 && codec == v.Pick || slices.Contains(v.Undecided, codec) {
			continue
		}
		for _, s := range Steps(r, codec) {
			same := slices.IndexFunc(out, func(o run.Step) bool {
				return o.Kind == s.Kind && o.Do == s.Do && o.Code == s.Code && o.File == s.File
			})
			if same < 0 {
				same = addDirectives(out, s)
			}
			if same >= 0 {
				out[same].Codecs = append(out[same].Codecs, codec)
			} else {
				out = append(out, s)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b run.Step) int { return stage(a) - stage(b) })
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

// directive begins the only lines in which the files that two picks need may differ.
const directive = "//go:generate "

// addDirectives adds the go:generate lines of s to a step that writes the same file and is
// otherwise equal to s. It returns the index of that step, -1 if there is no such step.
func addDirectives(steps []run.Step, s run.Step) int {
	if s.Kind != run.StepFile {
		return -1
	}
	for i, o := range steps {
		mine, rest := cutDirectives(s.Code)
		if _, others := cutDirectives(o.Code); o.Kind != run.StepFile || o.File != s.File || others != rest {
			continue
		}
		steps[i].Code = strings.Replace(o.Code, directive, strings.Join(mine, "")+directive, 1)
		return i
	}
	return -1
}

// cutDirectives divides a file into its go:generate lines and the rest.
func cutDirectives(code string) (lines []string, rest string) {
	for line := range strings.Lines(code) {
		if strings.HasPrefix(line, directive) {
			lines = append(lines, line)
		} else {
			rest += line
		}
	}
	return lines, rest
}

// stage returns the place of a step in the order of the steps of both picks: all files are written
// before code is generated.
func stage(s run.Step) int {
	switch {
	case s.Kind == run.StepFile:
		return 1
	case s.Kind == run.StepShell && strings.Contains(s.Code, goGenerate):
		return 2
	case s.Kind == run.StepCalls:
		return 3
	case s.Kind == run.StepHand:
		return 4
	case s.Kind == run.StepShell && s.Code == vendor:
		return 5
	}
	return 0
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
	return slices.Insert(out, 2, "-depth", depth, "-budget", fmt.Sprintf("%.0fm", minutes)) // after "zmy lab"
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
