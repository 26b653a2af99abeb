package java

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
)

// A source prints lines and indents them by their braces; templates have no indentation. It also
// breaks lines that are too long, since nothing formats the output afterwards.

// width is the column at which lines are broken.
const width = 100

// source is one Java file being written.
type source struct {
	pkg     string
	body    bytes.Buffer
	depth   int
	imports map[string]bool
	local   map[string]bool // classes of this package, whose names must not be imported
	holds   bool            // this is the class with all codecs, which uses its constants without a prefix
}

// class returns the name to use for a class of another package: "java.util.List" is List. It
// imports the class unless a class of this package has the short name; then it returns the full
// name.
func (f *source) class(name string) string {
	short := name[strings.LastIndex(name, ".")+1:]
	if f.local[short] {
		return name
	}
	f.imports[name] = true
	return short
}

// zmy and wire return the names to use for classes of the library.
func (f *source) zmy(name string) string  { return f.class(root + "." + name) }
func (f *source) wire(name string) string { return f.class(root + ".wire." + name) }

// nullable adds @Nullable to a type. The annotation comes before the brackets of an array, and
// after the package of a class that is written in full.
func (f *source) nullable(typ string) string {
	note := "@" + f.class("org.jspecify.annotations.Nullable") + " "
	if elem, ok := strings.CutSuffix(typ, "[]"); ok {
		return elem + " " + note + "[]"
	}
	name, _, _ := strings.Cut(typ, "<")
	at := strings.LastIndex(name, ".") + 1
	return typ[:at] + note + typ[at:]
}

// top begins a class of the file, with @NullMarked: its types are never null unless they are
// annotated.
func (f *source) top(format string, args ...any) {
	f.p("@%s", f.class("org.jspecify.annotations.NullMarked"))
	f.p(format, args...)
}

// p formats with fmt.Sprintf, if there are arguments, and prints lines. They are indented by the
// open braces. A line that is too long is broken at its arguments.
func (f *source) p(format string, args ...any) {
	text := format
	if len(args) > 0 {
		text = fmt.Sprintf(format, args...)
	}
	for line := range strings.SplitSeq(text, "\n") {
		f.line(line)
	}
}

func (f *source) line(s string) {
	if strings.HasPrefix(s, "}") {
		f.depth--
		if b := f.body.Bytes(); bytes.HasSuffix(b, []byte("\n\n")) {
			f.body.Truncate(len(b) - 1)
		}
	}
	f.wrap(strings.Repeat("  ", f.depth), s)
	if strings.HasSuffix(s, "{") {
		f.depth++
	}
}

// wrap prints one statement, on several lines if it is too long. It takes the first of these ways
// that applies: break after " = "; print one line; break a conditional at ? and :; break after the
// first bracket, with all arguments on one line, else with each on a line of its own.
func (f *source) wrap(indent, s string) {
	if s == "" {
		f.body.WriteByte('\n')
		return
	}
	open, end := brackets(s)
	if at := strings.Index(s, " = "); at >= 0 && at < open && len(indent)+len(s) > width && len(indent)+4+len(s)-at-3 <= width {
		head, more := s[:at+2], indent+"    "
		if len(indent)+len(head) > width {
			name := strings.LastIndexByte(s[:at], ' ')
			f.body.WriteString(indent + s[:name] + "\n")
			indent, head, more = more, s[name+1:at+2], more+"    "
		}
		f.body.WriteString(indent + head + "\n" + more + s[at+3:] + "\n")
		return
	}
	if len(indent)+len(s) <= width || open < 0 || strings.HasPrefix(s, "//") || strings.HasPrefix(s, "*") {
		f.body.WriteString(indent + s + "\n")
		return
	}
	more := indent + "    "
	if at := strings.Index(s, " = "); at >= 0 && at < open && strings.Contains(s[at:], " ? ") {
		cond, rest, _ := strings.Cut(s[at+3:], " ? ")
		yes, no, _ := strings.Cut(rest, " : ")
		f.body.WriteString(indent + s[:at+2] + "\n" + more + cond + "\n" + more + "    ? " + yes + "\n" + more + "    : " + no + "\n")
		return
	}
	f.body.WriteString(indent + s[:open+1] + "\n")
	inner, rest := s[open+1:end], s[end:]
	if len(more)+len(inner)+len(rest) <= width {
		f.body.WriteString(more + inner + rest + "\n")
		return
	}
	args := arguments(inner)
	if terms := strings.Split(inner, " || "); len(args) == 1 && len(terms) > 1 {
		f.body.WriteString(more + strings.Join(terms, "\n"+more+"    || ") + rest + "\n")
		return
	}
	for i, a := range args {
		if i < len(args)-1 {
			f.wrap(more, a+",")
		} else {
			f.wrap(more, a+rest)
		}
	}
}

// brackets returns the position of the first brackets of a statement that contain something, or -1.
func brackets(s string) (open, end int) {
	for open = strings.IndexAny(s, "({"); open >= 0; {
		if end = matching(s, open); end > open+1 {
			return open, end
		}
		next := strings.IndexAny(s[open+1:], "({")
		if next < 0 {
			break
		}
		open += 1 + next
	}
	return -1, -1
}

// matching returns the position of the bracket that closes the one at open.
func matching(s string, open int) int {
	depth, quoted := 0, false
	for i := open; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\' && quoted:
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '(' || c == '{':
			depth++
		case c == ')' || c == '}':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// arguments splits at the commas that are not inside brackets.
func arguments(s string) (out []string) {
	depth, start, quoted := 0, 0, false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\' && quoted:
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case strings.IndexByte("({<", c) >= 0:
			depth++
		case strings.IndexByte(")}>", c) >= 0 && (i == 0 || s[i-1] != '-'):
			depth--
		case c == ',' && depth == 0:
			out = append(out, strings.TrimSpace(s[start:i]))
			start = i + 1
		}
	}
	return append(out, strings.TrimSpace(s[start:]))
}

// doc prints the comment of a declaration, with tags such as "@param id the ID" after the text.
func (f *source) doc(text string, tags ...string) {
	indent := strings.Repeat("  ", f.depth)
	paragraphs := split(text)
	if len(paragraphs) == 1 && len(tags) == 0 && len(indent)+len(paragraphs[0])+7 <= width {
		f.body.WriteString(indent + "/** " + paragraphs[0] + " */\n")
		return
	}
	f.body.WriteString(indent + "/**\n")
	for i, p := range paragraphs {
		if i > 0 {
			f.body.WriteString(indent + " *\n")
			p = "<p>" + p
		}
		f.fill(indent+" * ", indent+" * ", p)
	}
	if len(paragraphs) > 0 && len(tags) > 0 {
		f.body.WriteString(indent + " *\n")
	}
	for _, t := range tags {
		f.fill(indent+" * ", indent+" *     ", t)
	}
	f.body.WriteString(indent + " */\n")
}

// fill prints text, broken into lines.
func (f *source) fill(first, next, text string) {
	line := first
	for i, w := range strings.Fields(text) {
		if i > 0 && len(line)+1+len(w) > width {
			f.body.WriteString(line + "\n")
			line = next + w
			continue
		}
		if i > 0 {
			line += " "
		}
		line += w
	}
	f.body.WriteString(line + "\n")
}

// split splits a comment into paragraphs.
func split(text string) (out []string) {
	for p := range strings.SplitSeq(strings.TrimSpace(text), "\n\n") {
		if p = strings.Join(strings.Fields(p), " "); p != "" {
			out = append(out, p)
		}
	}
	return out
}

var escapes = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "@", "&#64;", "*/", "*&#47;", "\\u", "&#92;u", "{",
	"&#123;", "}", "&#125;")

// plain escapes text for a comment of Java.
func plain(text string) string { return escapes.Replace(text) }

// bytes returns the content of the file.
func (f *source) bytes(by string) []byte {
	var out bytes.Buffer
	fmt.Fprintf(&out, "// Code generated by %s. DO NOT EDIT.\n\npackage %s;\n\n", by, f.pkg)
	var names []string
	for name := range f.imports {
		if name[:strings.LastIndex(name, ".")] != f.pkg && !strings.HasPrefix(name, "java.lang.") {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		fmt.Fprintf(&out, "import %s;\n", name)
	}
	if len(names) > 0 {
		out.WriteByte('\n')
	}
	out.Write(f.body.Bytes())
	return out.Bytes()
}
