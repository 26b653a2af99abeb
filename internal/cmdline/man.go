package cmdline

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/zmylab/zmy/internal/buildinfo"
)

// home is where a manual page says that there is more to read.
const home = "https://github.com/zmylab/zmy"

// Man writes the manual page of the program, in the macros of man(7). Its date is that of the commit.
func (p *Program) Man(w *bytes.Buffer, build buildinfo.Info) {
	m := &manual{w}
	date, _, _ := strings.Cut(build.Date, "T")
	fmt.Fprintf(m, ".TH %s 1 %q \"%s %s\"\n", escape(strings.ToUpper(p.Name)), date, escape(p.Name), escape(build.Version()))
	m.macro("nh") // names in the text are not hyphenated
	m.macro("SH", "NAME")
	m.line(escape(p.Name) + ` \- ` + escape(p.Short))
	m.macro("SH", "SYNOPSIS")
	if p.alone() {
		d := p.Commands[0].declare()
		m.usage(d)
		m.macro("SH", "DESCRIPTION")
		m.help(d)
	} else {
		m.line(`\fB` + escape(p.Name) + `\fR \fIcommand\fR [\fIarguments\fR]`)
		m.macro("SH", "COMMANDS")
		for _, c := range p.Commands {
			d := c.declare()
			if d.Len() == 0 {
				continue
			}
			m.macro("SS", p.Name+" "+c.Name)
			m.usage(d)
			m.help(d)
		}
	}
	m.macro("SH", "SEE ALSO")
	m.line(home)
}

// alone reports whether the program has no subcommands.
func (p *Program) alone() bool { return len(p.Commands) == 1 && p.Commands[0].Name == "" }

// manual is the text of a page.
type manual struct{ *bytes.Buffer }

func (m *manual) line(s string) {
	if strings.HasPrefix(s, ".") || strings.HasPrefix(s, "'") {
		s = `\&` + s
	}
	m.WriteString(s + "\n")
}

// text writes words that are filled. The lines of a page have at most 80 bytes.
func (m *manual) text(s string) {
	line := ""
	for word := range strings.FieldsSeq(escape(s)) {
		if line != "" && len(line)+1+len(word) > 80 {
			m.line(line)
			line = ""
		}
		line = strings.TrimSpace(line + " " + word)
	}
	m.line(line)
}

// macro writes a request with its arguments.
func (m *manual) macro(name string, args ...string) {
	m.WriteString("." + name)
	for _, a := range args {
		fmt.Fprintf(m, ` "%s"`, strings.ReplaceAll(escape(a), `"`, `\(dq`))
	}
	m.WriteString("\n")
}

// usage writes the forms of the command.
func (m *manual) usage(d *declaration) {
	for b := range blocks(d.String()) {
		if b.usage != nil {
			m.verbatim(b.usage)
		}
	}
}

// help writes the help of a command, without its forms.
func (m *manual) help(d *declaration) {
	for b := range blocks(d.String()) {
		switch {
		case b.paragraph != "":
			m.macro("PP")
			m.text(b.paragraph)
		case b.example != nil:
			m.macro("PP")
			m.verbatim(b.example)
		}
		for _, o := range b.options {
			m.macro("TP")
			takes := ""
			if o.takes != "" {
				takes = ` \fI` + escape(o.takes) + `\fR`
			}
			m.line(`\fB\-` + escape(o.name) + `\fR` + takes)
			m.text(strings.Join(o.about, " "))
		}
	}
}

// verbatim writes lines that are not filled.
func (m *manual) verbatim(lines []string) {
	m.macro("nf")
	for _, s := range lines {
		m.line(escape(strings.ReplaceAll(s, "\t", "    ")))
	}
	m.macro("fi")
}

// escaped replaces characters that roff would not print as they are.
var escaped = strings.NewReplacer(`\`, `\e`, "-", `\-`, "`", `\(ga`, "'", `\(aq`, "^", `\(ha`, "~", `\(ti`)

func escape(s string) string { return escaped.Replace(s) }
