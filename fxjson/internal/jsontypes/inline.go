package jsontypes

import "encoding/json"

// These types have the tags of both drafts of encoding/json/v2 in addition to those of fxjson. So
// tests can compare with encoding/json/v2 if the toolchain has it.
type (
	// InlineAny keeps unknown members of any type, between other fields.
	InlineAny struct {
		A     int            `json:"a"`
		Extra map[string]any `json:",inline,embed" fxjson:"inline"`
		B     string         `json:"b,omitempty"`
	}

	// InlineOnly has no other field.
	InlineOnly struct {
		Extra map[Word]InlineRaw `json:",inline,embed" fxjson:"inline"`
	}

	// InlineRaw keeps unknown members as they are in the document.
	InlineRaw struct {
		Opt   *int            `json:"opt,omitempty"`
		Extra json.RawMessage `json:",inline,embed" fxjson:"inline"`
		Name  string          `json:"näme,omitempty"`
	}

	// InlineDeep has members of two structs, one of which is behind a pointer.
	InlineDeep struct {
		Head  InlineHead  `json:",inline,embed" fxjson:"inline"`
		Tail  *InlineTail `json:",inline,embed" fxjson:"inline"`
		A     string      `json:"a"`
		Inner InlineAny   `json:"inner"`
		List  []InlineAny `json:"list,omitempty"`
	}

	// InlineHead and InlineTail both have the name "both", so neither of the two fields is seen.
	InlineHead struct {
		A    int `json:"a"`
		Both int `json:"both"`
		H    []string
	}

	// InlineTail takes unknown members.
	InlineTail struct {
		Both int             `json:"both"`
		T    float64         `json:"t"`
		Rest *map[string]int `json:",inline,embed" fxjson:"inline"`
	}

	// InlineTwice has two fields at the same depth that take unknown members, so neither is used.
	InlineTwice struct {
		InlineAny
		*InlineTail
		C bool
	}

	// InlineShallow has two fields at different depths that take unknown members: the shallow one
	// is used.
	InlineShallow struct {
		*InlineAny
		Mine map[string]InlineHead `json:",inline,embed" fxjson:"inline"`
	}

	// Unknowns keeps unknown members by option unknown.
	Unknowns struct {
		A     int                        `json:"a"`
		Extra map[string]json.RawMessage `json:",unknown,embed" fxjson:"unknown"`
	}
)

// Word is a key.
type Word string

// InlineHidden has a field for unknown members. encoding/json skips the field; fxjson writes its
// members into the object.
type InlineHidden struct {
	A     int               `json:"a"`
	Extra map[string]string `json:"-" fxjson:"unknown"`
}
