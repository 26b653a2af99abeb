package java

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/zmylab/zmy/gen/ir"
)

// words splits a Go name: UserID becomes user, id; HTTPServer becomes http, server.
func words(name string) []string {
	return strings.FieldsFunc(ir.Snake(name), func(r rune) bool { return r == '_' })
}

// camel returns a name in the form userId.
func camel(name string) string {
	s := ""
	for i, w := range words(name) {
		if i > 0 {
			w = ir.Title(w)
		}
		s += w
	}
	if r, _ := utf8.DecodeRuneInString(s); s == "" || unicode.IsDigit(r) {
		s = "field" + s
	}
	return s
}

// constant returns a name in the form USER_ID.
func constant(name string) string { return strings.ToUpper(strings.Join(words(name), "_")) }

// keywords are the keywords of Java, and names that components of records must not have: see the
// Java Language Specification, sections 3.9 and 8.10.1.
var keywords = set(`abstract assert boolean break byte case catch char class const continue default do double else enum
extends false final finally float for goto if implements import instanceof int interface long native new null package
private protected public record return sealed short static strictfp super switch synchronized this throw throws
transient true try var void volatile while yield permits
clone finalize getClass hashCode notify notifyAll toString wait equals builder toBuilder`)

func set(text string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(text) {
		out[w] = true
	}
	return out
}

// scope is the set of names that are taken.
type scope map[string]bool

func (s scope) fresh(want string) string {
	name := want
	// A variable of that name would hide the package in a class name that is written in full.
	for s[name] || keywords[name] || name == "io" || name == "java" {
		name += "_"
	}
	s[name] = true
	return name
}

// spelling makes names of types: Item, StringToItem.
var spelling = ir.Spelling{
	Base:  func(t *ir.Type) string { return ir.Title(strings.Trim(t.Said(), "[].")) },
	Bytes: "Bytes", Slice: "{}List", Array: "{}Array", Map: "{key}To{}", Pointer: "{}OrNull",
}
