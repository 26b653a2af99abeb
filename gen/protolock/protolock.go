// Package protolock keeps zmy.proto.lock, which records the protobuf messages of a package's types:
// numbers, names and types of fields, oneofs, values of enums, and the numbers that were removed.
//
// The file is in the package's folder and is committed. It is not a section of zmy.lock, because a
// package may have one without the other, and because zmy.lock is a frozen format that older
// commands read. [Of] makes a record from the plan of today's source, [Compare] says what has changed
// between two records.
//
// Rules are those of protobuf (protobuf.dev, "Updating A Message Type") for messages that both sides may
// write: older programs read new messages, and newer programs old ones.
//
// NOTE, the map of the package:
//
//	protolock.go       the record
//	form.go            types of values as text
//	text.go parse.go   the record as text
//	of.go              a record from the plan of a package
//	rules.go           the rules of a comparison
//	compare.go         types, and what the next record has
//	fields.go          fields and oneofs
//	values.go          types of values, enums
package protolock

import (
	"cmp"
	"slices"
	"strings"

	"github.com/zmylab/zmy/gen/check"
	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/internal/pbtype"
)

// Name is the file's name.
const Name = "zmy.proto.lock"

// File is the content of a lock file.
type File struct {
	Types []*Type // the package's own types by name, then types of other packages
}

// Kind is the kind of a type.
type Kind string

// The kinds. Their text begins a type's paragraph.
const (
	Message Kind = "message"
	Enum    Kind = "enum"
)

// Type is a message or an enum.
type Type struct {
	Name     string // the Go type: Order, Page[Order], example.org/stock.Item, or Order:Address for a struct without a name
	Kind     Kind
	Fields   []Field // of a Message, by number
	Values   []Value // of an Enum, by number
	Reserved pbtype.Ranges
	Names    []string // reserved names, sorted
	Pos      ir.Pos   // in the source, or in the lock file
}

// Field is a field of a message.
type Field struct {
	Number   int32
	Name     string // in a .proto file
	JSON     string // in JSON
	Key      Form   // of a map, else the zero Form
	Type     Form   // of the value, the elements, or the values of a map
	Repeated bool
	Unpacked bool   // of repeated numbers
	Optional bool   // a scalar that has presence, outside of oneofs
	Group    bool   // the message is a group
	Oneof    string // the name of its oneof, "" for none
	Reserved bool   // the field was removed
	Pos      ir.Pos
}

func (f *Field) isMap() bool { return f.Key.Word != "" }

// Value is a value of an enum. Several values may have one number.
type Value struct {
	Number   int32
	Name     string // in a .proto file
	Reserved bool   // the value was removed
}

// Type returns the type of that name, or nil.
func (f *File) Type(name string) *Type {
	for _, t := range f.Types {
		if t.Name == name {
			return t
		}
	}
	return nil
}

// field returns the field that has the number now, or nil.
func (t *Type) field(number int32) *Field {
	for i := range t.Fields {
		if f := &t.Fields[i]; f.Number == number && !f.Reserved {
			return f
		}
	}
	return nil
}

// gone returns the removed field that had the number, or nil.
func (t *Type) gone(number int32) *Field {
	for i := range t.Fields {
		if f := &t.Fields[i]; f.Number == number && f.Reserved {
			return f
		}
	}
	return nil
}

// named returns the field that has the name in .proto files now, or nil.
func (t *Type) named(name string) *Field {
	for i := range t.Fields {
		if f := &t.Fields[i]; f.Name == name && !f.Reserved {
			return f
		}
	}
	return nil
}

// Numbers returns the numbers and names that a type has or had, reserved ones included. It returns none
// for a type that is not recorded.
func (f *File) Numbers(name string) (out check.Reserved) {
	t := f.Type(name)
	if t == nil {
		return out
	}
	out.Numbers, out.Names = t.Reserved, slices.Clone(t.Names)
	for _, g := range t.Fields {
		out.Numbers, out.Names = out.Numbers.Union(pbtype.RangesOf(g.Number)), append(out.Names, g.Name)
	}
	for _, v := range t.Values {
		out.Numbers, out.Names = out.Numbers.Union(pbtype.RangesOf(v.Number)), append(out.Names, v.Name)
	}
	slices.Sort(out.Names)
	out.Names = slices.Compact(out.Names)
	return out
}

// sort puts all in the order of the file, and removes numbers from Reserved that a removed field or
// value has.
func (f *File) sort() {
	for _, t := range f.Types {
		slices.SortStableFunc(t.Fields, func(a, b Field) int { return cmp.Compare(a.Number, b.Number) })
		slices.SortStableFunc(t.Values, func(a, b Value) int { return cmp.Compare(a.Number, b.Number) })
		var own pbtype.Ranges
		for _, g := range t.Fields {
			own = own.Union(pbtype.RangesOf(g.Number))
		}
		for _, v := range t.Values {
			own = own.Union(pbtype.RangesOf(v.Number))
		}
		t.Reserved = t.Reserved.Without(own)
		slices.Sort(t.Names)
		t.Names = slices.Compact(t.Names)
	}
	slices.SortStableFunc(f.Types, func(a, b *Type) int {
		if x, y := foreign(a.Name), foreign(b.Name); x != y {
			if x {
				return 1
			}
			return -1
		}
		return cmp.Compare(a.Name, b.Name)
	})
}

// base returns the name of a type without type arguments and without the field that has it.
func base(name string) string {
	name, _, _ = strings.Cut(name, "[")
	name, _, _ = strings.Cut(name, ":")
	return name
}

// foreign reports whether name is the name of a type of another package.
func foreign(name string) bool { return strings.Contains(base(name), ".") }
