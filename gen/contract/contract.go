// Package contract keeps zmy.json.lock, which records the JSON of a package's types: names and
// forms of members, what may be absent or null, constants of enumerations, and methods that decide
// a form.
//
// The file is in the package's folder and is committed. It is not a section of zmy.lock, because a
// package may have one without the other, and because zmy.lock is a frozen format that older
// commands read. [Of] makes a record from the contract of today's source, [Compare] says what has
// changed between two records.
//
// NOTE, the map of the package:
//
//	contract.go        the record
//	form.go            forms of values as text
//	text.go parse.go   the record as text
//	of.go              a record from the plan of a package
//	rules.go           the rules of a comparison
//	compare.go         types and members
//	values.go          forms, enumerations and methods
package contract

import (
	"cmp"
	"slices"
	"strings"

	"github.com/zmylab/zmy/gen/ir"
)

// Name is the file's name.
const Name = "zmy.json.lock"

// File is the content of a lock file.
type File struct {
	// Surface has the types that the contract is for, as the user named them. It is nil if the
	// contract is for all exported structs of the package that have a JSON form.
	Surface []string
	Types   []*Type // the package's own types by name, then types of other packages
	Roots   []Root  // the types of the surface, and the forms of those that are no types with a name
}

// Root is a type of the surface.
type Root struct {
	Name string // as the user wrote it
	Form string
}

// Kind is the kind of a type.
type Kind string

// The kinds. Their text begins a type's paragraph.
const (
	Object  Kind = "object"  // a struct
	Enum    Kind = "enum"    // constants
	Alias   Kind = "alias"   // another type with a name
	Methods Kind = "methods" // a type that writes itself
)

// Type is a type of the contract.
type Type struct {
	Name    string // Order, Page[Order], example.org/stock.Item, or Order:Address for a struct without a name
	Kind    Kind
	Form    string   // of an Alias or Enum
	Writes  string   // of Methods: MarshalJSON or MarshalText, with * in front if only the pointer has it
	Reads   string   // UnmarshalJSON or UnmarshalText; "" for none
	Of      string   // the embedded type that declares the method that writes; "" for the type itself
	Members []Member // of an Object, in order
	Rest    string   // of an Object: the form of its other members, "" if it has none
	Values  []Value  // of an Enum
	Pos     ir.Pos   // in the source, or in the lock file
	ignores []ignore
}

// Member is a member of an object.
type Member struct {
	Name     string
	Go       string // the fields that lead to it: Base.ID
	Form     string
	Null     bool // null is written for nil
	Empty    bool // omitempty, if it has an effect
	Zero     bool // omitzero
	Missing  bool // absent if the pointer to an embedded struct is nil
	Quoted   bool // option string
	Required bool
	Decimals int // -1 for none
	Pos      ir.Pos
	ignores  []ignore
}

func (m *Member) optional() bool { return m.Empty || m.Zero || m.Missing }

// Value is a constant.
type Value struct {
	Text string // as JSON
	Name string // of an integer constant
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

func (t *Type) member(name string) *Member {
	for i := range t.Members {
		if t.Members[i].Name == name {
			return &t.Members[i]
		}
	}
	return nil
}

func (f *File) sort() {
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

// foreign reports whether name is the name of a type of another package.
func foreign(name string) bool {
	base, _, _ := strings.Cut(name, "[")
	base, _, _ = strings.Cut(base, ":")
	return strings.Contains(base, ".")
}
