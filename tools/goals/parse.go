package goals

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// Built returns the goals that are compiled into the program: the project's own.
func Built() ([]*Goal, error) { return Load(built) }

// Load reads all .yaml files of a folder, ordered by name. The error lists all mistakes, each with
// file:line.
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

// Parse reads one file, which has a list of goals.
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

// Keys of all goals, of goals on a subject, by criterion, and by benchmarks.
var (
	keys          = []string{"metric", "env", "ours", "than", "least", "most", "accepted", "note"}
	subjectKeys   = append([]string{"subject", "op", "variant", "floor"}, keys...)
	criterionKeys = []string{"criterion", "ours", "than", "least", "most", "accepted", "note"}
	benchKeys     = append([]string{"bench", "minus", "benchtime", "rounds", "free"}, keys...)
)

func parseGoal(n *yaml.Node) (*Goal, error) {
	of, keys := "on a subject", subjectKeys
	has := func(key string) bool {
		return n.Kind == yaml.MappingNode && slices.ContainsFunc(n.Content, func(k *yaml.Node) bool { return k.Value == key })
	}
	switch {
	case has("bench"):
		of, keys = "by benchmarks", benchKeys
	case has("criterion"):
		of, keys = "by criterion", criterionKeys
	}
	if n.Kind != yaml.MappingNode {
		return nil, at(n, "want a goal with the keys %s", strings.Join(keys, ", "))
	}
	for i := 0; i < len(n.Content); i += 2 {
		if k := n.Content[i]; !slices.Contains(keys, k.Value) {
			return nil, at(k, "unknown key %q; a goal %s has the keys %s", k.Value, of, strings.Join(keys, ", "))
		}
	}
	g := new(Goal)
	if err := n.Decode(g); err != nil {
		return nil, err
	}
	check := g.check
	switch {
	case g.Bench != "":
		check = g.checkBench
		g.Metric, g.Rounds = cmp.Or(g.Metric, "cpu-ns/op"), cmp.Or(g.Rounds, 10)
	case g.Criterion != "":
		check = g.checkCriterion
	}
	g.Metric = cmp.Or(g.Metric, "time")
	err := check()
	switch {
	case err != nil:
	case (g.Least != 0) == (g.Most != nil):
		err = errors.New("exactly one of least and most is needed")
	case g.Least < 0 || g.Most != nil && *g.Most < 0:
		err = errors.New("least and most are not negative")
	}
	if err != nil {
		return nil, at(n, "%v", err)
	}
	return g, nil
}

// checkBench returns an error if a goal by benchmarks breaks a rule.
func (g *Goal) checkBench() error {
	for key, s := range map[string]Side{"ours": g.Ours, "than": g.Than, "minus": g.Minus} {
		if s != (Side{}) && !s.isBenchmark() {
			return fmt.Errorf("%s: %q is no benchmark", key, s)
		}
	}
	switch {
	case !fs.ValidPath(g.Bench) || g.Bench == ".":
		return fmt.Errorf("bench: %q is no folder below the project's, such as adapters/ginx", g.Bench)
	case g.Ours == (Side{}):
		return errors.New("ours is missing")
	case g.Than != (Side{}) && g.Minus != (Side{}):
		return errors.New("than and minus exclude each other")
	case g.Rounds < minRounds:
		return fmt.Errorf("rounds: %d: an interval needs %d", g.Rounds, minRounds)
	}
	return nil
}

// check returns an error if a goal on a subject breaks a rule.
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
	case g.Ours.Codec == Fastest || g.Ours.isBenchmark():
		return errors.New("ours must name a codec")
	case g.Than != (Side{}) && g.Floor != "":
		return errors.New("than and floor exclude each other")
	case g.Floor != "" && !slices.Contains(floors, g.Floor):
		return fmt.Errorf("floor %q is not %s", g.Floor, strings.Join(floors, " or "))
	case g.Least != 0 && !relative && g.Metric != "scaling":
		return errors.New("least needs than or floor; an absolute bound is spelled most")
	case relative && g.Most != nil && *g.Most == 0:
		return errors.New("most: 0 of something else is not a goal")
	}
	return nil
}

// UnmarshalYAML parses codec/mode, codec/op/mode, or the name of a benchmark.
func (s *Side) UnmarshalYAML(n *yaml.Node) error {
	if *s = (Side{Codec: n.Value}); s.isBenchmark() {
		return nil
	}
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

// lineError is an error at a line of a goals file.
type lineError struct {
	line int
	text string
}

func (e *lineError) Error() string { return e.text }

func at(n *yaml.Node, format string, args ...any) error {
	return &lineError{n.Line, fmt.Sprintf(format, args...)}
}
