package goproto

import (
	"strconv"
	"strings"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/gen/print"
)

// Options are the options of [Emit].
type Options struct {
	By string // command that the file's header shows
}

// runtimeVersion is the version of the contract between generated code and package protort.
const runtimeVersion = 2

var (
	runtimePkg = print.Package("github.com/zmylab/zmy/fxproto/protort")
	userPkg    = print.Package("github.com/zmylab/zmy/fxproto")
	mathPkg    = print.Package("math")
)

// Emit returns the source of a file of the package p.
func Emit(p *ir.Package, plan *ir.ProtoPlan, opt Options) ([]byte, error) {
	g := &gen{File: print.For(p, opt.By), pkg: p, plan: plan, funcs: map[*ir.Type]funcs{}, entries: map[entries]string{}}
	g.find()
	version := g.rt("Version")
	g.Ident(userPkg.Ident("Unknown"))
	g.nameLocals()
	g.P("// This file and package protort must fit together.")
	g.P("const _ = uint(", version, "-", runtimeVersion, ") + uint(", runtimeVersion, "-", version, ")\n")
	g.assertions()
	g.registration()
	for _, m := range plan.Messages {
		g.nameFuncs(m)
	}
	for _, m := range plan.Messages {
		if g.hasMethods(m.Type) {
			g.methods(m)
		}
	}
	for _, m := range plan.Messages {
		g.encoder(m)
		g.sizer(m)
		g.recycler(m)
		g.decoder(m)
		g.verify = true
		g.decoder(m)
		g.verify = false
	}
	return g.Bytes()
}

type gen struct {
	*print.File
	pkg   *ir.Package
	plan  *ir.ProtoPlan
	facts map[*ir.Type]*facts
	funcs map[*ir.Type]funcs
	// entries has the names of the functions for entries of maps.
	entries map[entries]string
	kept    map[string]string // variables with pointers that may be used again, by the fields of the decoder being printed

	fail    string // the result of the decoder being printed, if it fails
	inGroup bool   // the decoder being printed may read a group
	verify  bool   // the decoder being printed stores nothing

	// Names of parameters and variables in the output.
	v, b, i, j, k, d, n, o, x, s, ok, tag, at, start, left, e, before, last, group, groups, key, val, err, dst, out, entry, arm string
}

// funcs has the names of the functions for a struct.
type funcs struct{ encode, size, decode, verify, recycle, word string }

func (g *gen) nameLocals() {
	for want, to := range map[string]*string{
		"v": &g.v, "b": &g.b, "i": &g.i, "j": &g.j, "k": &g.k, "d": &g.d, "n": &g.n, "o": &g.o, "x": &g.x, "s": &g.s, "ok": &g.ok,
		"tag": &g.tag, "at": &g.at, "start": &g.start, "left": &g.left, "e": &g.e, "before": &g.before, "last": &g.last, "group": &g.group,
		"groups": &g.groups, "arm": &g.arm, "key": &g.key, "val": &g.val, "err": &g.err, "dst": &g.dst, "out": &g.out, "entry": &g.entry,
	} {
		*to = g.Local(want)
	}
}

// rt returns an identifier of the runtime as the file must write it.
func (g *gen) rt(name string) string { return g.Ident(runtimePkg.Ident(name)) }

// hasMethods reports whether the package can declare methods for t.
func (g *gen) hasMethods(t *ir.Type) bool {
	return t.Name != nil && t.Name.Pkg == g.pkg.Path && len(t.Name.Args) == 0
}

func (g *gen) nameFuncs(m *ir.ProtoMessage) {
	word := g.word(m.Type)
	name := func(verb string) string { return g.Unique(verb + word + "Proto") }
	g.funcs[m.Type] = funcs{name("encode"), name("size"), name("decode"), name("verify"), name("recycle"), word}
}

// word returns a part of a function's name for a type.
func (g *gen) word(t *ir.Type) string {
	n := t.Name
	switch {
	case n == nil && t.Elem != nil:
		return g.word(t.Elem) + "s"
	case n == nil:
		return "Struct" + strconv.Itoa(t.ID)
	}
	word := ir.Title(n.Name)
	if n.Pkg != g.pkg.Path && n.Pkg != "" {
		word = ir.Title(n.PkgName) + word
	}
	for _, a := range n.Args {
		word += g.word(a)
	}
	return word
}

// methods prints the methods of a struct of the package.
func (g *gen) methods(m *ir.ProtoMessage) {
	t, f := g.Type(m.Type), g.funcs[m.Type]
	marshal, unmarshal := g.Ident(userPkg.Ident("MarshalOptions")), g.Ident(userPkg.Ident("UnmarshalOptions"))
	this := "func (" + g.v + " *" + t + ") "
	g.P("// AppendProto appends the protobuf message of ", g.v, " to ", g.dst, " and returns the longer slice. Package fxproto calls it.")
	g.P(this, "AppendProto(", g.dst, " []byte, ", g.o, " ", marshal, ") ([]byte, error) {")
	if g.facts[m.Type].deep {
		g.P(g.e, " := ", g.rt("Encoder"), "{Sorted: ", g.o, ".Deterministic}")
	}
	g.P(g.b, ", ", g.i, " := ", f.encode, "(", g.dst, "[:cap(", g.dst, ")], len(", g.dst, "), ", g.v,
		g.whenDeep(m, ", &"+g.e+", "+g.rt("MaxDepth")), ")")
	g.P("if ", g.i, " < 0 {\nreturn ", g.rt("MarshalError"), "(", g.dst, ", ", g.v, ", ", g.o, ")\n}")
	if g.facts[m.Type].pends {
		g.P(g.b, ", ", g.i, " = ", g.e, ".Finish(", g.b, ", ", g.i, ")")
	}
	g.P("return ", g.b, "[:", g.i, "], nil\n}\n")

	g.P("// SizeProto returns the length in bytes of the message that AppendProto appends.")
	g.P(this, "SizeProto() (int, error) {")
	g.P(g.n, " := ", f.size, "(", g.v, g.whenDeep(m, ", "+g.rt("MaxDepth")), ")")
	g.P("if ", g.n, " < 0 {\nreturn ", g.rt("SizeError"), "(", g.v, ")\n}")
	g.P("return ", g.n, ", nil\n}\n")

	g.P("// UnmarshalProto merges the protobuf message ", g.b, " into ", g.v, ", or sets ", g.v, " to it with option Reuse.")
	g.P(this, "UnmarshalProto(", g.b, " []byte, ", g.o, " ", unmarshal, ") error {")
	g.P(g.d, ", ", g.s, ", ", g.left, " := ", g.rt("Decode"), "(", g.b, ", ", g.o, ", ", g.facts[m.Type].texts, ")")
	g.P("if ", f.decode, "(&", g.d, ", ", g.s, ", ", g.v, ", ", g.left, g.whenGroup(m, ", 0, 0"), ") < 0 || ", g.d, ".Exceeded() {")
	g.P("return ", g.rt("UnmarshalError"), "(", g.b, ", ", g.v, ", ", g.o, ")\n}")
	g.P("return nil\n}\n")

	g.P("// VerifyProto returns the error that UnmarshalProto would return. ", g.v, " may be nil.")
	g.P(this, "VerifyProto(", g.b, " []byte, ", g.o, " ", unmarshal, ") error {")
	g.P(g.d, ", ", g.s, ", ", g.left, " := ", g.rt("Decode"), "(", g.b, ", ", g.o, ", false)")
	g.P("if ", f.verify, "(&", g.d, ", ", g.s, ", ", g.left, g.whenGroup(m, ", 0, 0"), ") < 0 || ", g.d, ".Exceeded() {")
	g.P("return ", g.rt("UnmarshalError"), "(", g.b, ", ", g.v, ", ", g.o, ")\n}")
	g.P("return nil\n}\n")

	g.P("// ResetProto sets all fields of ", g.v, " that messages carry to their zero values.")
	g.P(this, "ResetProto() {")
	var left, zeros []string
	for i := range m.Fields {
		if i > 0 && m.Fields[i].Arm != nil && m.Fields[i].Name == m.Fields[i-1].Name {
			continue // the same interface
		}
		left, zeros = append(left, g.v+"."+m.Fields[i].Name), append(zeros, g.zero(m.Fields[i].Of.Type))
	}
	if m.Unknown != nil {
		left, zeros = append(left, g.v+"."+m.Unknown.Name), append(zeros, "nil")
	}
	for i := range left {
		g.P(left[i], " = ", zeros[i])
	}
	g.P("}\n")

	g.P("// ProtoType tells the methods of ", t, " from those that a struct around it inherits.")
	g.P("func (*", t, ") ProtoType() any { return (*", t, ")(nil) }\n")
}

// zero returns the zero value of a type.
func (g *gen) zero(t *ir.Type) string {
	switch k := t.Kind; {
	case k == ir.Bool:
		return "false"
	case k == ir.String, k == ir.Number:
		return `""`
	case k == ir.Struct, k == ir.Array, k == ir.Time, k == ir.BigInt, k == ir.BigFloat, k == ir.BigRat:
		return g.Type(t) + "{}"
	case k == ir.Slice, k == ir.Map, k == ir.Pointer, k == ir.Interface, k == ir.Any, k == ir.Bytes, k == ir.RawJSON,
		k == ir.Chan, k == ir.Func, k == ir.Unsafe:
		return "nil"
	}
	return "0"
}

// whenDeep returns args if the functions for m take a depth, and encoders their state, else "".
func (g *gen) whenDeep(m *ir.ProtoMessage, args string) string {
	if g.facts[m.Type].deep {
		return args
	}
	return ""
}

// whenGroup returns args if the decoder of m takes the number of a group, else "".
func (g *gen) whenGroup(m *ir.ProtoMessage, args string) string {
	if g.facts[m.Type].group {
		return args
	}
	return ""
}

// lines prints each argument on a line of its own.
func (g *gen) lines(lines ...string) { g.P(strings.Join(lines, "\n")) }
