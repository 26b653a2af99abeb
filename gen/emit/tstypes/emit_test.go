package tstypes

import (
	"strings"
	"testing"

	"github.com/zmylab/zmy/gen/ir"
)

// TestQuotedEnum: a string of an enumeration with option string is a literal that TypeScript reads,
// also if it has characters for which Go's escapes differ.
func TestQuotedEnum(t *testing.T) {
	tag := &ir.JSONType{Type: &ir.Type{Kind: ir.String}, Name: "Tag", Form: &ir.JSONForm{Kind: ir.FormString},
		Values: []ir.JSONValue{{Text: `"a*/\u0007"`}, {Text: "\"\U000e0001\""}}}
	form := &ir.JSONForm{Kind: ir.FormRef, Type: tag, Quoted: true}
	got := (&emitter{record: true}).form(form, false)
	if want := `"\"a*/\\u0007\"" | "\"` + "\U000e0001" + `\""`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if strings.Contains(got, `\U`) {
		t.Errorf("%s has an escape that TypeScript has not", got)
	}
}
