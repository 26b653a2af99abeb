package schema

import (
	"fmt"
	"slices"
)

// Code is the kind of a change between two versions of a schema. The codes are the same in every
// language.
type Code string

// Codes of breaking changes: readers of one version refuse or misunderstand messages of the other.
const (
	FieldDeleted       Code = "FIELD_DELETED"        // a number is gone: reserve it instead
	TagReused          Code = "TAG_REUSED"           // a number now means another field
	TagGap             Code = "TAG_GAP"              // numbers were left out
	FieldTypeChanged   Code = "FIELD_TYPE_CHANGED"   // even to a type of the same size
	FieldSectionMoved  Code = "FIELD_SECTION_MOVED"  // from the scalars to the tails or back
	InlineChanged      Code = "INLINE_CHANGED"       // the fields of an inline struct, or whether it is inline
	LayoutChanged      Code = "LAYOUT_CHANGED"       // the layout of the type: sparse, unixnano, zone, nilable, pointer, set, first field
	LineageChanged     Code = "LINEAGE_CHANGED"      // another struct type has taken the field
	ArrayLen           Code = "ARRAY_LEN"            // an array's length
	MapKey             Code = "MAP_KEY"              // a map's keys
	UnionArmRenumbered Code = "UNION_ARM_RENUMBERED" // an arm has another number
	EnumValueChanged   Code = "ENUM_VALUE_CHANGED"   // a named value has another number, or is gone
	UTF8Changed        Code = "UTF8_CHANGED"         // string to bytes, or back
	UndeprecatedType   Code = "UNDEPRECATED_TYPE"    // a deprecated type is in use again
	InvalidSchema      Code = "INVALID_SCHEMA"       // one of the two is not a valid schema
)

// Codes of warnings: no message is misunderstood, but programs may notice the change.
const (
	LimitLowered    Code = "LIMIT_LOWERED"     // older messages may be refused
	JSONNameChanged Code = "JSON_NAME_CHANGED" // older JSON documents have the other name
)

// Codes of changes that are safe in both directions.
const (
	FieldAdded       Code = "FIELD_ADDED"
	FieldRenamed     Code = "FIELD_RENAMED"
	FieldDeprecated  Code = "FIELD_DEPRECATED"
	FieldReserved    Code = "FIELD_RESERVED"
	UnionArmAdded    Code = "UNION_ARM_ADDED"
	EnumValueAdded   Code = "ENUM_VALUE_ADDED"
	EnumValueRenamed Code = "ENUM_VALUE_RENAMED"
	TypeRenamed      Code = "TYPE_RENAMED"
	TypeDeprecated   Code = "TYPE_DEPRECATED"
	LimitRaised      Code = "LIMIT_RAISED"
)

// Severity says what a change means for programs that use the other version.
type Severity uint8

// The severities.
const (
	Safe Severity = iota
	Warning
	Breaking
)

// String returns "safe", "warning" or "breaking".
func (s Severity) String() string { return [...]string{"safe", "warning", "breaking"}[s] }

// Severity returns the severity of changes with code c.
func (c Code) Severity() Severity {
	switch c {
	case FieldAdded, FieldRenamed, FieldDeprecated, FieldReserved, UnionArmAdded, EnumValueAdded, EnumValueRenamed, TypeRenamed,
		TypeDeprecated, LimitRaised:
		return Safe
	case LimitLowered, JSONNameChanged:
		return Warning
	}
	return Breaking
}

// advice says, by code, what to do instead of the change.
var advice = map[Code]string{
	FieldDeleted:       "keep the field, or reserve its number",
	TagReused:          "give the new field the next number and reserve this one",
	TagGap:             "number fields without gaps",
	FieldTypeChanged:   "add a field of the new type and deprecate this one",
	FieldSectionMoved:  "add a field of the new type and deprecate this one",
	InlineChanged:      "inline structs are frozen: add a field",
	LayoutChanged:      "add a field of the new form and deprecate this one",
	LineageChanged:     "add a field of the new type and deprecate this one",
	ArrayLen:           "add a field, or use a slice",
	MapKey:             "add a field of the new type and deprecate this one",
	UnionArmRenumbered: "give the arm its number back",
	EnumValueChanged:   "give the value its number back; append new ones",
	UTF8Changed:        "add a field of the new type and deprecate this one",
	UndeprecatedType:   "leave it deprecated, or make a new type",
	LimitLowered:       "messages of before may be larger",
	JSONNameChanged:    "documents of before have the other name",
}

// Change is one difference between two versions of a schema.
type Change struct {
	Code   Code
	Path   string // "Order.Items[].Price"
	Detail string // "float64 became float32"
	// Type is the index, in the later schema, of the struct, union or integer type that differs.
	Type uint32
	// Number is the number of the field or arm of Type that differs, -1 for the type itself.
	Number int
}

// Severity returns the severity of the change's code.
func (c Change) Severity() Severity { return c.Code.Severity() }

// String returns one line that says where, what, and what to do instead.
func (c Change) String() string {
	s := fmt.Sprintf("%s: %s: %s", c.Path, c.Code, c.Detail)
	if a := c.Code.Advice(); a != "" {
		s += "; " + a
	}
	return s
}

// Advice says what to do instead of a change with code c. It returns "" for safe codes.
func (c Code) Advice() string { return advice[c] }

// Breaks reports whether any of the changes is breaking.
func Breaks(changes []Change) bool {
	return slices.ContainsFunc(changes, func(c Change) bool { return c.Severity() == Breaking })
}
