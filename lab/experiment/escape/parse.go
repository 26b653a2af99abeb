package escape

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Site is a value that the compiler puts on the heap.
type Site struct {
	File  string // file name as the compiler printed it
	Line  int
	Col   int
	Func  string // (*Order).AppendJSON; "" if the compiler did not say
	What  string // the expression: &Item{...}, make([]byte, n), x
	Cause Cause
	Steps []string // how the value gets to the heap, in the compiler's words: return, assign …
	Flow  []string // the expressions of these steps
}

// Diagnostics of escape analysis begin with file:line:col; a path may have a drive letter. With
// -m=2 the compiler prints an explained diagnostic ("in F:") before the plain one. Below it,
// indented lines with the same position describe the flow.
var (
	position = regexp.MustCompile(`^((?:[A-Za-z]:)?[^:]+\.go):(\d+):(\d+): (.*)$`)
	escapes  = regexp.MustCompile(`^(.*) escapes to heap(?: in (.+?))?:?$`)
	moved    = regexp.MustCompile(`^moved to heap: (\S+)$`)
	step     = regexp.MustCompile(`^from (.*) \(([a-zA-Z][a-zA-Z -]*)\) at \S+$`)
)

// Parse reads what `go build -gcflags=-m=2` printed. It skips lines that it does not know, because
// every release of Go prints some of these. Each place is returned once, in the order of files,
// lines and columns.
func Parse(out string) []Site {
	sites := map[[3]string]*Site{} // by file, line, column
	var open *Site                 // the site to which the indented lines belong
	for line := range strings.Lines(out) {
		m := position.FindStringSubmatch(strings.TrimRight(line, "\r\n"))
		if m == nil {
			continue
		}
		text := m[4]
		if strings.HasPrefix(text, " ") {
			if x := step.FindStringSubmatch(strings.TrimSpace(text)); x != nil && open != nil {
				open.Flow, open.Steps = append(open.Flow, x[1]), append(open.Steps, x[2])
			}
			continue
		}
		open = nil
		found, cause := escapes.FindStringSubmatch(text), Cause("")
		if x := moved.FindStringSubmatch(text); x != nil {
			found, cause = append(x, ""), Moved // the compiler does not name the function
		}
		if found == nil {
			continue
		}
		key := [3]string{m[1], m[2], m[3]}
		s := sites[key]
		if s == nil {
			s = &Site{File: m[1], What: found[1]}
			s.Line, _ = strconv.Atoi(m[2]) // no error: the pattern matches digits only
			s.Col, _ = strconv.Atoi(m[3])
			sites[key] = s
		}
		s.Func, s.Cause = cmp.Or(s.Func, found[2]), cmp.Or(cause, s.Cause)
		if strings.HasSuffix(text, ":") {
			open = s
		}
	}
	list := make([]Site, 0, len(sites))
	for _, s := range sites {
		s.classify()
		list = append(list, *s)
	}
	slices.SortFunc(list, func(a, b Site) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Col, b.Col))
	})
	return list
}
