package adopt

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"os"
	"os/exec"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"
)

// outcome is what the go command says about one package.
type outcome struct {
	fails string // the first line of what is wrong; "" if nothing is
	stage string // build, vet or test
	tests int
	vet   []string // what go vet reports
}

// since returns the outcome after a change in which only new reports of go vet are failures.
func (o outcome) since(before outcome) outcome {
	if o.stage == "build" {
		return o
	}
	old := map[string]int{}
	for _, text := range before.vet {
		old[unplaced(text)]++
	}
	for _, text := range o.vet {
		if old[unplaced(text)]--; old[unplaced(text)] < 0 {
			o.fails, o.stage = text, "vet"
			break
		}
	}
	return o
}

// unplaced returns a report of go vet without line and column, which change with the lines above.
func unplaced(text string) string { return linePos.ReplaceAllString(text, ".go: ") }

var linePos = regexp.MustCompile(`\.go:\d+(:\d+)?: `)

// worse reports whether a package fails that did not fail before, or fails at an earlier stage.
func (o outcome) worse(before outcome) bool {
	stages := []string{"build", "vet", "test"}
	return o.fails != "" && (before.fails == "" || slices.Index(stages, o.stage) < slices.Index(stages, before.stage))
}

// checks builds, vets and tests packages in the copy. A package with reports of go vet is tested all
// the same. built are those of the packages that have more
// than tests.
func (t *tree) checks(ctx context.Context, o *Options, pkgs, built []string, test bool) (map[string]outcome, error) {
	out := map[string]outcome{}
	for _, p := range pkgs {
		out[p] = outcome{}
	}
	if len(pkgs) == 0 {
		return out, nil
	}
	tags := []string{}
	if o.Tags != "" {
		tags = append(tags, "-tags="+o.Tags)
	}
	for _, stage := range []string{"build", "vet"} {
		args, of := append([]string{stage}, tags...), pkgs
		if stage == "build" {
			args, of = append(args, "-o", os.DevNull), built
		}
		if len(of) == 0 {
			continue
		}
		if err := t.compile(ctx, o, stage, append(args, of...), out); err != nil {
			return nil, err
		}
	}
	if !test {
		return out, nil
	}
	var sound []string
	for _, p := range pkgs {
		if out[p].fails == "" {
			sound = append(sound, p)
		}
	}
	if len(sound) == 0 {
		return out, nil
	}
	args := append([]string{"test", "-json", "-vet=off", "-timeout", cmpTimeout(o.Timeout).String()}, tags...)
	return out, t.tests(ctx, o, append(args, sound...), out)
}

func cmpTimeout(d time.Duration) time.Duration {
	if d == 0 {
		return 10 * time.Minute
	}
	return d
}

// command prepares a go command in the copy. When ctx ends, the command and its children are killed.
func (t *tree) command(ctx context.Context, o *Options, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir, cmd.Env = t.dir, o.env(t)
	cmd.WaitDelay = 5 * time.Second
	group(cmd)
	return cmd
}

// header is a line of go build or go vet that names a package: "# path", "# path [path.test]", "# [path]".
var header = regexp.MustCompile(`(?m)^# \[?([^\s\]]+)\]?(?: \[\S+\])?$`)

// placed is a message with a place in a file.
var placed = regexp.MustCompile(`^(\S+\.go):\d+`)

// compile runs go build or go vet, and divides its messages by package.
func (t *tree) compile(ctx context.Context, o *Options, stage string, args []string, out map[string]outcome) error {
	cmd := t.command(ctx, o, args...)
	text, err := cmd.CombinedOutput()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err == nil {
		return nil
	}
	if !errors.As(err, new(*exec.ExitError)) {
		return err
	}
	current, any := "", false
	lost := ""
	for line := range strings.Lines(string(text)) {
		line = strings.TrimRight(line, "\n")
		if m := header.FindStringSubmatch(line); m != nil {
			current = strings.TrimSuffix(m[1], "_test")
			continue
		}
		if m := placed.FindStringSubmatch(t.shorten(line)); m != nil && header.FindString(string(text)) == "" {
			current = path.Join(t.module, path.Dir(m[1])) // go vet names no package
		}
		if was, ok := out[current]; ok && was.fails == "" && line != "" && !strings.HasPrefix(line, "go: ") {
			out[current] = was.report(stage, t.shorten(line))
			any = true
		} else if lost == "" && line != "" {
			lost = t.shorten(line)
		}
	}
	if !any { // no package can be blamed
		for p, was := range out {
			if was.fails == "" {
				out[p] = was.report(stage, lost)
			}
		}
	}
	return nil
}

// report adds a message of go build or go vet. Only the first one of go build counts.
func (o outcome) report(stage, text string) outcome {
	if stage == "vet" {
		o.vet = append(o.vet, text)
		return o
	}
	return outcome{fails: text, stage: stage}
}

// event is a line of go test -json.
type event struct {
	Action, Package, Test, Output string
}

// tests runs go test.
func (t *tree) tests(ctx context.Context, o *Options, args []string, out map[string]outcome) error {
	cmd := t.command(ctx, o, args...)
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		return err
	}
	failed := map[string]string{}
	r := bufio.NewReader(pipe)
	for {
		line, err := r.ReadBytes('\n')
		var e event
		if json.Unmarshal(line, &e) == nil {
			was, ok := out[e.Package]
			switch {
			case !ok:
			case e.Action == "pass" && e.Test != "" && !strings.Contains(e.Test, "/"):
				was.tests++
				out[e.Package] = was
			case e.Action == "fail" && e.Test != "" && failed[e.Package] == "":
				failed[e.Package] = "test " + e.Test
			case e.Action == "fail" && e.Test == "":
				was.fails, was.stage = "the tests fail", "test"
				if failed[e.Package] != "" {
					was.fails = failed[e.Package] + " fails"
				} else if len(was.vet) > 0 { // the tests do not compile, and go vet has said why
					was.fails, was.stage = was.vet[0], "vet"
				}
				out[e.Package] = was
			case e.Action == "pass" && e.Test == "":
				o.progress("tested " + e.Package)
			}
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			break // the command has ended, or ctx has
		}
	}
	err = cmd.Wait()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil && !errors.As(err, new(*exec.ExitError)) {
		return err
	}
	return nil
}

// affected returns the packages whose tests may see a change of the given packages: these, and all of
// the module that import them, directly or not, or whose tests do.
func affected(ctx context.Context, t *tree, o *Options, changed []string) ([]string, error) {
	cmd := t.command(ctx, o, "list", "-e", "-test", "-json=ImportPath,Imports,ForTest,TestImports,XTestImports", "./...")
	if o.Tags != "" {
		cmd = t.command(ctx, o, "list", "-e", "-test", "-tags="+o.Tags, "-json=ImportPath,Imports,ForTest,TestImports,XTestImports", "./...")
	}
	text, err := cmd.Output()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, err
	}
	type listed struct {
		ImportPath, ForTest                string
		Imports, TestImports, XTestImports []string
	}
	importers := map[string][]string{}
	tested := map[string][]string{}
	for dec := json.NewDecoder(bytes.NewReader(text)); ; {
		var p listed
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, err
		}
		if p.ForTest != "" || strings.HasSuffix(p.ImportPath, ".test") {
			continue
		}
		for _, i := range p.Imports {
			importers[i] = append(importers[i], p.ImportPath)
		}
		for _, i := range append(p.TestImports, p.XTestImports...) {
			tested[i] = append(tested[i], p.ImportPath)
		}
	}
	reached := map[string]bool{}
	queue := slices.Clone(changed)
	for len(queue) > 0 {
		p := queue[0]
		queue = queue[1:]
		if reached[p] {
			continue
		}
		reached[p] = true
		queue = append(queue, importers[p]...)
	}
	out := maps.Clone(reached)
	for p := range reached {
		for _, by := range tested[p] {
			out[by] = true
		}
	}
	return slices.Sorted(maps.Keys(out)), nil
}
