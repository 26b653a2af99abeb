// Package lock keeps zmy.lock, the record of what the messages of a package look
// like: the numbers, names and types of fields, arms of unions, named values,
// and the lineage of each struct, which stays when it is renamed.
//
// The file lies in the package's folder and is committed. [Of] makes one from the
// plan of today's source, [Compare] holds the two against each other by the rules
// of package schema, and [Update] writes down what has come since.
//
// NOTE, the map of the package:
//
//	lock.go            the record
//	text.go parse.go   as text
//	expr.go            types of fields as text, and as a schema
//	of.go              from the plan of a package
//	match.go           which type of then is which of now
//	compare.go         what has changed
//	update.go          the next record
//	derive.go words.go numbers that -derive gave, and of fields to reserve
//	schema.go          as the schema of one message
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

// Name is what the file is called.
const Name = "zmy.lock"

// File is the record of a package: its types by name, those of other packages,
// which have a path in their names, behind its own.
type File struct {
	Types []*Type
}

// Type is a struct, a union, or an integer with named values.
type Type struct {
	// Name is as the package spells it: Order, Page[Order]; with its import path for
	// a type of another package: example.org/stock.Item. A struct without a name
	// has that of the field it was first met in: Order:Address.
	Name       string
	Kind       schema.Kind // Struct, Union, or the integer
	Sparse     bool
	Deprecated bool
	Lineage    uint64 // of a Struct
	Limits     schema.Limits
	Fields     []Field        // of a Struct by number; arms of a Union
	Values     []schema.Value // of an integer, by number
	Pos        ir.Pos         // in the source, or in the lock file
	sentinels  []string       // of an integer: constants that are not values, by a directive
}

// Field is a field of a struct or an arm of a union.
type Field struct {
	Number uint32
	Name   string // "" for one that was reserved before it was recorded
	// Type is in the language of canonical texts, with the names of types in the
	// place of their fields: []Item, map[string]?Status. Of an arm it is empty: arms
	// have the names of their types, which those that are reserved need not have.
	// With Words it is what the source says of a reserved field.
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

// Lineage is the identity that a struct gets when it is first recorded: the
// first 8 bytes, little-endian, of the SHA-256 of import path, dot and name.
func Lineage(path, name string) uint64 {
	sum := sha256.Sum256([]byte(path + "." + name))
	return binary.LittleEndian.Uint64(sum[:])
}

// Type returns the type of that name, nil if there is none.
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

// field returns the field of that number.
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

// goneArm reports an arm that a union had. Nothing but its number and its name counts.
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

// foreign reports the name of a type of another package.
func foreign(name string) bool {
	base, _, _ := strings.Cut(name, "[")
	return strings.Contains(base, ".")
}

// plain is the name of a type by itself, as schemas have it: Page for
// example.org/m.Page[Order], nothing for a struct that has no name.
func plain(name string) string {
	if strings.Contains(name, ":") {
		return ""
	}
	base, _, _ := strings.Cut(name, "[")
	return base[strings.LastIndex(base, ".")+1:]
}
