package adopt

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/diff"
)

// Patch returns the changes as a patch for git apply and patch -p1. Paths are relative to the module's
// folder.
func Patch(changes []Change) []byte {
	var b bytes.Buffer
	for _, c := range changes {
		b.Write(c.Patch())
	}
	return b.Bytes()
}

// Patch returns the part of a patch that changes one file.
func (c Change) Patch() []byte {
	var b bytes.Buffer
	old, now := "a/"+c.Path, "b/"+c.Path
	mode := 0o644 // a patch knows two modes
	if c.Mode&0o111 != 0 {
		mode = 0o755
	}
	fmt.Fprintf(&b, "diff --git %s %s\n", old, now)
	switch {
	case c.Before == nil:
		fmt.Fprintf(&b, "new file mode 100%03o\n", mode)
		old = "/dev/null"
	case c.After == nil:
		fmt.Fprintf(&b, "deleted file mode 100%03o\n", mode)
		now = "/dev/null"
	}
	if strings.Contains(c.Path, " ") { // a tab ends a name with spaces
		if c.Before != nil {
			old += "\t"
		}
		if c.After != nil {
			now += "\t"
		}
	}
	text := diff.Diff(old, c.Before, now, c.After)
	if _, rest, ok := bytes.Cut(text, []byte("\n")); ok { // after the line "diff old new"
		b.Write(rest)
	}
	return b.Bytes()
}

// Lines returns how many lines the change adds and removes.
func (c Change) Lines() (added, removed int) {
	begun := false
	for line := range strings.Lines(string(c.Patch())) {
		begun = begun || strings.HasPrefix(line, "@@")
		if !begun {
			continue
		}
		switch line[0] {
		case '+':
			added++
		case '-':
			removed++
		}
	}
	return added, removed
}

// made reports whether a file is one that nobody reads line by line.
func made(path string, text []byte) bool {
	return strings.HasPrefix(path, "vendor/") || strings.Contains("/"+path, "/vendor/") || golden(path) ||
		strings.HasSuffix(path, "go.sum") || bytes.HasPrefix(text, []byte("// Code generated "))
}

// golden reports whether a file has documents of a test.
func golden(path string) bool {
	for _, t := range targets {
		if t.golden != "" && strings.Contains("/"+path, "/"+t.golden+"/") {
			return true
		}
	}
	return false
}

// Read returns the changes that a reviewer reads, and those that are made by programs.
func (r *Result) Read() (read, madeBy []Change) {
	for _, c := range r.Changes {
		if c.Made {
			madeBy = append(madeBy, c)
		} else {
			read = append(read, c)
		}
	}
	return read, madeBy
}

// ByPath returns the change of a file, nil if it does not change.
func (r *Result) ByPath(path string) *Change {
	if i := slices.IndexFunc(r.Changes, func(c Change) bool { return c.Path == path }); i >= 0 {
		return &r.Changes[i]
	}
	return nil
}
