package gen

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/zmylab/zmy/gen/check"
	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/gen/load"
	"github.com/zmylab/zmy/gen/lock"
	"github.com/zmylab/zmy/gen/protolock"
)

// ReadProtoLock reads the zmy.proto.lock of a package. It returns nil without an error if there is none.
func ReadProtoLock(p *load.Pkg) (*protolock.File, error) {
	text, err := os.ReadFile(filepath.Join(p.Dir, protolock.Name))
	if os.IsNotExist(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return protolock.Parse(text)
}

// ProtoLockFile returns a File that writes f as the zmy.proto.lock of the package.
func ProtoLockFile(p *load.Pkg, f *protolock.File) File {
	return File{Path: filepath.Join(p.Dir, protolock.Name), Src: f.Text(), lock: true}
}

// RecordProto makes a record of the protobuf messages of a package: the types of files that fxproto has
// written, and the structs with struct tags for protobuf. A struct that has only struct tags protobuf and
// is refused is left out, and in notes.
func RecordProto(p *load.Pkg) (now *protolock.File, notes ir.Problems, err error) {
	names, legacy := p.ProtoTagged()
	for _, g := range p.Generated {
		args, ok := strings.CutPrefix(g.By, "fxproto ")
		if !ok || !g.Hidden {
			continue
		}
		for _, t := range messagesOf(p, args).Types {
			if p.IsType(t) && !slices.Contains(names, t) {
				names = append(names, t)
			}
		}
	}
	legacy = slices.DeleteFunc(legacy, func(t string) bool { return slices.Contains(names, t) })
	exprs := append(slices.Clip(names), legacy...)
	if len(exprs) == 0 {
		return &protolock.File{}, nil, nil
	}
	k, err := p.BuildDeriving(exprs...) // with the types that implement interfaces
	if err != nil {
		return nil, nil, err
	}
	lenient := k.Roots[len(names):]
	plan, notes, err := check.ProtoMessages(k, func(t *ir.Type) bool { return slices.Contains(lenient, t) })
	if err != nil {
		return nil, nil, err
	}
	now, err = protolock.Record(p.Path, plan)
	return now, notes, err
}

// CompareProto compares the protobuf messages of a package with the record old, nil for none.
func CompareProto(p *load.Pkg, old *protolock.File) (c protolock.Comparison, notes ir.Problems, err error) {
	now, notes, err := RecordProto(p)
	if err != nil {
		return c, nil, err
	}
	return protolock.Compare(old, now, p.Names()), notes, nil
}

// protoPast returns a function that returns the numbers and names that a type of the package has or had,
// by the record of the package.
func protoPast(p *load.Pkg) (func(*ir.Type) check.Reserved, error) {
	old, err := ReadProtoLock(p)
	if err != nil || old == nil {
		return func(*ir.Type) check.Reserved { return check.Reserved{} }, err
	}
	return func(t *ir.Type) check.Reserved { return old.Numbers(lock.TypeName(t, p.Path)) }, nil
}
