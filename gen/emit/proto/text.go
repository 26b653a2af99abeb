package proto

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/zmylab/zmy/gen/ir"
)

// Text returns the schema as .proto text. Equal Files give equal bytes.
func (f *File) Text() []byte {
	var w bytes.Buffer
	if f.Source != "" {
		fmt.Fprintf(&w, "// Schema of Go types of %s.\n// Field numbers follow the order of declaration.\n", f.Source)
	}
	fmt.Fprintf(&w, "syntax = \"proto3\";\n\npackage %s;\n", f.Package)
	if f.GoPackage != "" {
		fmt.Fprintf(&w, "\noption go_package = %q;\n", f.GoPackage)
	}
	for _, m := range f.Messages {
		w.WriteByte('\n')
		m.text(&w)
	}
	return w.Bytes()
}

func (m *Message) text(w *bytes.Buffer) {
	if m.Kind == Support {
		w.WriteString(supportText[m.Name])
		return
	}
	comment(w, "", m.Doc)
	if len(m.Fields) == 0 {
		fmt.Fprintf(w, "message %s {}\n", m.Name)
		return
	}
	fmt.Fprintf(w, "message %s {\n", m.Name)
	for _, f := range m.Fields {
		comment(w, "  ", f.Doc)
		fmt.Fprintf(w, "  %s %s = %d;%s\n", f.TypeText(), f.Name, f.Number, f.unit())
	}
	w.WriteString("}\n")
}

// TypeText returns the field's type with its label: "repeated Item".
func (f *Field) TypeText() string {
	switch f.Card {
	case Optional:
		return "optional " + f.Value.text()
	case Repeated:
		return "repeated " + f.Value.text()
	case Map:
		return fmt.Sprintf("map<%s, %s>", f.Key.text(), f.Value.text())
	}
	return f.Value.text()
}

// unit returns a comment with the unit of the value, which the proto3 type does not express.
func (f *Field) unit() string {
	if f.Value.Type.Kind == ir.Duration {
		return " // nanoseconds"
	}
	return ""
}

func (v Value) text() string {
	if v.Message != nil {
		return v.Message.Name
	}
	return string(v.Scalar)
}

func comment(w *bytes.Buffer, indent, doc string) {
	doc = strings.TrimSpace(doc)
	if doc == "" {
		return
	}
	for line := range strings.SplitSeq(doc, "\n") {
		w.WriteString(strings.TrimRight(indent+"// "+strings.TrimSpace(line), " ") + "\n")
	}
}
