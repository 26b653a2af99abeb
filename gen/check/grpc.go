package check

import (
	"cmp"
	"fmt"
	"go/token"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/gen/print"
)

// GRPC plans the calls of an interface, the only root of the package. The messages must have a
// native form or, if their fields have struct tags of protobuf and none of ZMY, be messages of protobuf.
// The error is an ir.Problems.
func GRPC(p *ir.Package) (*ir.GRPCPlan, error) {
	c := &grpcCheck{pkg: p, plan: &ir.GRPCPlan{}, names: map[string]ir.Pos{}}
	c.service(p.Roots[0])
	if err := c.problems.Err(); err != nil {
		return nil, err
	}
	messages := *p
	messages.Roots = c.messages
	if c.plan.Proto = c.onlyProto(); c.plan.Proto {
		check := &protoChecker{src: protoSource{zmySource: zmySource{pkg: p.Path}}, pkg: p, plan: &ir.ProtoPlan{}, seen: map[*ir.Type]bool{}}
		for _, m := range c.messages {
			check.compile(m)
		}
		return c.plan, check.problems.Err()
	}
	_, err := ZMY(&messages, ZMYOptions{})
	return c.plan, err
}

// onlyProto reports whether the fields of messages have struct tags of protobuf, and none of ZMY.
func (c *grpcCheck) onlyProto() (is bool) {
	for _, m := range c.messages {
		for _, f := range m.Fields {
			tag := reflect.StructTag(f.Tag)
			if _, zmy := tag.Lookup("zmy"); zmy {
				return false
			}
			_, proto := tag.Lookup("proto")
			_, legacy := tag.Lookup("protobuf")
			is = is || proto || legacy
		}
	}
	return is
}

type grpcCheck struct {
	pkg      *ir.Package
	plan     *ir.GRPCPlan
	messages []*ir.Type
	names    map[string]ir.Pos // where each name of a gRPC method is declared
	problems ir.Problems
}

func (c *grpcCheck) problem(pos ir.Pos, path, hint, format string, args ...any) {
	c.problems = append(c.problems, ir.Problem{Pos: pos, Path: path, Msg: fmt.Sprintf(format, args...), Hint: hint})
}

func (c *grpcCheck) service(t *ir.Type) {
	c.plan.Interface = t
	name := print.TypeExprIn(t, c.pkg.Path)
	switch {
	case t.Kind != ir.Interface && t.Kind != ir.Any, t.Name == nil, t.Name.Pkg != c.pkg.Path:
		c.problem(t.Pos, name, "name an interface that the package declares", "a gRPC service is made of an interface, not of %s", t.Kind)
		return
	case len(t.Name.Args) > 0:
		c.problem(t.Pos, name, "declare an interface without type parameters that embeds it", "a gRPC service cannot be generic")
		return
	case len(t.Methods) == 0:
		c.problem(t.Pos, name, "declare methods such as Get(context.Context, *Key) (*Order, error)", "the interface has no methods")
		return
	}
	c.plan.Service = c.named(t.Name.Dirs, t.Pos, name, c.pkg.Name+"."+t.Name.Name, serviceForm)
	methods := slices.SortedFunc(slices.Values(t.Methods), func(a, b ir.Method) int {
		return cmp.Or(strings.Compare(a.Pos.File, b.Pos.File), a.Pos.Line-b.Pos.Line, a.Pos.Col-b.Pos.Col)
	})
	for _, m := range methods {
		c.method(m, name+"."+m.Name)
	}
}

// nameForm is a directive that gives a service or method its name in gRPC.
type nameForm struct {
	valid                    *regexp.Regexp
	what, directive, example string
}

var (
	serviceForm = nameForm{regexp.MustCompile(`^[A-Za-z_]\w*(\.[A-Za-z_]\w*)*$`), "service", "zmy:service", "shop.v1.Orders"}
	methodForm  = nameForm{regexp.MustCompile(`^[A-Za-z_]\w*$`), "method", "zmy:rpc", "GetOrder"}
)

// named returns the name that the directives dirs give, or name if they give none.
func (c *grpcCheck) named(dirs []string, pos ir.Pos, path, name string, form nameForm) string {
	for _, d := range dirs {
		word, args, _ := strings.Cut(d, " ")
		if word != form.directive {
			c.problem(pos, path, "there is //"+form.directive+" for "+form.what+"s", "unknown directive //%s", d)
			continue
		}
		if name = strings.TrimSpace(args); !form.valid.MatchString(name) {
			c.problem(pos, path, "write //"+form.directive+" "+form.example, "%q is not the name of a %s", name, form.what)
		}
	}
	return name
}

const forms = "write M(context.Context, *In) (*Out, error), with iter.Seq2[*In, error] for a sequence of requests, and " +
	"iter.Seq2[*Out, error] alone for one of responses"

func (c *grpcCheck) method(m ir.Method, path string) {
	name := c.named(m.Dirs, m.Pos, path, m.Name, methodForm)
	out := ir.GRPCMethod{Method: m, Name: name}
	if first, taken := c.names[out.Name]; taken {
		c.problem(m.Pos, path, "rename one by //zmy:rpc", "the gRPC method %s is declared already, at %s", out.Name, first)
	}
	c.names[out.Name] = m.Pos
	if !token.IsExported(m.Name) {
		c.problem(m.Pos, path, "export it: other packages implement and call it", "the method is not exported")
		return
	}
	if len(m.Params) != 2 || m.Variadic || !named(m.Params[0], "context", "Context") {
		c.problem(m.Pos, path, forms, "the method is not of a form that gRPC has")
		return
	}
	var inMany, outMany bool
	out.In, inMany = c.message(m.Params[1])
	switch len(m.Results) {
	case 1:
		out.Out, outMany = c.message(m.Results[0])
		if !outMany {
			out.Out = nil
		}
	case 2:
		var many bool
		if out.Out, many = c.message(m.Results[0]); many || !named(m.Results[1], "", "error") {
			out.Out = nil
		}
	}
	if out.In == nil || out.Out == nil {
		c.problem(m.Pos, path, forms, "the method is not of a form that gRPC has")
		return
	}
	out.Kind = kindOf(inMany, outMany)
	c.plan.Methods = append(c.plan.Methods, out)
	for _, t := range []*ir.Type{out.In, out.Out} {
		if !slices.Contains(c.messages, t) {
			c.messages = append(c.messages, t)
		}
	}
}

func kindOf(in, out bool) ir.GRPCKind {
	switch {
	case in && out:
		return ir.GRPCBidiStream
	case in:
		return ir.GRPCClientStream
	case out:
		return ir.GRPCServerStream
	}
	return ir.GRPCUnary
}

// message returns the struct T of a type *T or iter.Seq2[*T, error], and nil for other types. many
// is true for iter.Seq2.
func (c *grpcCheck) message(t *ir.Type) (m *ir.Type, many bool) {
	if named(t, "iter", "Seq2") && len(t.Name.Args) == 2 && named(t.Name.Args[1], "", "error") {
		t, many = t.Name.Args[0], true
	}
	if t.Kind != ir.Pointer || t.Name != nil || t.Elem.Kind != ir.Struct || !t.Elem.Spellable(c.pkg.Path) {
		return nil, many
	}
	return t.Elem, many
}

func named(t *ir.Type, pkg, name string) bool {
	return t.Name != nil && t.Name.Pkg == pkg && t.Name.Name == name
}
