package jsontypes

import "encoding/json"

// Inlined types have the tags of both drafts of encoding/json/v2 beside those of fxjson, so that it
// can be asked where it is there.
type (
	// InlineAny keeps unknown members of any type, between other fields.
	InlineAny struct {
		A     int            `json:"a"`
		Extra map[string]any `json:",inline,embed" fxjson:"inline"`
		B     string         `json:"b,omitempty"`
	}

	// InlineOnly has nothing else.
	InlineOnly struct {
		Extra map[Word]InlineRaw `json:",inline,embed" fxjson:"inline"`
	}

	// InlineRaw keeps them as they stand in the document.
	InlineRaw struct {
		Opt   *int            `json:"opt,omitempty"`
		Extra json.RawMessage `json:",inline,embed" fxjson:"inline"`
		Name  string          `json:"näme,omitempty"`
	}

	// InlineDeep has members of structs, of which one is reached by a pointer.
	InlineDeep struct {
		Head  InlineHead  `json:",inline,embed" fxjson:"inline"`
		Tail  *InlineTail `json:",inline,embed" fxjson:"inline"`
		A     string      `json:"a"`
		Inner InlineAny   `json:"inner"`
		List  []InlineAny `json:"list,omitempty"`
	}

	// InlineHead and InlineTail share a name, which neither of them shows.
	InlineHead struct {
		A    int `json:"a"`
		Both int `json:"both"`
		H    []string
	}

	// InlineTail takes what is unknown.
	InlineTail struct {
		Both int             `json:"both"`
		T    float64         `json:"t"`
		Rest *map[string]int `json:",inline,embed" fxjson:"inline"`
	}

	// InlineTwice has two that take members, as deep as each other: neither counts.
	InlineTwice struct {
		InlineAny
		*InlineTail
		C bool
	}

	// InlineShallow has two, of which the shallow one counts.
	InlineShallow struct {
		*InlineAny
		Mine map[string]InlineHead `json:",inline,embed" fxjson:"inline"`
	}

	// Unknowns calls what it keeps unknown.
	Unknowns struct {
		A     int                        `json:"a"`
		Extra map[string]json.RawMessage `json:",unknown,embed" fxjson:"unknown"`
	}
)

// Word is a key.
type Word string

// InlineHidden is skipped by encoding/json, and inlined all the same.
type InlineHidden struct {
	A     int               `json:"a"`
	Extra map[string]string `json:"-" fxjson:"unknown"`
}
