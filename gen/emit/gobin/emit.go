package gobin

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

// Options are the options of [Emit].
type Options struct {
	By string // command that the file's header shows: "zmy gen -type Order"
	// Views maps the views and unknown arms that other generated files of the package declare to
	// the names of their Go types. This file uses them and does not declare them again.
	Views map[string]string
}

// wireVersion is the version of the contract between generated code and package wire.
const wireVersion = 4

var (
	wirePkg = print.Package("github.com/zmylab/zmy/wire")
	zmyPkg  = print.Package("github.com/zmylab/zmy")
)

// Emit returns the source of a file of the package p.
func Emit(p *ir.Package, plan *ir.ZMYPlan, opt Options) ([]byte, error) {
	if opt.By == "" {
		opt.By = "zmy gen"
	}
	g := &gen{File: print.For(p, opt.By), pkg: p, plan: plan, opt: opt, funcs: map[funcKey]string{}}
	g.Reserve(slices.Collect(maps.Keys(opt.Views))...)
	g.prefix = "zmy" + typeWord(plan.Roots[0].Type)
	g.table = g.Unique(g.prefix + "Types")
	g.handshake()
	g.assertions()
	for _, r := range plan.Roots {
		g.code(r)
		g.root(r)
	}
	for _, t := range plan.Types {
		g.codecOf(t)
	}
	g.views()
	g.printTable()
	g.identities()
	return g.Bytes()
}

// gen is the state while one file is generated.
type gen struct {
	*print.File
	pkg    *ir.Package
	plan   *ir.ZMYPlan
	opt    Options
	prefix string
	table  string // name of the variable that has the types as data
	empty  bool   // the table needs a type of zero bytes at its end
	loops  int
	funcs  map[funcKey]string
}

type funcKey struct {
	op string
	t  *ir.ZMYType
}

var local = regexp.MustCompile(`·([a-zA-Z][a-zA-Z0-9]*)`)

// Templates name locals as ·b and package wire as @@, because only the file knows which names are
// free: the user's package may declare b, and a package of its types may be called wire too.

// p formats with fmt.Sprintf, if there are arguments, and prints the result as a line. It replaces
// local names (·b) and names of package wire (@@U32).
func (g *gen) p(format string, args ...any) {
	text := format
	if len(args) > 0 {
		text = fmt.Sprintf(format, args...)
	}
	text = local.ReplaceAllStringFunc(text, func(s string) string { return g.Local(strings.TrimPrefix(s, "·")) })
	text = runtimeName.ReplaceAllStringFunc(text, func(s string) string { return g.Ident(wirePkg.Ident(s[2:])) })
	g.P(text)
}

var runtimeName = regexp.MustCompile(`@@[A-Za-z0-9]+`)

// once returns the name of a declaration for t: want, or want with a number. op distinguishes
// several declarations for one type.
func (g *gen) once(op string, t *ir.ZMYType, want string) string {
	key := funcKey{op, t}
	if g.funcs[key] == "" {
		g.funcs[key] = g.Unique(want)
	}
	return g.funcs[key]
}

// fn returns the name of the function that does op for t.
func (g *gen) fn(op string, t *ir.ZMYType) string { return g.once(op, t, g.prefix+op+typeWord(t.Type)) }

// shared returns the name of a declaration for t that all generated files of the package share. It
// ends with suffix.
func (g *gen) shared(suffix string, t *ir.ZMYType) string {
	want := typeWord(t.Type) + suffix
	if g.elsewhere(suffix, t) {
		return want
	}
	return g.once(suffix, t, want)
}

// elsewhere reports whether another generated file of the package has the declaration for t that
// shared names.
func (g *gen) elsewhere(suffix string, t *ir.ZMYType) bool {
	return g.opt.Views[typeWord(t.Type)+suffix] == print.TypeExprIn(t.Type, g.pkg.Path)
}

// spelling makes parts of identifiers from types: Item, MapStringItem.
var spelling = ir.Spelling{
	Base:  func(t *ir.Type) string { return ir.Title(t.Said()) },
	Bytes: "Bytes", Slice: "Slice{}", Array: "Array{n}{}", Map: "Map{key}{}", Pointer: "Ptr{}",
}

func typeWord(t *ir.Type) string { return spelling.Word(t) }

func (g *gen) handshake() {
	g.P("// This file and the wire package that it is built with must fit together; a")
	g.P("// constant that overflows here says which of the two to renew.")
	g.P("const (")
	g.p("_ = uint(@@Version - %d) // package wire is older than this file", wireVersion)
	g.p("_ = uint(%d - @@MinVersion) // this file is older than package wire serves", wireVersion)
	g.P(")\n")
}

// root prints the entry points of one root: methods if the package can declare them, else
// functions.
func (g *gen) root(r *ir.ZMYType) {
	name := print.TypeExprIn(r.Type, g.pkg.Path)
	typ := g.Type(r.Type)
	method := g.hasMethods(r)
	decl := func(op, params string) string {
		if method {
			return fmt.Sprintf("func (·v *%s) %s(%s)", typ, op, params)
		}
		return fmt.Sprintf("func %s(%s, ·v *%s)", g.entry(op, r), params, typ)
	}
	call := func(op, args string) string {
		if method {
			return "·v." + op + "(" + args + ")"
		}
		return g.entry(op, r) + "(" + args + ", ·v)"
	}
	rootCall := func(dst string) string { return g.appendTo("&·e, "+dst, r, "·v", "·v", "", "·left") }
	z := func(id string) string { return g.Ident(zmyPkg.Ident(id)) }

	g.p("// %s appends ·v as a message to dst, under the default options.", g.entryName("AppendZMY", r, method))
	g.p("%s ([]byte, error) {", decl("AppendZMY", "·dst []byte"))
	g.p("return %s", call("AppendZMYOptions", "·dst, "+z("MarshalOptions")+"{}"))
	g.P("}\n")
	g.p("// %s appends ·v as a message to dst.", g.entryName("AppendZMYOptions", r, method))
	g.p("%s ([]byte, error) {", decl("AppendZMYOptions", "·dst []byte, ·o "+z("MarshalOptions")))
	g.p("if !%s.Fits() {\nreturn ·dst, %[1]s.Stale(\"marshal\")\n}", g.codeName(r))
	if isFlat(r) {
		g.flatAppend(r)
		g.P("}\n")
		g.p("func %s(·dst []byte, ·v *%s, ·o %s) ([]byte, error) {", g.fn("AppendMessage", r), typ, z("MarshalOptions"))
	}
	g.p("if cap(·dst) == 0 {\n·scratch, ·buf := %s()", z("Borrow"))
	g.p("·e, ·left := ·o.Encoder(·buf)")
	g.p("·b, ·err := %s", rootCall("·buf"))
	g.p("return ·scratch.Encoded(%q, &·e, ·b, ·err)\n}", name)
	g.p("·e, ·left := ·o.Encoder(·dst)")
	g.p("·b, ·err := %s", rootCall("·dst"))
	g.p("return %s(%q, &·e, ·dst, ·b, ·err)", z("Encoded"), name)
	g.P("}\n")
	g.p("// %s stores the message b in ·v, under the default options.", g.entryName("UnmarshalZMY", r, method))
	g.p("%s error {", decl("UnmarshalZMY", "·b []byte"))
	g.p("return %s", call("UnmarshalZMYOptions", "·b, "+z("UnmarshalOptions")+"{}"))
	g.P("}\n")
	g.p("// %s stores the message b in ·v.", g.entryName("UnmarshalZMYOptions", r, method))
	g.p("%s error {", decl("UnmarshalZMYOptions", "·b []byte, ·o "+z("UnmarshalOptions")))
	g.p("if !%s.Fits() {\nreturn %[1]s.Stale(\"unmarshal\")\n}", g.codeName(r))
	if isText(r) {
		g.flatDecode(r)
		g.P("}\n")
		g.p("func %s(·b []byte, ·v *%s, ·o %s) error {", g.fn("DecodeMessage", r), typ, z("UnmarshalOptions"))
	}
	g.p("·d, ·left, ·err := ·o.Decoder(len(·b))")
	g.p("var ·h uint32")
	g.p("if ·err == nil {\n·h, ·err = @@Head(·b)\n}")
	g.p("if ·err == nil {")
	if r.Aliases() {
		g.p("·b = ·d.Message(·b)")
	}
	g.p("·err = %s(&·d, ·b, ·h, 4, ·v, ·left)\n}", g.fn("Decode", r))
	g.p("return %s(%q, ·err)", z("Decoded"), name)
	g.P("}\n")
}

// entry returns the name of the function that does op for a root which cannot have methods.
func (g *gen) entry(op string, r *ir.ZMYType) string { return g.once(op, r, FuncName(op, r.Type)) }

// FuncName returns the name of the function that does op, such as AppendZMY, for a type that cannot
// have methods. If the name is taken, the function has this name with a number.
func FuncName(op string, t *ir.Type) string { return op + typeWord(t) }

func (g *gen) entryName(op string, r *ir.ZMYType, method bool) string {
	if method {
		return op
	}
	return g.entry(op, r)
}

// codecOf prints the functions of one type, if its shape needs any.
func (g *gen) codecOf(t *ir.ZMYType) {
	switch {
	case t.IsStruct():
		if len(t.Fields) > 0 || len(t.Type.Fields) == 0 {
			g.structAppend(t)
			g.structDecode(t)
		}
	case t.Shape == zmytype.ShapeUnion:
		g.unionAppend(t)
		g.unionDecode(t)
		g.unionUnknown(t)
	case !ownFunc(t):
	case t.Shape == zmytype.ShapeMap:
		g.mapAppend(t)
		g.mapDecode(t)
	default:
		if isFlatList(t) {
			g.flatList(t)
		}
		g.listAppend(t)
		g.listDecode(t)
	}
}
