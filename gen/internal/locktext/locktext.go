// Package locktext reads and writes the lines of zmy.lock, zmy.json.lock and zmy.proto.lock, files that
// git merges line by line. A file has comments, a line that names its version, and paragraphs: a head, and
// members that are indented below it. Words are separated by spaces, and may be quoted.
package locktext

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/zmylab/zmy/gen/ir"
)

// A Format is one kind of such files.
type Format struct {
	Name    string // of the file: zmy.lock
	Version string // the first line that is no comment: zmylock 1
	Write   string // the command that writes the file: zmy lock
	Merge   string // what to heed in a merge conflict, after "keep the lines of both sides"
}

// Read calls head and member with the position and the words of each line. Errors, and those that
// the functions return, are ir.Problems at the line. Positions have the file's name without a
// folder.
func (f Format) Read(text []byte, head, member func(at ir.Pos, words []string) error) error {
	begun := false
	one := func(at ir.Pos, line string) error {
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
			return nil
		case strings.HasPrefix(line, "<<<<<<<"), strings.HasPrefix(line, "======="), strings.HasPrefix(line, ">>>>>>>"):
			return fmt.Errorf("a merge conflict; keep the lines of both sides%s", f.Merge)
		case !begun:
			if line != f.Version {
				return fmt.Errorf("it begins with %.40q, not %q: this zmy cannot read it", line, f.Version)
			}
			begun = true
			return nil
		}
		words, err := split(line)
		switch {
		case err != nil:
			return err
		case line[0] == '\t' || line[0] == ' ':
			at.Col = 2
			return member(at, words)
		}
		at.Col = 1
		return head(at, words)
	}
	for i, line := range strings.Split(string(text), "\n") {
		at := ir.Pos{File: f.Name, Line: i + 1}
		if err := one(at, strings.TrimRight(line, " \t\r")); err != nil {
			return Broken(at, "%v", err)
		}
	}
	if !begun {
		return Broken(ir.Pos{File: f.Name}, "it has no line %q; if it is none, remove it and run %s", f.Version, f.Write)
	}
	return nil
}

// Broken returns an ir.Problems.
func Broken(at ir.Pos, format string, args ...any) error {
	return ir.Problems{{Pos: at, Msg: fmt.Sprintf(format, args...)}}
}

// split splits a line into words. A word, or what is behind the = of one, may be quoted.
func split(line string) (words []string, err error) {
	for line = strings.TrimLeft(line, " \t"); line != ""; line = strings.TrimLeft(line, " \t") {
		end := strings.IndexAny(line, " \t\"")
		if end < 0 {
			end = len(line)
		}
		word := line[:end]
		line = line[end:]
		if strings.HasPrefix(line, `"`) {
			q, err := strconv.QuotedPrefix(line)
			if err != nil {
				return nil, fmt.Errorf("a quotation mark is missing")
			}
			line = line[len(q):]
			text, _ := strconv.Unquote(q) // QuotedPrefix has accepted it
			word += text
		}
		words = append(words, word)
	}
	return words, nil
}

// Quote returns s as it is if it is read back as one word, and else in quotation marks.
func Quote(s string) string {
	if s == "" || strings.ContainsAny(s, " \t\"\\") || strconv.Quote(s) != `"`+s+`"` {
		return strconv.Quote(s)
	}
	return s
}
