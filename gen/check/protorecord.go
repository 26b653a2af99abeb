package check

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/internal/pbtype"
)

// ProtoMessages plans the protobuf messages of the package's roots, like [Proto], but code need not be
// written for them: they may belong to other packages. If a root for which lenient returns true is
// refused, the problem is in refused. All others are in the error, which is an ir.Problems.
func ProtoMessages(p *ir.Package, lenient func(*ir.Type) bool) (plan *ir.ProtoPlan, refused ir.Problems, err error) {
	c := &protoChecker{src: protoSource{zmySource: zmySource{pkg: p.Path}}, pkg: p, plan: &ir.ProtoPlan{}, seen: map[*ir.Type]bool{}}
	for _, t := range p.Roots {
		before := len(c.problems)
		c.compile(t)
		if lenient(t) {
			refused = append(refused, c.problems[before:]...)
			c.problems = c.problems[:before]
		}
	}
	return c.plan, refused, c.problems.Err()
}

// ProtoEnum describes the enum of a type with constants. Its names are those of a .proto file without
// other enums. It returns nil for a type without constants.
func ProtoEnum(pkg string, t *ir.Type) (*ir.ProtoEnum, ir.Problems) {
	c := &schemaCheck{
		protoChecker: protoChecker{src: protoSource{zmySource: zmySource{pkg: pkg}}},
		file:         &ir.ProtoFile{}, names: protoNames{}, values: protoNames{}, enums: map[*ir.Type]string{},
	}
	if c.enum(t) == "" || len(c.file.Enums) == 0 {
		return nil, c.problems
	}
	return c.file.Enums[0], c.problems
}

// Reserved are numbers and names that a message or an enum no longer uses, and must not use again.
type Reserved struct {
	Numbers pbtype.Ranges
	Names   []string
}

// ProtoReserved returns what the directives //zmy:proto-reserved of a type reserve.
func ProtoReserved(t *ir.Type) (out Reserved, problems ir.Problems) {
	if t.Name == nil {
		return out, nil
	}
	for _, d := range t.Name.Dirs {
		text, ok := strings.CutPrefix(d, reservedDirective)
		if !ok {
			continue
		}
		numbers, names, ok := pbtype.ParseReserved(text, lastNumber(t))
		if !ok {
			problems = append(problems, ir.Problem{Pos: t.Pos, Path: t.Name.Name, Msg: fmt.Sprintf("bad directive //%s", d),
				Hint: `write //zmy:proto-reserved 2, 4 to 6 for numbers, or //zmy:proto-reserved "old_name" for names`})
			continue
		}
		out.Numbers, out.Names = out.Numbers.Union(numbers), append(out.Names, names...)
	}
	return out, problems
}

// lastNumber returns the number that max stands for in the reserved ranges of a type.
func lastNumber(t *ir.Type) int32 {
	if t.Kind == ir.Struct {
		return pbtype.MaxField
	}
	return pbtype.MaxEnumValue
}

// ProtoNames returns the names of a field in .proto files and in JSON. An arm of an interface is called
// like its struct, or like the only field of this struct if that is the value.
func ProtoNames(f *ir.ProtoField) pbtype.Names {
	if f.Arm != nil {
		return f.Arm.Names(f.Arm.Type.Name.Name)
	}
	return pbtype.NamesOf(f.Of.Name, reflect.StructTag(f.Of.Tag))
}
