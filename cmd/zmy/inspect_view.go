package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/term"

	"github.com/zmylab/zmy"
	"github.com/zmylab/zmy/lab/quantity"
	"github.com/zmylab/zmy/schema/dissect"
	"github.com/zmylab/zmy/wire"
)

// style colours output to a terminal.
type style struct{ on bool }

func styleOf(w io.Writer) style {
	f, ok := w.(*os.File)
	return style{ok && term.IsTerminal(int(f.Fd())) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"}
}

// Colours, as parameters of ANSI escape sequences.
const (
	dim  = "2"
	bold = "1"
	red  = "1;31"
	cyan = "36"
)

func (s style) in(colour, text string) string {
	if !s.on || text == "" {
		return text
	}
	return "\x1b[" + colour + "m" + text + "\x1b[0m"
}

// visible escapes control characters, and characters that hide others. Names in a schema that comes
// with a message were chosen by its writer and must not control the terminal.
func visible(s string) string {
	hidden := func(r rune) bool { return !unicode.IsPrint(r) && r != '\n' }
	if !strings.ContainsFunc(s, hidden) {
		return s
	}
	var out strings.Builder
	for _, r := range s {
		if hidden(r) {
			q := strconv.QuoteRune(r)
			out.WriteString(q[1 : len(q)-1])
		} else {
			out.WriteRune(r)
		}
	}
	return out.String()
}

// visibly returns err with a text that cannot control the terminal.
func visibly(err error) error {
	if err == nil || errors.Is(err, errSaid) {
		return err
	}
	return &exit{errors.New(visible(err.Error())), codeOf(err)}
}

// fault is the error in a message.
type fault struct {
	offset int // offset of the error; -1 if there is none
	at     int // offset of the byte to mark
	code   string
	text   string
	marked bool
}

func faultOf(err error) *fault {
	var d *zmy.DecodeError
	if !errors.As(err, &d) {
		return &fault{offset: -1}
	}
	f := &fault{offset: d.Offset, text: d.Err.Error()}
	var code wire.Code
	if errors.As(err, &code) {
		f.code = code.Name()
	}
	if f.at = f.offset; code == wire.ErrTruncated && f.at > 0 {
		f.at-- // a truncated message ends at offset, so mark the last byte
	}
	return f
}

// in reports whether p is the first part that has the byte to mark.
func (f *fault) in(p dissect.Part) bool {
	if f.offset < 0 || f.marked || p.Role == dissect.Group || f.at < p.Offset || f.at >= p.Offset+p.Len {
		return false
	}
	f.marked = true
	return true
}

const (
	rowBytes = 8 // bytes in a line
	rowsMax  = 4 // lines for a value
)

// hexLines writes a part as lines of offset, bytes, field and meaning.
func (v *viewer) hexLines(p dissect.Part, b []byte, f *fault) {
	wrong := f.in(p)
	line := v.label(p)
	if wrong {
		line += v.in(red, "  ◀ "+f.code+": "+f.text)
	}
	if p.Role == dissect.Group || p.Len == 0 {
		v.hexLine("", "", line)
		return
	}
	rows := (p.Len + rowBytes - 1) / rowBytes
	limit := rowsMax
	if p.Role == dissect.Elided {
		limit = 1
	}
	if v.f.all {
		limit = rows
	}
	colour := ""
	if wrong || p.Role == dissect.Damaged {
		colour = red
	}
	for i := range min(rows, limit) {
		from := p.Offset + i*rowBytes
		to := min(from+rowBytes, p.Offset+p.Len)
		row := fmt.Sprintf("% x", b[from:to])
		if cut := i == limit-1 && rows > limit; cut {
			row += " …"
			if i > 0 {
				line = v.in(dim, fmt.Sprintf("%s more (-all shows all)", bytesOf(p.Len-limit*rowBytes)))
			}
		}
		v.hexLine(fmt.Sprintf("%06x", from), row, line, colour)
		line = ""
	}
}

func (v *viewer) hexLine(offset, bytes, line string, colour ...string) {
	pad := strings.Repeat(" ", max(3*rowBytes+2-len([]rune(bytes)), 0))
	if len(colour) > 0 && colour[0] != "" {
		bytes = v.in(colour[0], bytes)
	}
	text := fmt.Sprintf("%s  %s%s%s", v.in(dim, fmt.Sprintf("%6s", offset)), bytes, pad, line)
	fmt.Fprintln(v.w, strings.TrimRight(text, " "))
}

// label returns the field to which a part belongs, and the part's meaning.
func (v *viewer) label(p dissect.Part) string {
	indent := strings.Repeat("  ", p.Depth)
	guess := ""
	if p.Guess {
		guess = v.in(dim, "guess ")
	}
	path := cmp.Or(p.Path, "message")
	switch p.Role {
	case dissect.Group:
		text := v.in(bold, path) + " " + guess + v.in(cyan, p.Type)
		return indent + strings.TrimRight(text, " ") + comma(p.Text, bytesOf(p.Len))
	case dissect.Scalar, dissect.Value:
		return indent + path + " " + guess + v.in(cyan, p.Type) + space(p.Type) + p.Text
	case dissect.Damaged, dissect.Unknown:
		return indent + path + " " + v.in(red, p.Role.String()) + ": " + p.Text
	case dissect.Elided:
		return indent + path + " " + v.in(dim, "… "+p.Text+" not shown (-all shows them)")
	}
	return indent + v.in(dim, p.Role.String()+": "+p.Text)
}

func space(s string) string {
	if s == "" {
		return ""
	}
	return " = "
}

func comma(parts ...string) string {
	out := ""
	for _, p := range parts {
		if p != "" {
			out += ", " + p
		}
	}
	return out
}

// treeLine writes a part as a line of the tree. It skips parts that are only structure, such as
// headers and ends.
func (v *viewer) treeLine(p dissect.Part, f *fault) {
	wrong := f.in(p)
	switch {
	case wrong:
	case p.Role == dissect.Header, p.Role == dissect.End, p.Role == dissect.Bitmap, p.Role == dissect.Value && p.Type == "key",
		p.Role == dissect.Tag && !strings.HasPrefix(p.Text, "arm"), p.Role == dissect.Elided && strings.Contains(p.Text, "word"):
		return
	}
	name := p.Path
	if i := strings.LastIndexAny(name, ".["); i >= 0 && p.Depth > 0 {
		if name = name[i:]; name[0] == '.' {
			name = name[1:]
		}
	}
	where := v.in(dim, fmt.Sprintf("  @%d+%d", p.Offset, p.Len))
	line := strings.Repeat("  ", p.Depth)
	guess := ""
	if p.Guess {
		guess = v.in(dim, "guess ")
	}
	switch p.Role {
	case dissect.Group:
		line += v.in(bold, cmp.Or(name, "message")) + " " + guess + v.in(cyan, p.Type) + comma(p.Text)
	case dissect.Scalar, dissect.Value:
		line += name + " " + guess + v.in(cyan, p.Type) + space(p.Type) + p.Text
	case dissect.Elided:
		line += v.in(dim, "… "+p.Text+" not shown (-all shows them)")
	case dissect.Tag:
		line += "  " + p.Text
	default:
		line += cmp.Or(name, "message") + " " + v.in(red, p.Role.String()) + ": " + p.Text
	}
	if wrong {
		line += v.in(red, "  ◀ "+f.code+": "+f.text)
	}
	fmt.Fprintln(v.w, strings.TrimRight(line, " ")+where)
}

// bytesOf returns a size with its unit. Below 10,000 bytes it is exact.
func bytesOf(n int) string {
	switch {
	case n == 1:
		return "1 byte"
	case n < 10_000:
		return fmt.Sprintf("%d bytes", n)
	}
	return quantity.Bytes(float64(n))
}
