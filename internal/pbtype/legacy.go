package pbtype

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// Legacy is the part of a struct tag protobuf that the Go type must agree with. The tag's form is
// that of google.golang.org/protobuf/internal/encoding/tag:
//
//	protobuf:"varint,3,opt,name=total,json=total,proto3,enum=shop.Status"
type Legacy struct {
	Wire     string // varint, fixed32, fixed64, zigzag32, zigzag64, bytes or group
	Repeated bool
	Enum     bool
	Proto3   bool
	Key, Val string // the Wire of struct tags protobuf_key and protobuf_val
}

// legacyForms has the names of wire types in a struct tag protobuf.
var legacyForms = map[string]Form{
	"varint": Varint, "fixed32": Fixed, "fixed64": Fixed, "zigzag32": Sint, "zigzag64": Sint, "bytes": NoForm, "group": AsGroup,
}

const (
	legacyShape = `use the form protobuf:"varint,3,opt,name=total,proto3", or a struct tag proto`
	legacyWires = "use varint, fixed32, fixed64, zigzag32, zigzag64, bytes or group"
)

// parseLegacy parses the struct tags protobuf, protobuf_key and protobuf_val.
func parseLegacy(tag reflect.StructTag) (t Tag, ok bool, bad *refusal) {
	if name, oneof := tag.Lookup("protobuf_oneof"); oneof {
		return Tag{Holder: true, Oneof: name}, true, nil
	}
	text, ok := tag.Lookup("protobuf")
	if !ok {
		return t, false, nil
	}
	if text == "-" {
		return Tag{Skip: true}, true, nil
	}
	words := strings.Split(text, ",")
	if len(words) < 3 {
		return t, true, &refusal{fmt.Sprintf("bad struct tag protobuf:%q", text), legacyShape}
	}
	l := &Legacy{Wire: words[0]}
	t.Legacy = l
	if t.Value.Form, bad = legacyForm("protobuf", l.Wire); bad != nil {
		return t, true, bad
	}
	if t.Number, bad = parseNumber(words[1]); bad != nil {
		return t, true, bad
	}
	switch words[2] {
	case "opt", "req":
	case "rep":
		l.Repeated = true
	default:
		return t, true, &refusal{fmt.Sprintf("bad label %q in struct tag protobuf", words[2]), "use opt, req or rep"}
	}
	if slices.ContainsFunc(words[3:], func(w string) bool { return strings.HasPrefix(w, "customtype=") }) {
		return t, true, &refusal{"has gogo/protobuf's option customtype, whose methods are not called",
			"add a struct tag proto with option text or binary, if the message has the type's text or bytes"}
	}
	l.options(&t, words[3:])
	return t, true, l.entry(&t, tag)
}

// options reads the words after the label. Other words than these do not change the bytes of
// messages: name=, json=, weak=, and those of gogoproto as castkey=.
func (l *Legacy) options(t *Tag, words []string) {
	t.Packing, t.Optional = Unpacked, true
	for _, w := range words {
		switch {
		case w == "packed":
			t.Packing = Packed
		case w == "oneof":
			t.Inner = true
		case w == "wktptr":
			t.Value.Wrapper = true
		case w == "proto3":
			l.Proto3, t.Optional = true, false
		case strings.HasPrefix(w, "enum="):
			l.Enum = true
		case strings.HasPrefix(w, "def="):
			t.Value.Raw = !l.Proto3
			return // the rest is the text of a default value, which may contain commas
		}
	}
	t.Value.Raw = !l.Proto3
}

// entry reads the struct tags of a map's keys and values.
func (l *Legacy) entry(t *Tag, tag reflect.StructTag) (bad *refusal) {
	l.Key, _, _ = strings.Cut(tag.Get("protobuf_key"), ",")
	l.Val, _, _ = strings.Cut(tag.Get("protobuf_val"), ",")
	if l.Key == "" && l.Val == "" {
		return nil
	}
	t.Key.Raw, t.Val.Raw = t.Value.Raw, t.Value.Raw
	if t.Key.Form, bad = legacyForm("protobuf_key", l.Key); bad != nil {
		return bad
	}
	t.Val.Form, bad = legacyForm("protobuf_val", l.Val)
	return bad
}

func legacyForm(tag, word string) (Form, *refusal) {
	f, ok := legacyForms[word]
	if !ok {
		return 0, &refusal{fmt.Sprintf("bad wire type %q in struct tag %s", word, tag), legacyWires}
	}
	return f, nil
}
