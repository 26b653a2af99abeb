//go:build ignore

// Package adapter opens encoding/json/v2 with some of version 1's options.
package adapter

import (
	"encoding/json"
	"encoding/json/jsontext"
	jsonv2 "encoding/json/v2"
	"fmt"
)

// options are version 1's options by name, in the order in which a search leaves them out again: an
// option with a narrow meaning comes after one that changes more. To leave a zero time.Duration out,
// for example, hides that it has no representation, so OmitEmpty comes before FormatDuration.
var options = []struct {
	name string
	set  jsonv2.Options
}{
	{"json.ReportErrorsWithLegacySemantics", json.ReportErrorsWithLegacySemantics(true)},
	{"json.OmitEmptyWithLegacySemantics", json.OmitEmptyWithLegacySemantics(true)},
	{"json.CallMethodsWithLegacySemantics", json.CallMethodsWithLegacySemantics(true)},
	{"json.MergeWithLegacySemantics", json.MergeWithLegacySemantics(true)},
	{"json.MatchCaseSensitiveDelimiter", json.MatchCaseSensitiveDelimiter(true)},
	{"json.FormatBytesWithLegacySemantics", json.FormatBytesWithLegacySemantics(true)},
	{"json.FormatByteArrayAsArray", json.FormatByteArrayAsArray(true)},
	{"json.FormatDurationAsNano", json.FormatDurationAsNano(true)},
	{"json.ParseBytesWithLooseRFC4648", json.ParseBytesWithLooseRFC4648(true)},
	{"json.ParseTimeWithLooseRFC3339", json.ParseTimeWithLooseRFC3339(true)},
	{"json.StringifyWithLegacySemantics", json.StringifyWithLegacySemantics(true)},
	{"json.UnmarshalArrayFromAnyLength", json.UnmarshalArrayFromAnyLength(true)},
	{"jsonv2.Deterministic", jsonv2.Deterministic(true)},
	{"jsonv2.FormatNilMapAsNull", jsonv2.FormatNilMapAsNull(true)},
	{"jsonv2.FormatNilSliceAsNull", jsonv2.FormatNilSliceAsNull(true)},
	{"jsonv2.MatchCaseInsensitiveNames", jsonv2.MatchCaseInsensitiveNames(true)},
	{"jsontext.AllowDuplicateNames", jsontext.AllowDuplicateNames(true)},
	{"jsontext.AllowInvalidUTF8", jsontext.AllowInvalidUTF8(true)},
	{"jsontext.EscapeForHTML", jsontext.EscapeForHTML(true)},
	{"jsontext.EscapeForJS", jsontext.EscapeForJS(true)},
	{"jsontext.PreserveRawStrings", jsontext.PreserveRawStrings(true)},
}

// Pins returns the names of the options.
func Pins() (names []string) {
	for _, o := range options {
		names = append(names, o.name)
	}
	return names
}

// Open returns the package's functions with the named options.
func Open(pins []string) (func(any) ([]byte, error), func([]byte, any) error, error) {
	var set []jsonv2.Options
next:
	for _, p := range pins {
		for _, o := range options {
			if o.name == p {
				set = append(set, o.set)
				continue next
			}
		}
		return nil, nil, fmt.Errorf("there is no option %s", p)
	}
	all := jsonv2.JoinOptions(set...)
	return func(v any) ([]byte, error) { return jsonv2.Marshal(v, all) },
		func(b []byte, v any) error { return jsonv2.Unmarshal(b, v, all) }, nil
}
