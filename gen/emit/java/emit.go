package java

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/gen/print"
	"github.com/zmylab/zmy/internal/zmytype"
)

// root is the Java package of the library.
const root = "io.github.zmylab.zmy"

// Options are the options of [Emit].
type Options struct {
	By      string // command that the files' headers show
	Package string // Java package of the classes: "com.example.shop"
}

var packageName = regexp.MustCompile(`^[a-z_][a-z0-9_]*(\.[a-z_][a-z0-9_]*)*$`)

// maxComponents limits the number of words that the arguments of a record's constructor take. A
// long or double takes two words.
const maxComponents = 250

// Emit returns the sources of the classes by file name, relative to a root of Java sources:
// "com/example/shop/Order.java".
func Emit(p *ir.Package, plan *ir.ZMYPlan, opt Options) (map[string][]byte, error) {
	if !packageName.MatchString(opt.Package) || slices.ContainsFunc(strings.Split(opt.Package, "."),
		func(s string) bool { return keywords[s] }) {
		return nil, fmt.Errorf("-lang=java needs the package of the classes, -package=com.example.%s; %q is none", p.Name, opt.Package)
	}
	if opt.By == "" {
		opt.By = "zmy gen"
	}
	g := &gen{pkg: p, plan: plan, opt: opt, out: map[string][]byte{}, names: map[*ir.Type]string{}, taken: map[string]bool{},
		local: map[string]bool{}}
	g.name()
	if err := g.wide(); err != nil {
		return nil, err
	}
	g.collect()
	seen := map[*ir.Type]bool{}
	for _, t := range plan.Types {
		if isRecord(t) && !g.plan.InSetsOnly(t) && !seen[t.Type] {
			seen[t.Type] = true
			g.record(t)
		}
		switch {
		case g.plan.InSetsOnly(t):
		case t.IsStruct():
			g.codec(t)
			g.view(t)
		case isInline(t):
			g.inline(t)
		case t.Shape == zmytype.ShapeUnion:
			g.union(t)
		case hasValues(t) && !seen[t.Type]:
			seen[t.Type] = true
			g.values(t)
		}
	}
	g.table()
	return g.out, nil
}

// gen is the state while one output is generated.
type gen struct {
	pkg    *ir.Package
	plan   *ir.ZMYPlan
	opt    Options
	out    map[string][]byte
	names  map[*ir.Type]string // classes of structs and unions
	taken  map[string]bool     // names of classes in lower case, since some file systems ignore case
	local  map[string]bool
	holder string // the class that holds the codecs
	consts []constantOf
	known  map[*ir.ZMYType]string // constants by type
	arms   map[*ir.Type][]string  // unions that a struct is an arm of
}

func isInline(t *ir.ZMYType) bool { return t.Shape == zmytype.ShapeFixed && t.Type.Kind == ir.Struct }

// isRecord reports whether a Java record is generated for the type.
func isRecord(t *ir.ZMYType) bool { return t.IsStruct() || isInline(t) }

// name chooses the class names of structs, unions and integers with values.
func (g *gen) name() {
	for _, t := range g.plan.Types {
		if (isRecord(t) || t.Shape == zmytype.ShapeUnion || hasValues(t)) && t.Type.Name != nil {
			g.nameType(t.Type, spelling.Word(t.Type))
		}
	}
	for _, t := range g.plan.Types { // a struct without a name is named after the first field that contains it
		for _, f := range t.Fields {
			if f.Field != nil {
				g.nameless(f.Type, g.names[t.Type]+ir.Title(f.Field.Name))
			}
		}
	}
	g.holder = g.names[g.plan.Roots[0].Type] + "Zmy"
	for g.anyTaken(g.holder) {
		g.holder += "_"
	}
	g.take(g.holder)
	g.arms = map[*ir.Type][]string{}
	for _, t := range g.plan.Types {
		for _, a := range t.Arms {
			g.arms[a.Type.Type] = append(g.arms[a.Type.Type], g.names[t.Type])
		}
	}
}

func (g *gen) nameType(t *ir.Type, want string) {
	if g.names[t] != "" {
		return
	}
	name := ir.Fresh(want, "", g.anyTaken)
	for _, suffix := range classSuffixes {
		g.take(name + suffix)
	}
	g.names[t] = name
}

// take marks the name of a class as taken.
func (g *gen) take(class string) { g.taken[strings.ToLower(class)], g.local[class] = true, true }

// classSuffixes are the suffixes of the classes that are generated for one type.
var classSuffixes = []string{"", "Codec", "View", "Slot", "Inline"}

func (g *gen) anyTaken(name string) bool {
	for _, suffix := range classSuffixes {
		if g.taken[strings.ToLower(name+suffix)] || javaLang[name+suffix] {
			return true
		}
	}
	return false
}

// javaLang are names that a generated class must not have: classes of java.lang that generated code
// uses, and names that are declared inside generated classes. Such a nested class or constant would
// hide a class of its name.
var javaLang = set("Object String Boolean Byte Short Integer Long Float Double Override Record SuppressWarnings Builder " +
	"Unrecognized HEAD FIELDS CODEC ZERO")

func (g *gen) nameless(t *ir.ZMYType, want string) {
	for t != nil {
		if isRecord(t) && g.names[t.Type] == "" {
			g.nameType(t.Type, want)
		}
		if t.Key != nil && isRecord(t.Key) && g.names[t.Key.Type] == "" {
			g.nameType(t.Key.Type, want+"Key")
		}
		if isRecord(t) {
			return
		}
		t = t.Elem
	}
}

// wide returns a problem for each record with more fields than a constructor can have parameters,
// and for each class whose file name would be too long.
func (g *gen) wide() error {
	var ps ir.Problems
	const maxName = 255 - len("$Unrecognized.class") // limit for names of classes; 255 is that for names of files
	for _, t := range g.plan.Types {
		if n := len(g.names[t.Type]); n > maxName {
			ps = append(ps, ir.Problem{
				Pos: t.Type.Pos, Path: print.TypeExprIn(t.Type, g.pkg.Path),
				Msg:  fmt.Sprintf("the name of its class has %d bytes, which gives files of more than 255", n),
				Hint: "rename it",
			})
		}
		n := 1
		for _, f := range t.Fields {
			n++
			if f.Type.Shape == zmytype.ShapeFixed && f.Type.Size == 8 {
				n++
			}
		}
		if isRecord(t) && n > maxComponents {
			ps = append(ps, ir.Problem{
				Pos: t.Type.Pos, Path: print.TypeExprIn(t.Type, g.pkg.Path),
				Msg:  "more fields than a record of Java can have",
				Hint: "a constructor takes 255 words; put some fields into a struct of their own",
			})
		}
	}
	return ps.Err()
}

// file starts the file of a class.
func (g *gen) file() *source {
	return &source{pkg: g.opt.Package, imports: map[string]bool{}, local: g.local}
}

// done adds the file of a class to the output.
func (g *gen) done(name string, f *source) {
	g.out[strings.ReplaceAll(g.opt.Package, ".", "/")+"/"+name+".java"] = f.bytes(g.opt.By)
}

// field is a field of a struct that the Java record has.
type field struct {
	*ir.ZMYField
	name string // of the record's component, of its accessor and of local variables
	at   int    // index among the fields of the type
}

// fields returns the fields that the Java record has, without reserved ones. unknown is the name of
// the component that keeps unknown parts, or "".
func (g *gen) fields(t *ir.ZMYType) (out []field, unknown string) {
	names := scope(maps.Clone(g.local)) // a component would hide a class of its name
	for i, f := range t.Fields {
		if f.Field != nil {
			out = append(out, field{f, names.fresh(camel(f.Field.Name)), i})
		}
	}
	if t.Unknown != nil {
		unknown = names.fresh("unknown")
	}
	return out, unknown
}
