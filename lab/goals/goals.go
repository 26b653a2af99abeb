// Package goals holds what the project wants to reach, as data, and judges runs
// of the lab by it. One file a theme; a goal is one line:
//
//   - {subject: order-lite, op: decode, ours: zmy/fresh, than: msgp/fresh, least: 1.5}
//
// reads: on subject order-lite, decoding with zmy in mode fresh takes at most
// 1/1.5 of the time that msgp takes.
//
// NOTE, the map: goals.go is the model and its reader, eval.go judges a goal by
// a run, main.go runs what the goals need and prints them.
package goals

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

//go:embed *.yaml
var built embed.FS

// Goal is one thing to reach. Exactly one of Than and Floor names what it is
// compared with, or neither: then Most bounds the metric itself.
type Goal struct {
	Subject string   `yaml:"subject"` // folder name of a built-in subject
	Op      string   `yaml:"op"`      // encode | decode | access; none for start-up and code-size
	Metric  string   `yaml:"metric"`  // see Metrics; time when empty
	Variant string   `yaml:"variant"` // of the subject's input: shuffled | indented | …
	Env     []string `yaml:"env"`     // of the build: GOEXPERIMENT=jsonv2
	Ours    Side     `yaml:"ours"`
	Than    Side     `yaml:"than"`
	Floor   string   `yaml:"floor"` // memcpy | slab: what nobody can avoid
	// Least is the least Than ÷ Ours: above 1 ours is faster, smaller, leaner.
	Least float64 `yaml:"least"`
	// Most is the most Ours ÷ Than, or without Than and Floor the most that the
	// metric itself may be (ns, bytes, allocs).
	Most *float64 `yaml:"most"`
	// Accepted says why a miss is accepted: the reason, the figure, the date.
	Accepted string `yaml:"accepted"`
	Note     string `yaml:"note"`

	File string `yaml:"-"`
	Line int    `yaml:"-"`
}

// Side is a cell of a run, spelled codec/mode, or codec/op/mode where the op
// differs from the goal's. The codec "fastest" stands for whichever ranked
// contender, ours apart, is fastest there.
type Side struct{ Codec, Op, Mode string }

// Fastest stands for the fastest ranked contender that is not ours.
const Fastest = "fastest"

// Metrics that a goal may name. Those with false are named already and wait
// for the experiment that measures them.
var Metrics = map[string]bool{
	"time":       true,  // ns/op on the run's clock
	"bytes":      true,  // B/op allocated
	"allocs":     true,  // allocations/op
	"wire":       true,  // mean bytes of a message
	"first-call": true,  // ns of the first call in a process
	"start-up":   true,  // ns that a program with the code of all types takes longer than an empty one
	"scaling":    true,  // throughput of two goroutines ÷ that of one
	"code-size":  false, // bytes of machine code
}

// whole are the metrics of whole programs, which have no op.
func whole(metric string) bool { return metric == "start-up" || metric == "code-size" }

var floors = []string{"memcpy", "slab"}

func (s Side) String() string {
	if s.Op != "" {
		return s.Codec + "/" + s.Op + "/" + s.Mode
	}
	return s.Codec + "/" + s.Mode
}

// UnmarshalYAML reads codec/mode or codec/op/mode.
func (s *Side) UnmarshalYAML(n *yaml.Node) error {
	parts := strings.Split(n.Value, "/")
	if n.Kind != yaml.ScalarNode || len(parts) < 2 || len(parts) > 3 || slices.Contains(parts, "") {
		return at(n, "%q is not codec/mode or codec/op/mode", n.Value)
	}
	*s = Side{Codec: parts[0], Mode: parts[len(parts)-1]}
	if len(parts) == 3 {
		s.Op = parts[1]
	}
	return nil
}

// lineError is an error in a line of a goals file.
type lineError struct {
	line int
	text string
}

func (e *lineError) Error() string { return e.text }

func at(n *yaml.Node, format string, args ...any) error {
	return &lineError{n.Line, fmt.Sprintf(format, args...)}
}

// Built returns the project's own goals.
func Built() ([]*Goal, error) { return Load(built) }

// Load reads every .yaml file of a folder, in order of name. Its error lists
// all mistakes, each as file:line.
func Load(dir fs.FS) ([]*Goal, error) {
	names, err := fs.Glob(dir, "*.yaml")
	if err != nil {
		return nil, err
	}
	var out []*Goal
	var errs []error
	for _, name := range names {
		data, err := fs.ReadFile(dir, name)
		if err != nil {
			return nil, err
		}
		goals, err := Parse(name, data)
		errs = append(errs, err)
		out = append(out, goals...)
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	if len(out) == 0 {
		return nil, errors.New("goals: no goal found: want files *.yaml with a list of goals")
	}
	return out, nil
}

// Parse reads one file: a list of goals.
func Parse(name string, data []byte) ([]*Goal, error) {
	var list yaml.Node
	if err := yaml.NewDecoder(bytes.NewReader(data)).Decode(&list); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if len(list.Content) != 1 || list.Content[0].Kind != yaml.SequenceNode {
		return nil, fmt.Errorf("%s:%d: want a list of goals", name, max(1, list.Line))
	}
	var out []*Goal
	var errs []error
	for _, n := range list.Content[0].Content {
		g, err := parseGoal(n)
		if err != nil {
			line := n.Line
			if l := (*lineError)(nil); errors.As(err, &l) {
				line = l.line
			}
			errs = append(errs, fmt.Errorf("%s:%d: %w", name, line, err))
			continue
		}
		g.File, g.Line = path.Base(name), n.Line
		out = append(out, g)
	}
	return out, errors.Join(errs...)
}

var keys = []string{"subject", "op", "metric", "variant", "env", "ours", "than", "floor", "least", "most", "accepted", "note"}

func parseGoal(n *yaml.Node) (*Goal, error) {
	if n.Kind != yaml.MappingNode {
		return nil, at(n, "want a goal with the keys %s", strings.Join(keys, ", "))
	}
	for i := 0; i < len(n.Content); i += 2 {
		if k := n.Content[i]; !slices.Contains(keys, k.Value) {
			return nil, at(k, "unknown key %q; a goal has the keys %s", k.Value, strings.Join(keys, ", "))
		}
	}
	g := new(Goal)
	if err := n.Decode(g); err != nil {
		return nil, err
	}
	if g.Metric == "" {
		g.Metric = "time"
	}
	if err := g.check(); err != nil {
		return nil, at(n, "%v", err)
	}
	return g, nil
}

// check holds a goal to its rules.
func (g *Goal) check() error {
	_, known := Metrics[g.Metric]
	relative := g.Than != (Side{}) || g.Floor != ""
	switch {
	case g.Subject == "":
		return errors.New("subject is missing")
	case !known:
		return fmt.Errorf("metric %q is not known", g.Metric)
	case Metrics[g.Metric] && !whole(g.Metric) && !slices.Contains([]string{"encode", "decode", "access"}, g.Op):
		return fmt.Errorf("op %q is not encode, decode or access", g.Op)
	case g.Ours == (Side{}):
		return errors.New("ours is missing")
	case g.Ours.Codec == Fastest:
		return errors.New("ours must name a codec")
	case g.Than != (Side{}) && g.Floor != "":
		return errors.New("than and floor exclude each other")
	case g.Floor != "" && !slices.Contains(floors, g.Floor):
		return fmt.Errorf("floor %q is not %s", g.Floor, strings.Join(floors, " or "))
	case (g.Least != 0) == (g.Most != nil):
		return errors.New("exactly one of least and most is needed")
	case g.Least < 0 || g.Most != nil && *g.Most < 0:
		return errors.New("least and most are not negative")
	case g.Least != 0 && !relative && g.Metric != "scaling":
		return errors.New("least needs than or floor; an absolute bound is spelled most")
	case relative && g.Most != nil && *g.Most == 0:
		return errors.New("most: 0 of something else is not a goal")
	}
	return nil
}

// String spells the goal: "decode zmy/fresh ≥ 1.5× msgp/fresh".
func (g *Goal) String() string {
	what := strings.TrimSpace(g.Op + " " + g.Ours.String())
	if g.Metric != "time" {
		what = strings.TrimSpace(g.Op + " " + g.Metric + " " + g.Ours.String())
	}
	other := g.Than.String()
	if g.Floor != "" {
		other = "floor " + g.Floor
	}
	var bound string
	switch {
	case g.Metric == "scaling" && g.Least != 0:
		bound = fmt.Sprintf("≥ %g", g.Least)
	case g.Least != 0:
		bound = fmt.Sprintf("≥ %g× %s", g.Least, other)
	case g.Than == (Side{}) && g.Floor == "":
		bound = "≤ " + number(*g.Most) + " " + units[g.Metric]
	default:
		bound = fmt.Sprintf("≤ %g of %s", *g.Most, other)
	}
	s := what + " " + bound
	if g.Variant != "" {
		s += ", " + g.Variant
	}
	if len(g.Env) > 0 {
		s += ", " + strings.Join(g.Env, " ")
	}
	return s
}

var units = map[string]string{"time": "ns", "bytes": "B", "allocs": "allocs", "wire": "B", "first-call": "ns", "start-up": "ns", "code-size": "B"}
