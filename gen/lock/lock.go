// Package lock keeps zmy.lock, which records the messages of a package: numbers, names and types of
// fields, arms of unions, named values, and the lineage of each struct. The lineage stays when a
// struct is renamed.
//
// The file is in the package's folder and is committed. [Of] makes a record from the plan of
// today's source. [Compare] compares the two by the rules of package schema, and its Next is the
// new record.
//
// NOTE, the map of the package:
//
//	lock.go            the record
//	text.go parse.go   the record as text
//	expr.go            types of fields as text, and as a schema; the schema of a message
//	of.go              a record from the plan of a package
//	match.go           which type of the old record is which of today's types
//	compare.go         what has changed
//	update.go          the next record
//	derive.go          numbers that -derive gave, and types of fields to reserve
package lock

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"slices"
	"strings"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/schema"
)

// Name is the file's name.
const Name = "zmy.lock"

// File is the content of a lock file: first the package's own types by name, then types of other
// packages, which have an import path in their names.
type File struct {
	Types []*Type
}

// Type is a struct, a union, or an integer with named values.
type Type struct {
	// Name is the package's name of the type: Order, Page[Order]. A type of another package has its
	// import path: example.org/stock.Item. A struct without a name is named after the first field
	// found to contain it: Order:Address.
	Name       string
	Kind       schema.Kind // Struct, Union, or the integer
	Sparse     bool
	Deprecated bool
	Lineage    uint64 // of a Struct
	Limits     schema.Limits
	Fields     []Field        // of a Struct by number; arms of a Union
	Values     []schema.Value // of an integer, by number
	Pos        ir.Pos         // in the source, or in the lock file
	sentinels  []string       // of an integer: constants that a directive excludes from the values
}

// Field is a field of a struct or an arm of a union.
type Field struct {
	Number uint32
	Name   string // "" for a number that was reserved before the field was recorded
	// Type is in the language of canonical texts, with names for struct, union and enum types:
	// []Item, map[string]?Status. It is empty for an arm: arms have the names of their types,
	// except that a reserved arm may have another. With Words it is the directive's text for a
	// reserved field.
	Type       string
	JSON       string // as in schema.Field
	Deprecated bool
	Reserved   bool
	Inline     bool
	Embedded   bool
	Words      bool
	Size       uint32 // with Words: bytes among the scalars, 0 for a tail
	Pos        ir.Pos
}

// Lineage returns the identity that a struct gets when it is first recorded: the first 8 bytes,
// little-endian, of the SHA-256 of import path, dot and name.
func Lineage(path, name string) uint64 {
	sum := sha256.Sum256([]byte(path + "." + name))
	return binary.LittleEndian.Uint64(sum[:])
}

// Type returns the type of that name, or nil.
func (f *File) Type(name string) *Type {
	if f == nil {
		return nil
	}
	for _, t := range f.Types {
		if t.Name == name {
			return t
		}
	}
	return nil
}

// field returns the field with that number, or nil.
func (t *Type) field(number uint32) *Field {
	for i := range t.Fields {
		if t.Fields[i].Number == number {
			return &t.Fields[i]
		}
	}
	return nil
}

// reserve adds a reserved arm to a union, unless its number is taken.
func (t *Type) reserve(arm Field) {
	if t.field(arm.Number) == nil {
		t.Fields = append(t.Fields, arm)
		slices.SortFunc(t.Fields, func(a, b Field) int { return int(a.Number) - int(b.Number) })
	}
}

// goneArm reports whether f is an arm that the union no longer has. Only its number and name
// matter.
func (t *Type) goneArm(f *Field) bool { return t.Kind == schema.Union && f.Reserved }

func (f *File) sort() {
	slices.SortFunc(f.Types, func(a, b *Type) int {
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
	return strings.Contains(base, ".")
}

// plain returns the type's name in schemas: Page for example.org/m.Page[Order], "" for a struct
// without a name.
func plain(name string) string {
	if strings.Contains(name, ":") {
		return ""
	}
	base, _, _ := strings.Cut(name, "[")
	return base[strings.LastIndex(base, ".")+1:]
}
