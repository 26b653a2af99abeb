// Package jsontag parses the struct tag fxjson, for the generator and for reflection.
package jsontag

import (
	"reflect"
	"strconv"
	"strings"
)

// Options are the options in the tag of one field.
type Options struct {
	Decimals int  // decimals=N, -1 if the option is absent
	Inline   bool // the members of the field are members of its struct
	Unknown  bool // Inline, and the field receives members with unknown names
	Required bool // an object without the member is an error
	Intern   bool // equal strings of the field share memory
}

// MaxDecimals is the largest number of decimal digits that every float64 keeps exactly.
const MaxDecimals = 15

// Problem says why an option cannot be used, and what to do.
type Problem struct{ Msg, Hint string }

// Of parses the tag fxjson of a field. Options with a problem are not set.
func Of(tag reflect.StructTag) (o Options, problems []Problem) {
	o.Decimals = -1
	text, ok := tag.Lookup("fxjson")
	if !ok {
		return o, nil
	}
	for opt := range strings.SplitSeq(text, ",") {
		val, decimals := strings.CutPrefix(opt, "decimals=")
		switch {
		case decimals:
			n, err := strconv.Atoi(val)
			if err != nil || n < 0 || n > MaxDecimals {
				problems = append(problems, Problem{"bad struct tag fxjson option " + strconv.Quote(opt), "N is 0 to " + strconv.Itoa(MaxDecimals)})
				continue
			}
			o.Decimals = n
		case opt == "inline":
			o.Inline = true
		case opt == "unknown":
			o.Inline, o.Unknown = true, true
		case opt == "required":
			o.Required = true
		case opt == "intern":
			o.Intern = true
		default:
			problems = append(problems, Problem{"struct tag fxjson has no option " + strconv.Quote(opt),
				"the options are decimals=N, inline, intern, required and unknown"})
		}
	}
	if o.Required && (o.Inline || tag.Get("json") == "-") {
		problems = append(problems, Problem{"a field without a name of its own cannot be required", "remove the option required"})
		o.Required = false
	}
	if o.Intern && o.Inline {
		problems = append(problems, Problem{"an inlined field cannot be interned", "remove the option intern"})
		o.Intern = false
	}
	if o.Inline && !Nameless(tag) {
		problems = append(problems, Problem{"an inlined field has no name and no options", `remove struct tag json, or make it ` +
			`json:"-" for encoding/json to skip the field`})
		o.Inline, o.Unknown = false, false
	}
	return o, problems
}

// Nameless reports whether the tag json of a field is one that an inlined field may have: no name,
// and only options with which versions of encoding/json/v2 inline fields.
func Nameless(tag reflect.StructTag) bool {
	text := tag.Get("json")
	if text == "-" || text == "" {
		return true
	}
	name, opts, _ := strings.Cut(text, ",")
	if name != "" {
		return false
	}
	for opt := range strings.SplitSeq(opts, ",") {
		switch opt {
		case "inline", "embed", "unknown":
		default:
			return false
		}
	}
	return true
}

// Skipped reports whether the tags of a field exclude it from JSON.
func Skipped(tag reflect.StructTag) bool {
	if tag.Get("json") != "-" {
		return false
	}
	o, _ := Of(tag)
	return !o.Inline
}
