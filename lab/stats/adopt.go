package stats

import (
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"github.com/zmylab/zmy/lab/run"
)

// nextSteps are what to do next: take up the picks that are proven, and measure longer for
// those that are not.
func nextSteps(r *run.Run) []string {
	v := r.Verdict
	var out []string
	for i, codec := range []string{v.Pick, v.PickJSON} {
		if i > 0 && codec == v.Pick || slices.Contains(v.Undecided, codec) {
			continue
		}
		out = append(out, Steps(r, codec)...)
	}
	if args := longerCommand(r); len(v.Undecided) > 0 && args != nil {
		out = append(out, strings.Join(v.Undecided, ", ")+": measure longer: "+Shell(args))
	}
	return out
}

// longerCommand is the command of r with as much more budget as its undecided picks need,
// at most mostLonger times; nil if r does not know its command.
func longerCommand(r *run.Run) []string {
	if len(r.Command) < 2 || r.Budget <= 0 {
		return nil
	}
	need := 2.0
	for _, codec := range r.Verdict.Undecided {
		for _, op := range []string{Encode, Decode} {
			if c := Find(r, codec, op, Fresh); c != nil {
				need = max(need, min(c.Need, mostLonger))
			}
		}
	}
	minutes := math.Ceil(r.Budget * need / 60)
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
	return slices.Insert(out, 2, "-depth", depth, "-budget", fmt.Sprintf("%.0fm", minutes))
}

// Shell spells a command for a POSIX shell.
func Shell(args []string) string {
	out := make([]string, len(args))
	for i, a := range args {
		out[i] = Quote(a)
	}
	return strings.Join(out, " ")
}

// Quote spells an argument for a POSIX shell.
func Quote(s string) string {
	plain := func(c rune) bool {
		return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.ContainsRune("-_./=,:@%+", c)
	}
	if s != "" && strings.IndexFunc(s, func(c rune) bool { return !plain(c) }) < 0 {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// Steps says how the subject's program takes up codec as it was measured. The baseline
// needs no step; a codec that does not say gets its modules to require.
func Steps(r *run.Run, codec string) []string {
	c := Contender(r, codec)
	if c == nil || codec == run.Baseline {
		return nil
	}
	a := c.Adopt
	if a == nil {
		var out []string
		for _, m := range c.Modules {
			out = append(out, fmt.Sprintf("%s: go get %s@%s", codec, m.Path, m.Version))
		}
		return out
	}
	var out []string
	generate := a.Generate
	if r.Subject.Derived && a.Derive != "" {
		generate = a.Derive
	}
	if a.Install != "" {
		version := "latest"
		if len(c.Modules) > 0 && c.Modules[0].Version != "" {
			version = c.Modules[0].Version
		}
		out = append(out, fmt.Sprintf("%s: %s", codec, strings.ReplaceAll(a.Install, "VERSION", version)))
	}
	if generate != "" {
		typ := strings.ReplaceAll(r.Subject.Type, ", ", ",") // a space ends an argument of go:generate
		out = append(out, fmt.Sprintf("%s: //go:generate %s", codec, strings.ReplaceAll(generate, "TYPE", typ)))
	}
	if a.Same {
		return append(out, fmt.Sprintf("%s: import %q in place of \"encoding/json\"; the calls stay", codec, a.Import))
	}
	if a.Setup != "" {
		out = append(out, fmt.Sprintf("%s: as measured, with %s", codec, a.Setup))
	}
	marshal, unmarshal := a.Marshal, a.Unmarshal
	if a.Limit > 0 && c.Sizes.Max > float64(a.Limit) {
		most := strconv.Itoa(1 << bits.Len(uint(2*c.Sizes.Max)-1)) // room for values twice as large
		marshal, unmarshal = strings.ReplaceAll(a.MarshalLarge, "MAX", most), strings.ReplaceAll(a.UnmarshalLarge, "MAX", most)
	}
	from := ""
	if a.Import != "" {
		from = fmt.Sprintf("import %q; ", a.Import)
	}
	return append(out, fmt.Sprintf("%s: %sjson.Marshal(v) → %s; json.Unmarshal(b, &v) → %s", codec, from, marshal, unmarshal))
}
