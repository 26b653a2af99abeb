package contract

import (
	"fmt"

	"github.com/zmylab/zmy/gen/ir"
)

// Level says how bad a change is.
type Level uint8

// The levels.
const (
	Safe    Level = iota
	Warning       // it breaks readers that are stricter than encoding/json, or it may be intended
	Error         // documents are refused, or read as something else
)

// String returns the level's name.
func (l Level) String() string { return [...]string{"safe", "warning", "breaking"}[l] }

// Side says who notices a change. Readers read what the new code writes: older versions of the code,
// and programs in other languages. Writers have written, or still write, what the new code reads.
type Side uint8

// The sides; Both is their union.
const (
	Readers Side = 1 << iota
	Writers
	Both = Readers | Writers
)

// String returns the side's name.
func (s Side) String() string { return [...]string{"", "readers", "writers", "readers and writers"}[s] }

// Rule is one rule of the comparison.
type Rule struct {
	ID      string
	Level   Level
	Side    Side   // who notices; 0 if nobody does
	Doc     string // what has changed, in one line
	Instead string // what to do in place of the change
}

const add = "keep the member and add another one"

var rules = []Rule{
	{"MEMBER_REMOVED", Error, Both, "a member is gone",
		"keep it until nobody reads it; readers get its zero value, and what documents have there is lost"},
	{"MEMBER_RENAMED", Error, Both, "a member has another name",
		"keep the old name in struct tag json, or write both members for a while"},
	{"MEMBER_CASE_CLASH", Error, Both,
		"a new member's name differs from another one's only in upper and lower case, which encoding/json ignores",
		"choose another name"},
	{"EMBEDDING_CHANGED", Error, Both, "the members of an embedded struct moved into a member, or out of one",
		"leave struct tag json of the embedded field as it was"},
	{"MEMBER_MAY_BE_ABSENT", Error, Readers, "a member that was always written may be absent",
		"remove omitempty or omitzero, or embed the struct itself"},
	{"NULL_ADDED", Error, Readers, "null may be written where it could not be before",
		"keep a type without nil, or leave nil out with omitempty"},
	{"NULL_REMOVED", Error, Writers, "null was written for nil, and is now read as the zero value", "keep the pointer"},
	{"TYPE_CHANGED", Error, Both, "a value has another form", add},
	{"INTEGER_NARROWED", Error, Writers, "an integer has a smaller range, so values of before are refused", "keep the type"},
	{"INTEGER_WIDENED", Error, Readers, "an integer has a larger range, so older readers refuse new values", add},
	{"INTEGER_RANGE_CHANGED", Error, Both, "an integer has another range, neither within the other", add},
	{"FLOAT_NARROWED", Error, Writers, "a float has fewer bits, so values of before are refused or rounded", "keep the type"},
	{"FLOAT_WIDENED", Error, Readers, "a float has more bits, so older readers refuse or round new values", add},
	{"STRING_FORM_CHANGED", Error, Both, "option string was added or removed: a scalar moved into a string, or out of one", add},
	{"MAP_KEY_CHANGED", Error, Both, "the keys of a map have another form", add},
	{"ARRAY_LENGTH_CHANGED", Error, Both, "an array has another fixed length, or got or lost one: readers drop the elements beyond theirs",
		add},
	{"METHOD_ADDED", Error, Both, "a method now decides the form of a type, which the contract described",
		"give the method to a new type"},
	{"METHOD_REMOVED", Error, Both, "no method decides the form of a type any more, or it writes another form", "keep the method"},
	{"ENUM_VALUE_REMOVED", Error, Writers, "a constant is gone, and documents have it",
		"keep the constant; its comment may say Deprecated:"},
	{"ENUM_VALUE_CHANGED", Error, Both, "a constant has another number", "give it its number back, and append new constants"},
	{"REQUIRED_ADDED", Error, Writers, `struct tag fxjson:"required" was added: documents without the member are refused`,
		"remove the option until all writers write the member"},
	{"REST_REMOVED", Error, Writers, "the field that held unknown members is gone, so they are lost",
		`keep the field with struct tag fxjson:"inline" or "unknown"`},

	{"TYPE_REMOVED", Warning, Both, "a type of the surface is gone", "if it was renamed, record that with zmy lock -json"},
	{"ENUM_VALUE_ADDED", Warning, Readers,
		"a constant is new: readers that know all values, as schemas and unions of TypeScript do, refuse it",
		"release the readers first"},
	{"ENUM_OPENED", Warning, Readers, "values that are no constants may be written now", "release the readers first"},
	{"ENUM_CLOSED", Warning, Writers, "a type got constants, and documents may have other values", "mark the type with //zmy:open"},
	{"METHOD_OWNER_CHANGED", Warning, Both, "another type's method decides the form", "compare the text that both write"},
	{"READING_CHANGED", Warning, Writers, "a method for reading was added or removed, so other documents may be refused",
		"read documents of before in a test"},
	{"DECIMALS_CHANGED", Warning, Readers, "floats are written with another number of decimals", ""},

	{"MEMBER_ADDED", Safe, 0, "a member is new", ""},
	{"MEMBER_ALWAYS_WRITTEN", Safe, 0, "a member that could be absent is always written", ""},
	{"OMISSION_CHANGED", Safe, 0, "a member is absent for other values", ""},
	{"NULL_NO_LONGER_WRITTEN", Safe, 0, "null is not written any more, but is still read", ""},
	{"FIELD_RENAMED", Safe, 0, "a member belongs to another Go field", ""},
	{"REQUIRED_REMOVED", Safe, 0, `struct tag fxjson:"required" was removed`, ""},
	{"REST_ADDED", Safe, 0, "unknown members are kept", ""},
	{"TYPE_ADDED", Safe, 0, "a type of the surface is new", ""},
}

// Rules returns all rules, the worst first.
func Rules() []Rule { return rules }

func rule(id string) Rule {
	for _, r := range rules {
		if r.ID == id {
			return r
		}
	}
	panic("contract: there is no rule " + id)
}

// Change is a difference between the record and the source.
type Change struct {
	Rule
	Path    string // Order.items[].sku
	Detail  string
	Pos     ir.Pos // in the source; of the type for a member that is gone
	Ignored string // the reason in a directive that accepts the change; "" if there is none
}

// Breaks reports whether the change is an error that no directive accepts.
func (c Change) Breaks() bool { return c.Level == Error && c.Ignored == "" }

// Problem returns the change as a problem of the source.
func (c Change) Problem() ir.Problem {
	return ir.Problem{Pos: c.Pos, Path: c.ID + ": " + c.Path, Msg: c.Detail, Hint: c.Instead}
}

func sprint(format string, args ...any) string { return fmt.Sprintf(format, args...) }
