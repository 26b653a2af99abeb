package protolock

import (
	"fmt"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/schema"
)

// Rule is one rule of the comparison.
type Rule struct {
	ID      string
	Level   schema.Severity
	Doc     string // what has changed, in one line
	Instead string // what to do in place of the change
}

const (
	add     = "add a field of the new type and reserve this one"
	readers = "deploy the readers first"
)

var rules = []Rule{
	{"FIELD_DELETED", schema.Breaking, "a field is gone, and its number is not reserved",
		"reserve it in the type's comment: //zmy:proto-reserved %d"},
	{"TAG_REUSED", schema.Breaking, "a number that was removed, or that another field had, belongs to this field",
		"give the field the next free number"},
	{"FIELD_NUMBER_CHANGED", schema.Breaking, "a field has another number", "give it its number back"},
	{"FIELD_TYPE_CHANGED", schema.Breaking, "a field has a type that does not read the values of the old one", add},
	{"ARRAY_LEN", schema.Breaking, "a Go array of bytes has another length, and refuses bytes of the old one", add},
	{"CARDINALITY_CHANGED", schema.Breaking,
		"a list became one value, a number became a packed list, or a field became a map, or was one", "add a field and reserve this one"},
	{"MAP_KEY", schema.Breaking, "the keys of a map have a type that does not read those of the old one", add},
	{"ONEOF_CHANGED", schema.Breaking, "two fields that could both be set are now in one oneof, or the reverse",
		"leave the fields where they were"},
	{"ENUM_VALUE_REMOVED", schema.Breaking, "a value of an enum is gone, and its number is not reserved",
		"reserve it in the type's comment: //zmy:proto-reserved %d"},
	{"ENUM_VALUE_CHANGED", schema.Breaking, "a value of an enum has another number", "give it its number back, and append new values"},

	{"FIELD_TYPE_NARROWED", schema.Warning,
		"a type that is compatible on the wire takes fewer values: integers that do not fit are truncated, text that is not UTF-8 is refused",
		"keep the type if such values were written"},
	{"FIELD_TYPE_WIDENED", schema.Warning,
		"a type that is compatible on the wire takes more values, which older readers truncate or refuse", readers},
	{"FIELD_REPEATED", schema.Warning, "one value became a list: older readers keep the last value, or merge messages", readers},
	{"MAP_CHANGED", schema.Warning,
		"a map became a list of messages with key and value, or the reverse: entries with equal keys are one in a map",
		"keep the form"},
	{"PRESENCE_CHANGED", schema.Warning, "a value got or lost presence: the side without it does not tell absent from zero",
		"keep the presence"},
	{"JSON_NAME_CHANGED", schema.Warning, "a field or a value of an enum has another name in JSON, which ProtoJSON refuses or skips",
		"keep the old name: in struct tag json for a field, by //zmy:proto-value for a constant"},
	{"JSON_NAME_REUSED", schema.Warning, "a field has the name of a removed one, whose values in JSON are read as its own",
		"choose another name"},
	{"JSON_FORM_CHANGED", schema.Warning, "a value has the same bytes, and another form in JSON", add},
	{"TYPE_DELETED", schema.Warning, "a type is gone", "if it was renamed, run zmy lock before other changes"},

	{"FIELD_ADDED", schema.Safe, "a field was added", ""},
	{"FIELD_RENAMED", schema.Safe, "a field has another name in .proto files", ""},
	{"FIELD_RESERVED", schema.Safe, "a field was removed and its number reserved", ""},
	{"FIELD_RESTORED", schema.Safe, "a removed field is back, with its number, name and type", ""},
	{"PACKED_CHANGED", schema.Safe, "a list of numbers is packed or no longer packed; readers take both", ""},
	{"ONEOF_ADDED", schema.Safe, "a field with presence is the only one of before in a oneof, or was", ""},
	{"ENUM_VALUE_ADDED", schema.Safe, "a value was added to an enum; enums are open", ""},
	{"ENUM_VALUE_RESERVED", schema.Safe, "a value was removed from an enum and its number reserved", ""},
	{"TYPE_RENAMED", schema.Safe, "a type in Go was renamed or moved", ""},
	{"TYPE_ADDED", schema.Safe, "a type is new", ""},
}

// Rules returns all rules, the worst first.
func Rules() []Rule { return rules }

func rule(id string) Rule {
	for _, r := range rules {
		if r.ID == id {
			return r
		}
	}
	panic("protolock: there is no rule " + id)
}

// Change is a difference between the record and the source.
type Change struct {
	Rule
	Path   string // Order.items
	Detail string
	Number int32  // of the field or value
	Pos    ir.Pos // in the source; of the type for a field that is gone
}

// Advice says what to do in place of the change.
func (c Change) Advice() string {
	if c.ID == "FIELD_DELETED" || c.ID == "ENUM_VALUE_REMOVED" {
		return fmt.Sprintf(c.Instead, c.Number)
	}
	return c.Instead
}

// Problem returns the change as a problem of the source.
func (c Change) Problem() ir.Problem {
	return ir.Problem{Pos: c.Pos, Path: c.ID + ": " + c.Path, Msg: c.Detail, Hint: c.Advice()}
}
