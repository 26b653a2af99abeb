package callgrind

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
)

// Part is a part of a program with the instructions that it executes itself, without those of the
// functions that it calls.
type Part struct {
	Name string // of the function; for inlined code, its file follows after a space
	Ir   float64
	L1   float64 // misses of the simulated first-level caches
	Bm   float64 // branches that the simulated predictor gets wrong
}

// add adds f times the costs of b to p.
func (p *Part) add(f float64, b Part) {
	p.Ir += f * b.Ir
	p.L1 += f * b.L1
	p.Bm += f * b.Bm
}

// more returns by how much the instructions of each part grow from one run to another with n more
// operations, per operation, the most first. Parts that do not grow are left out.
func more(both, one map[string]Part, n int) (out []Part) {
	for _, name := range slices.Sorted(maps.Keys(both)) {
		d := both[name]
		d.add(-1, one[name])
		if d.Ir > 0 {
			ops := float64(n)
			out = append(out, Part{name, d.Ir / ops, d.L1 / ops, d.Bm / ops})
		}
	}
	slices.SortStableFunc(out, func(a, b Part) int { return cmp.Compare(b.Ir, a.Ir) })
	return out
}

// byPart reads the costs of each part from callgrind's output. The cost of a call follows the line
// "calls=" and is left out: the called function has its own.
func byPart(r io.Reader) (map[string]Part, error) {
	var events []string
	out, files, fns := map[string]Part{}, map[string]string{}, map[string]string{}
	var file, inlined, fn string
	called := false
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		line := lines.Text()
		key, rest, keyed := strings.Cut(line, "=")
		switch {
		case line == "":
		case keyed && key == "fl":
			file = named(files, rest)
			inlined = file
		case keyed && (key == "fi" || key == "fe"):
			inlined = named(files, rest)
		case keyed && key == "fn":
			fn = named(fns, rest)
			inlined = file
		case keyed && key == "cfn":
			named(fns, rest)
		case keyed && (key == "cfi" || key == "cfl"):
			named(files, rest)
		case keyed && key == "calls":
			called = true
		case strings.IndexByte("0123456789+-*", line[0]) >= 0:
			if called {
				called = false
				continue
			}
			costs, err := costsOf(line, events)
			if err != nil {
				return nil, err
			}
			name := fn
			if inlined != file {
				name += " " + path.Base(inlined)
			}
			p := out[name]
			p.add(1, costs)
			out[name] = p
		default:
			if rest, ok := strings.CutPrefix(line, "events:"); ok {
				events = strings.Fields(rest)
			}
		}
	}
	return out, lines.Err()
}

// costsOf reads the costs in a line: its position, then one number for each event. Zeros at the end
// are left out.
func costsOf(line string, events []string) (p Part, err error) {
	f := strings.Fields(line)[1:]
	if len(f) > len(events) {
		return p, fmt.Errorf("callgrind's output: more costs than events: %q", line)
	}
	for i, text := range f {
		n, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return p, fmt.Errorf("callgrind's output: %q", line)
		}
		switch events[i] {
		case "Ir":
			p.Ir += n
		case "I1mr", "D1mr", "D1mw":
			p.L1 += n
		case "Bcm", "Bim":
			p.Bm += n
		}
	}
	return p, nil
}

// named returns the name of "(12) name" or "(12)". A number has its name where it first occurs.
func named(known map[string]string, text string) string {
	id, name, given := strings.Cut(text, " ")
	if !strings.HasPrefix(id, "(") {
		return text
	}
	if given {
		known[id] = name
	}
	return known[id]
}
