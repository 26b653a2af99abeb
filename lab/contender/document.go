package contender

import (
	"context"
)

// Documents lists what works on JSON documents instead of values of Go types. They
// are shown for what they spare and never ranked, for a program that works on its
// own type has more to do than they.
func Documents() []Info {
	return []Info{
		document("fastjson", "valyala/fastjson: a tree of the document, numbers not yet read",
			"it makes a tree of the document, no value of your type"),
		document("raw-json", "json.RawMessage: a document that was rendered before, checked once more by encoding/json",
			"the document was rendered before, and is not read into a value of your type"),
	}
}

func document(name, text, unranked string) Info {
	i := reflective(name, "json", text, jsonKinds)
	i.Extra, i.Unranked = true, unranked
	i.Generate = func(context.Context, *Target, Tools) (*Sources, error) {
		s, err := Bind(name, "zzadapter.New[ZZSubject]()")
		if err == nil {
			s.Convert = "zzadapter.Convert[ZZSubject]"
		}
		return s, err
	}
	return i
}
