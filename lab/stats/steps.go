package stats

import (
	"cmp"
	"fmt"
	"go/token"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"github.com/zmylab/zmy/lab/run"
)

// NOTE: taking.all adds the steps in the order in which a reader follows them: install, declare or
// generate, add a file, change the calls. A step must work when it is copied as it is. The package
// lab/follow follows the steps of all contenders in its tests.

// Steps returns what to do in the user's program to use codec for the measured type, with the
// options that were measured. The list is empty for the baseline. If a codec has no instructions of
// its own, the only step is to require its modules. Shell commands run in the package's folder,
// unless the text of a step names the module's folder, which has go.mod.
func Steps(r *run.Run, codec string) []run.Step {
	c := Contender(r, codec)
	if c == nil || codec == run.Baseline {
		return nil
	}
	t := &taking{r: r, c: c}
	t.all()
	if r.Subject.Vendored && slices.ContainsFunc(t.steps, func(s run.Step) bool { return s.Kind == run.StepShell }) {
		t.add(run.StepShell, "Vendor what the package imports now", vendor)
	}
	return t.steps
}

// all adds all steps but the last one in a module with a vendor folder, which Steps adds.
func (t *taking) all() {
	r, a := t.r, t.c.Adopt
	if a == nil {
		t.require()
		return
	}
	generate := a.Generate
	if r.Subject.Derived && a.Derive != "" {
		generate = a.Derive
	}
	if generate != "" && r.Subject.Foreign {
		if why := t.notOwn(); why != "" {
			t.add(run.StepHand, fmt.Sprintf("No code can be generated for %s from outside of its module: %s", r.Subject.Name, why), "")
			return
		}
	}
	switch {
	case a.Install != "" && generate == "":
		if path := strings.Trim(pathOf(specs(nil, a.Import)[0]), `"`); !strings.HasPrefix(path+"/", r.Subject.Module+"/") || r.Subject.Foreign {
			t.add(run.StepShell, "Require its module, which lies in a folder of this machine", a.Install)
		}
	case a.Install != "":
		t.install(a)
	case len(t.c.Modules) > 0:
		t.require()
	}
	if a.Manual != "" {
		t.add(run.StepHand, "Write by hand: "+a.Manual, "")
		return
	}
	if generate != "" {
		t.generate(generate)
	}
	if a.Code != "" {
		t.add(run.StepFile, "Add this file to the package", t.file(a.Imports, a.Import, a.Code), t.c.Name+"_codec.go")
	}
	t.calls()
	if a.Setup != "" {
		t.add(run.StepHand, "Besides: "+a.Setup, "")
	}
}

// goGenerate begins the command that runs the generators of named files only, because other
// generators of the package may not be installed. vendor updates the vendor folder of the module:
// if go.mod has changed and the folder has not, the go command refuses to build. tidy adds the sums
// that the go get of a tool does not: of packages of the user whose modules the tool needs newer. It
// comes after the file, which imports the module of a foreign type.
const (
	goGenerate = "go generate "
	tidy       = "go mod tidy"
	vendor     = "go mod vendor"
)

// taking gathers the steps of one contender.
type taking struct {
	r     *run.Run
	c     *run.Contender
	steps []run.Step
}

func (t *taking) add(kind, do, code string, file ...string) {
	s := run.Step{Codecs: []string{t.c.Name}, Kind: kind, Do: do, Code: code}
	if file != nil {
		s.File = file[0]
	}
	t.steps = append(t.steps, s)
}

// version returns the version at which the contender's module was built, or "latest" if it has
// none.
func (t *taking) version() string {
	if len(t.c.Modules) > 0 && t.c.Modules[0].Version != "" {
		return t.c.Modules[0].Version
	}
	return latest
}

// latest is the version of a module of which no release was built.
const latest = "latest"

// require adds the step that requires the contender's modules.
func (t *taking) require() {
	var lines []string
	for _, m := range t.c.Modules {
		path := m.Path
		if a := t.c.Adopt; a != nil && a.Import != "" { // the package's path, so that go get fetches its requirements too
			if p := strings.Trim(pathOf(specs(nil, a.Import)[0]), `"`); p == path || strings.HasPrefix(p, path+"/") {
				path = p
			}
		}
		if m.Version != "" {
			lines = append(lines, "go get "+path+"@"+m.Version)
		}
	}
	if lines != nil {
		t.add(run.StepShell, "Require its module", strings.Join(lines, "\n"))
	}
}

// install adds the commands that install a generator. If they have two parts, divided by an empty
// line, they become two steps.
func (t *taking) install(a *run.Adopt) {
	commands, require := a.Install, "clone the module and require the clone"
	if a.Release != "" && t.version() != latest {
		commands, require = a.Release, "require the module"
	}
	first, second, two := strings.Cut(strings.ReplaceAll(commands, "VERSION", t.version()), "\n\n")
	switch {
	case two:
		t.add(run.StepShell, "In the folder of your go.mod: "+require, first)
		t.add(run.StepShell, "In the same folder: install the generator (where GOBIN or $(go env GOPATH)/bin is, which must be in PATH)", second)
	case a.Release != "":
		t.add(run.StepShell, "In the folder of your go.mod: "+require+" and its generator, a tool", first)
	default:
		t.add(run.StepShell, "Install the generator", first)
	}
}

// notOwn returns the reason why the subject, which belongs to another module, cannot be declared anew
// in a package of the user's own, "" if it can.
func (t *taking) notOwn() string {
	switch s := t.r.Subject; {
	case len(s.Methods) > 0:
		return "a type declared from it would not have its " + strings.Join(s.Methods, " and ") + ", and so another form"
	case !token.IsIdentifier(s.Type):
		return "it is an instance of a generic type"
	case !token.IsExported(s.Type):
		return "it is not exported"
	case t.c.Adopt.Own:
		return t.c.Name + "'s generator reads the source of one package, and would not see its fields"
	}
	return ""
}

// outOfReach reports whether codec needs generated code that only the module of the subject's
// authors could have.
func outOfReach(r *run.Run, codec string) bool {
	c := Contender(r, codec)
	return c != nil && c.Adopt != nil && c.Adopt.Generate != "" && r.Subject.Foreign && (&taking{r: r, c: c}).notOwn() != ""
}

// generate adds a file with the go:generate line, and the command that runs it. If the file
// declares a type of the user's own, its name ends in _own.go, because the go command takes that
// ending neither for an operating system nor for a test.
func (t *taking) generate(command string) {
	sub := t.r.Subject
	typ, name := sub.Type, t.c.Name+"_generate.go"
	files := t.c.Adopt.Files
	switch {
	case sub.Foreign:
		typ = cmp.Or(sub.Own, sub.Type)
		name = strings.ToLower(typ) + "_own.go"
		files = []string{name}
	case files == nil || !strings.Contains(command, "FILE"):
		files = []string{sub.File}
	}
	arg := strings.ReplaceAll(typ, ", ", ",") // a space ends an argument of go:generate
	var lines []string
	for _, f := range files {
		lines = append(lines, "//go:generate "+strings.NewReplacer("TYPE", arg, "FILE", f).Replace(command))
	}
	line, where := strings.Join(lines, "\n"), "In the folder of the package"
	if sub.Foreign {
		where = "In the folder of that file"
		pkg, _, _ := strings.Cut(sub.Name, ".")
		do := fmt.Sprintf("Declare a type of your own in your package, and use it in place of %s (convert values by %s(x))", sub.Name, typ)
		t.add(run.StepFile, do, t.file(nil, pkg+" "+strconv.Quote(sub.Package), line+"\ntype "+typ+" "+pkg+"."+sub.Type), name)
	} else {
		do := "Add this file to the package"
		if strings.Contains(command, "FILE") {
			do += "; the generator takes every type of " + strings.Join(files, ", ")
		}
		t.add(run.StepFile, do, t.file(nil, "", line), name)
	}
	if strings.HasPrefix(command, "go tool ") {
		t.add(run.StepShell, "Complete go.mod and go.sum: modules that the tool needs may raise yours", tidy)
	}
	if number := t.c.Adopt.Number; number != "" {
		t.add(run.StepShell, where+": give the fields numbers, which are struct tags in your source", strings.ReplaceAll(number, "TYPE", arg))
	}
	code := goGenerate + name
	if sub.Vendored {
		code = vendor + "\n" + code
	}
	t.add(run.StepShell, where+": generate the code, now and after each change of the type", code)
}

// file returns a Go file of the package. It has no package clause if the lab was started outside of
// a package.
func (t *taking) file(imports []string, main, decls string) string {
	name, _, _ := strings.Cut(t.r.Subject.Name, ".")
	if t.r.Subject.Foreign {
		name = t.r.Subject.Home
	}
	var b strings.Builder
	if name != "" {
		fmt.Fprintf(&b, "package %s\n\n", name)
	}
	if all := specs(imports, main); len(all) > 0 {
		fmt.Fprintf(&b, "import (\n\t%s\n)\n\n", strings.Join(all, "\n\t"))
	}
	return b.String() + strings.TrimSpace(decls) + "\n"
}

// specs returns import specs in the order of their paths. Plain paths are quoted.
func specs(imports []string, main string) []string {
	var out []string
	for _, p := range append(slices.Clone(imports), main) {
		switch {
		case p == "":
		case strings.HasSuffix(p, `"`):
			out = append(out, p)
		default:
			out = append(out, strconv.Quote(p))
		}
	}
	slices.SortStableFunc(out, func(a, b string) int { return strings.Compare(pathOf(a), pathOf(b)) })
	return slices.Compact(out)
}

func pathOf(spec string) string { return spec[strings.Index(spec, `"`):] }

// calls adds the step that replaces the calls of encoding/json.
func (t *taking) calls() {
	a := t.c.Adopt
	if a.Same {
		t.add(run.StepCalls, `Import this in place of "encoding/json"; the calls stay`, "import "+specs(nil, a.Import)[0]+"\n")
		return
	}
	marshal, unmarshal := a.Marshal, a.Unmarshal
	if largest := t.c.Sizes.Max; a.Limit > 0 && largest > float64(a.Limit) {
		most := strconv.Itoa(1 << bits.Len(uint(2*largest)-1)) // room for values twice as large, rounded up to a power of two
		marshal, unmarshal = strings.ReplaceAll(a.MarshalLarge, "MAX", most), strings.ReplaceAll(a.UnmarshalLarge, "MAX", most)
	}
	var b strings.Builder
	imports := a.Imports
	if a.Code != "" { // the file with a.Code imports them
		imports = nil
	}
	for _, spec := range specs(imports, a.Import) {
		if path := strings.Trim(pathOf(spec), `"`); used(spec, path, marshal+unmarshal) {
			b.WriteString("import " + spec + "\n")
		}
	}
	if b.Len() > 0 {
		b.WriteString("\n")
	}
	decode := "err = " + unmarshal
	if strings.Contains(unmarshal, " = ") { // it returns more than an error
		decode = unmarshal
	}
	fmt.Fprintf(&b, "b, err := %s\n%s\n", marshal, decode)
	t.add(run.StepCalls, "Change the calls: json.Marshal(v) and json.Unmarshal(b, &v) become", b.String())
}

// used reports whether calls name the package of an import. The name of a package is taken to be
// the last part of its path, without a version.
func used(spec, path, calls string) bool {
	name, _, _ := strings.Cut(spec, " ")
	if strings.HasPrefix(name, `"`) {
		parts := strings.Split(path, "/")
		name = parts[len(parts)-1]
		if len(name) > 1 && name[0] == 'v' && strings.Trim(name[1:], "0123456789") == "" && len(parts) > 1 {
			name = parts[len(parts)-2]
		}
	}
	return strings.Contains(calls, name+".")
}
