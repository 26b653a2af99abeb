package adopt

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/mod/modfile"
	"golang.org/x/tools/go/packages"

	"github.com/zmylab/zmy/gen/gocmd"
	"github.com/zmylab/zmy/scan/site"
)

// Options say what is adopted, and where.
type Options struct {
	To       string        // what to change to: fxjson if it is empty, ZMYRead or ZMYWrite
	Dir      string        // folder of the module, or below it; "" for the current one
	Patterns []string      // packages, relative to Dir; none: all packages of the module
	Types    []string      // names of types; if there are any, only their sites change
	Sites    []string      // "file.go:12", relative to the module's folder: sites that change to ZMY although their bytes leave it
	Tags     string        // build tags, as go build takes them
	Runtime  string        // folder of a clone of this project, "" to find it
	Release  string        // version of this program if it is a release
	NoTests  bool          // build and vet the copy, and run no tests
	Bytes    bool          // change sites whose bytes matter, too
	Timeout  time.Duration // of the tests of one package; 0: 10 minutes
	Doing    func(string)  // is told what Run does; may be nil

	work string // go.work of the copy, "" for what the go command finds
}

func (o *Options) progress(text string) {
	if o.Doing != nil {
		o.Doing(text)
	}
}

// names reports whether the caller asked for a type: by its name, with its package's name, or with
// its package's path.
func (o *Options) names(n *types.Named) bool {
	obj := n.Obj()
	if obj.Pkg() == nil {
		return slices.Contains(o.Types, obj.Name())
	}
	return o.namesIn(obj.Pkg().Path(), obj.Name()) || slices.Contains(o.Types, obj.Pkg().Name()+"."+obj.Name())
}

// namesIn is names for a type of the package with a path.
func (o *Options) namesIn(pkg, name string) bool {
	return slices.ContainsFunc(o.Types, func(want string) bool {
		want = strings.TrimPrefix(want, "*")
		return want == name || want == pkg+"."+name || want == pkg[strings.LastIndex(pkg, "/")+1:]+"."+name
	})
}

// env returns the environment of go commands in the copy. PWD is left out, since it names the
// original.
func (o *Options) env(t *tree) []string {
	env := slices.DeleteFunc(os.Environ(), func(s string) bool { return strings.HasPrefix(s, "PWD=") })
	if o.work != "" {
		env = append(env, "GOWORK="+o.work)
	}
	return append(env, "PWD="+t.dir)
}

// note adds a note to the result.
func (p *program) note(at token.Position, text string) {
	n := Note{at, text}
	if !slices.Contains(p.notes, n) {
		p.notes = append(p.notes, n)
	}
}

// Run makes the change in a copy of the module, checks it, and returns it. It changes nothing in the
// module. When ctx ends, Run removes the copy and returns ctx's error.
func Run(ctx context.Context, o Options) (*Result, error) {
	if len(o.Patterns) == 0 {
		o.Patterns = []string{"./..."}
	}
	pl, err := find(ctx, o.Dir)
	if err != nil {
		return nil, err
	}
	from, err := findSource(o.Runtime, o.Release)
	if err != nil {
		return nil, err
	}
	o.progress("copying the module")
	t, err := newTree(pl.dir, pl.work, from.links(pl.dir)...)
	if err != nil {
		return nil, fmt.Errorf("copy the module: %w", err)
	}
	defer t.Close()
	t.module = pl.file.Module.Mod.Path
	if at := os.Getenv("GOWORK"); at != "" && at != "off" {
		o.work = t.mirror(at)
	}
	r := &Result{Codec: cmp.Or(o.To, Codecs[0]), Module: pl.file.Module.Mod.Path, Dir: pl.dir, Tested: !o.NoTests}
	j := &job{ctx: ctx, o: &o, t: t, pl: pl, from: from, r: r}
	if err := j.run(); err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, err
	}
	return r, nil
}

// mirror returns the path in the copy of a file outside of the module.
func (t *tree) mirror(name string) string {
	root, rel := t.from, "."
	for !within(root, name) && root != filepath.Dir(root) {
		root, rel = filepath.Dir(root), filepath.Join(filepath.Base(root), rel)
	}
	if at, err := filepath.Rel(root, name); err == nil {
		if base, ok := strings.CutSuffix(t.dir, string(filepath.Separator)+rel); ok || rel == "." {
			return filepath.Join(base, at)
		}
	}
	return name
}

// job is one run.
type job struct {
	ctx    context.Context
	o      *Options
	t      *tree
	pl     *place
	from   source
	r      *Result
	before map[string]outcome
	kept   map[string]string       // packages whose change was taken back, and why
	found  map[string][]types.Type // types behind interfaces, by "file:line" of the call
	sites  []*site.Site            // of the module, without tests
	pairs  *pairs                  // nil for a change that keeps the format
	// refused are the types that ZMY does not fit, and why; "" for those that it fits. made are those
	// that had code of ZMY before the change.
	refused map[string]string
	made    map[string]bool
	coded   map[string]string // packages whose generated code was taken back, and why
	asked   bool              // whether tidy is known
	tidy    bool              // go mod tidy changes nothing in the original
	lost    string            // why types behind interfaces are not known
	bytes   map[written]Note  // what compare has found
	easy    *easyjson         // nil before the packages are read, and for a change to ZMY
	// set by change
	prog    *program
	changed []string // packages with changed or new files
}

// rounds is how often a change is made again, without the packages that failed.
const rounds = 4

func (j *job) run() error {
	j.kept, j.coded = map[string]string{}, map[string]string{}
	j.refused, j.made = map[string]string{}, map[string]bool{}
	j.o.progress("reading the packages")
	prog, err := load(j.ctx, j.t, j.pl, j.o)
	if err != nil {
		return err
	}
	if len(prog.chosen) == 0 {
		j.r.Stay = append(prog.broken, prog.hidden...)
		return nil
	}
	for n := 0; n < rounds; n++ {
		err := j.change()
		if errors.Is(err, errAgain) { // at least one type fewer than before, or easyjson stays
			n--
			if _, err := j.t.restore(); err != nil {
				return err
			}
			continue
		}
		if err != nil {
			return err
		}
		if len(j.r.Sites) == 0 && !j.easy.goes() {
			j.r.Changes = nil
			return nil
		}
		failed, err := j.check()
		if err != nil {
			return err
		}
		if len(failed) == 0 {
			return nil
		}
		if _, err := j.t.restore(); err != nil {
			return err
		}
	}
	return fmt.Errorf("no patch: after %d attempts the packages still fail (%s)", rounds, j.failures())
}

func (j *job) failures() string {
	var parts []string
	for _, c := range j.r.Checks {
		if c.worse {
			parts = append(parts, c.Package+": "+c.After)
		}
	}
	return strings.Join(parts, "; ")
}

// change makes the whole change in the copy, which is as the original.
func (j *job) change() error {
	files, err := j.uses()
	if err != nil {
		return err
	}
	if err := errors.Join(j.compare(files), j.writeEasy()); err != nil {
		return err
	}
	changed, err := j.rewrite(files)
	if err != nil {
		return err
	}
	j.noteBytes(files)
	j.prog.report(files, j.r)
	if j.prog.to.pairs {
		j.others(files)
	}
	slices.SortStableFunc(j.r.Stay, inOrder)
	if len(j.r.Sites) == 0 && !j.easy.goes() {
		return nil
	}
	if err := j.wasTidy(); err != nil {
		return err
	}
	j.o.progress("requiring " + runtimePath)
	if err := errors.Join(j.require(false), vendor(j.ctx, j.t, j.o.env(j.t))); err != nil {
		return err
	}
	generate := j.generate
	if j.prog.to.pairs {
		generate = j.generateMessages
	}
	if err := generate(files, changed); err != nil {
		return err
	}
	j.changed = slices.Sorted(mapKeys(changed))
	return j.changes()
}

// uses loads the packages, and decides on the uses of codecs in their files.
func (j *job) uses() ([]*goFile, error) {
	prog, err := load(j.ctx, j.t, j.pl, j.o)
	if err != nil {
		return nil, err
	}
	j.prog = prog
	if len(j.o.Types) > 0 || prog.to.pairs {
		if err := j.findAll(); err != nil {
			return nil, err
		}
	}
	prog.found = j.found
	r := j.r
	r.Sites, r.Stay, r.Types, r.Changes, r.Blocked = nil, append(slices.Clone(prog.broken), prog.hidden...), nil, nil, nil
	var files []*goFile
	for _, pkg := range prog.chosen {
		fs, err := prog.files(pkg, j.o)
		if err != nil {
			return nil, err
		}
		j.hold(pkg, fs)
		files = append(files, fs...)
	}
	if prog.to.pairs {
		return files, j.decide(files)
	}
	if files, err = j.easyUses(files); err != nil {
		return nil, err
	}
	return files, j.behind(files)
}

// rewrite writes the files whose uses change, and returns their packages.
func (j *job) rewrite(files []*goFile) (changed map[string]bool, err error) {
	changed = map[string]bool{}
	for _, f := range files {
		text, err := f.rewrite()
		if err != nil && !errors.Is(err, errNothing) {
			for _, u := range f.uses {
				if !u.stays() {
					u.site.Why = err.Error()
				}
				u.edits = nil
			}
		}
		if err == nil {
			if err := j.t.write(f.name, text); err != nil {
				return nil, err
			}
			changed[f.pkg.PkgPath] = true
		}
	}
	return changed, nil
}

// changes records the changed files and the notes in the result.
func (j *job) changes() (err error) {
	r := j.r
	if r.Changes, err = j.t.changes(); err != nil {
		return err
	}
	for i, c := range r.Changes {
		text := c.After
		if text == nil {
			text = c.Before
		}
		r.Changes[i].Made = made(c.Path, text)
	}
	if j.lost != "" {
		j.prog.note(token.Position{}, j.lost)
	}
	r.Notes = j.prog.notes
	return nil
}

// hold makes all uses of a package stay if its change was taken back.
func (j *job) hold(pkg *packages.Package, files []*goFile) {
	why := j.kept[pkg.PkgPath]
	if why == "" {
		return
	}
	for _, f := range files {
		f.gone = nil
		for _, u := range f.uses {
			u.edits = nil
			if u.site.Why == "" {
				u.site.Why = why
			}
		}
	}
}

// report lists the sites.
func (p *program) report(files []*goFile, r *Result) {
	for _, f := range files {
		changes := slices.ContainsFunc(f.uses, func(u *use) bool { return len(u.edits) > 0 })
		for _, u := range f.uses {
			switch {
			case len(u.edits) > 0 && !u.quiet:
				r.Sites = append(r.Sites, u.site)
				if u.codec.differs != "" && !u.codec.own {
					p.note(token.Position{}, u.codec.path+" differs from fxjson: "+u.codec.differs+". Run zmy compat first")
				}
			case u.stays() && (!u.quiet || changes && !p.to.pairs):
				r.Stay = append(r.Stay, u.site)
			}
		}
	}
	slices.SortStableFunc(r.Sites, inOrder)
	slices.SortStableFunc(r.Stay, inOrder)
}

// inOrder compares the positions of sites.
func inOrder(a, b Site) int {
	return cmp.Or(strings.Compare(a.Pos.Filename, b.Pos.Filename), a.Pos.Line-b.Pos.Line, a.Pos.Column-b.Pos.Column)
}

// generate adds go:generate lines, generated code and tests.
func (j *job) generate(files []*goFile, changed map[string]bool) error {
	if err := errors.Join(j.replaceEasyjson(changed), j.dropEasyjson()); err != nil {
		return err
	}
	roots := j.prog.roots(files, j.o)
	for _, pkg := range slices.Sorted(mapKeys(roots)) {
		if why := j.coded[pkg]; why != "" {
			j.prog.note(token.Position{Filename: j.prog.dirOf(pkg)}, "no code is generated for the package: "+why)
			continue
		}
		j.o.progress("generating code of " + pkg)
		ts, err := j.prog.generate(j.ctx, pkg, roots[pkg])
		if err != nil {
			return err
		}
		if ts != nil {
			changed[pkg] = true
			j.r.Types = append(j.r.Types, *ts)
		}
	}
	if len(j.r.Types) > 0 {
		if err := j.require(true); err != nil {
			return err
		}
	}
	if err := j.required(); err != nil {
		return err
	}
	for i := range j.r.Types {
		ts := &j.r.Types[i]
		j.o.progress("recording documents of " + ts.Package)
		if ts.easy {
			if err := j.compareEasyjson(ts); err != nil {
				return err
			}
			continue
		}
		if err := j.prog.draw(j.ctx, j.o, ts); err != nil {
			if j.ctx.Err() != nil {
				return j.ctx.Err()
			}
			j.prog.note(token.Position{Filename: ts.Dir}, "no test with documents is added to the package: "+err.Error())
		}
	}
	return nil
}

func mapKeys[K comparable, V any](m map[K]V) func(func(K) bool) {
	return func(yield func(K) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

// check checks the change against the state before. It returns the packages that the change made
// fail, and records what the next attempt leaves out.
func (j *job) check() (failed []string, err error) {
	pkgs, err := affected(j.ctx, j.t, j.o, j.changed)
	if err != nil {
		return nil, err
	}
	if j.before == nil {
		if err := j.checkBefore(pkgs); err != nil {
			return nil, err
		}
	}
	j.o.progress("building and testing " + count(len(pkgs), "package", "packages") + " after the change")
	after, err := j.t.checks(j.ctx, j.o, pkgs, j.built(pkgs), !j.o.NoTests)
	if err != nil {
		return nil, err
	}
	for p, o := range after {
		after[p] = o.since(j.before[p])
	}
	j.r.Checks = nil
	var again []string
	for _, p := range pkgs {
		if j.before[p].fails == "" && after[p].stage == "test" {
			again = append(again, p)
		}
	}
	flaky := map[string]bool{}
	if again != nil {
		second, err := j.t.checks(j.ctx, j.o, again, j.built(again), true)
		if err != nil {
			return nil, err
		}
		for _, p := range again {
			if o := second[p].since(j.before[p]); o.fails == "" {
				after[p], flaky[p] = o, true
			}
		}
	}
	for _, p := range pkgs {
		c := Check{Package: p, Before: j.before[p].fails, After: after[p].fails, Tests: after[p].tests, Flaky: flaky[p]}
		if vet := j.before[p].vet; len(vet) > 0 && c.Before != vet[0] {
			c.Vet = vet[0]
		}
		c.worse = after[p].worse(j.before[p])
		j.r.Checks = append(j.r.Checks, c)
		if c.worse {
			failed = append(failed, p)
		}
	}
	for _, p := range failed {
		j.blame(p, after[p])
	}
	return failed, nil
}

// built returns the packages that have more than tests.
func (j *job) built(pkgs []string) []string {
	return slices.DeleteFunc(slices.Clone(pkgs), func(p string) bool {
		pkg := j.prog.all[p]
		return pkg == nil || len(pkg.GoFiles) == 0
	})
}

// checkBefore checks the packages as they were: in the copy, from which the change is taken out for
// that time.
func (j *job) checkBefore(pkgs []string) error {
	changes := j.r.Changes
	for _, c := range changes {
		if err := j.t.write(c.Path, c.Before); err != nil {
			return err
		}
	}
	j.o.progress("building and testing " + count(len(pkgs), "package", "packages") + " before the change")
	var err error
	if j.before, err = j.t.checks(j.ctx, j.o, pkgs, j.built(pkgs), !j.o.NoTests); err != nil {
		return err
	}
	touched, err := j.t.restore()
	if err != nil {
		return err
	}
	if len(touched) > 0 {
		j.prog.note(token.Position{Filename: touched[0]}, "the tests write into the module's folder; the patch has none of that")
		j.r.Notes = j.prog.notes
	}
	if err := j.vetRaised(pkgs); err != nil {
		return err
	}
	for _, c := range changes {
		if err := j.t.write(c.Path, c.After); err != nil {
			return err
		}
	}
	return nil
}

// vetRaised adds what go vet reports before the change once go.mod has the go line that the change
// brings: such reports are no fault of the change's code.
func (j *job) vetRaised(pkgs []string) error {
	c := j.r.ByPath("go.mod")
	if c == nil || c.Before == nil || c.After == nil {
		return nil
	}
	before, errB := modfile.Parse("go.mod", c.Before, nil)
	after, errA := modfile.Parse("go.mod", c.After, nil)
	if err := errors.Join(errB, errA); err != nil || goLine(before) == goLine(after) {
		return err
	}
	if _, err := gocmd.Output(j.ctx, j.t.dir, j.o.env(j.t), "mod", "edit", "-go="+goLine(after)); err != nil {
		return err
	}
	args := []string{"vet"}
	if vendored, err := j.t.read("vendor/modules.txt"); err != nil {
		return err
	} else if vendored == nil {
		args = append(args, "-mod=mod") // a newer go line may ask for more requirements
	}
	if j.o.Tags != "" {
		args = append(args, "-tags="+j.o.Tags)
	}
	raised := map[string]outcome{}
	for _, p := range pkgs {
		raised[p] = outcome{}
	}
	j.o.progress("vetting with go " + goLine(after) + " before the change")
	if err := j.t.compile(j.ctx, j.o, "vet", append(args, pkgs...), raised); err != nil {
		return err
	}
	more, first := 0, ""
	for _, p := range pkgs {
		old, was := map[string]bool{}, j.before[p]
		for _, text := range was.vet {
			old[text] = true
		}
		for _, text := range raised[p].vet {
			if !old[text] {
				if more++; first == "" {
					first = text
				}
				was.vet = append(was.vet, text)
			}
		}
		j.before[p] = was
	}
	if more > 0 {
		j.prog.note(token.Position{Filename: "go.mod"}, fmt.Sprintf("with go %s, and without any other change, go vet has %s, such as %s",
			goLine(after), count(more, "report more", "reports more"), first))
		j.r.Notes = j.prog.notes
	}
	_, err := j.t.restore()
	return err
}

// blame decides what the next attempt leaves out after a package has failed: its generated code if
// that does not compile, else its own change, else that of all packages.
func (j *job) blame(pkg string, o outcome) {
	why := fmt.Sprintf("after the change, %s", o.fails)
	if o.stage != "test" {
		why = fmt.Sprintf("after the change, go %s reports: %s", o.stage, o.fails)
	}
	changed := slices.Contains(j.changed, pkg)
	generated := slices.ContainsFunc(j.r.Types, func(t Types) bool { return t.Package == pkg })
	sites := slices.ContainsFunc(j.prog.chosen, func(p *packages.Package) bool { return p.PkgPath == pkg })
	switch {
	case changed && generated && j.coded[pkg] == "":
		j.coded[pkg] = why
	case changed && sites && j.kept[pkg] == "":
		j.kept[pkg] = why
	default:
		for _, p := range j.changed {
			if j.coded[p] == "" {
				j.coded[p] = "package " + pkg + " fails: " + why
			} else if j.kept[p] == "" {
				j.kept[p] = "package " + pkg + " fails: " + why
			}
		}
	}
}

// count returns a number with its noun: "1 package", "2 packages".
func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}
