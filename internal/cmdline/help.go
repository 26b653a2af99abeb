package cmdline

import (
	"iter"
	"strings"
)

// block is a part of a help text. One of its fields is set.
type block struct {
	usage     []string // the forms of the command
	paragraph string
	options   []option
	example   []string // lines that stay as they are, with their indentation
}

// blocks returns the parts of a help text.
func blocks(text string) iter.Seq[block] {
	return func(yield func(block) bool) {
		lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
		for i := 0; i < len(lines); {
			b, n := next(lines[i:])
			if i += n; (b.usage != nil || b.paragraph != "" || b.options != nil || b.example != nil) && !yield(b) {
				return
			}
		}
	}
}

// next returns the block at the beginning of lines and how many lines it has.
func next(lines []string) (b block, n int) {
	first, usage := strings.CutPrefix(lines[0], "usage: ")
	switch {
	case usage:
		b.usage = append(b.usage, first)
		for n = 1; n < len(lines) && strings.HasPrefix(lines[n], "   "); n++ {
			b.usage = append(b.usage, strings.TrimPrefix(lines[n], "       "))
		}
	case lines[0] == "":
		n = 1
	case !indented(lines[0]):
		for ; n < len(lines) && lines[n] != "" && !indented(lines[n]); n++ {
			b.paragraph = strings.TrimSpace(b.paragraph + " " + strings.TrimSpace(lines[n]))
		}
	default:
		if _, ok := parseOption(lines[0]); ok {
			b.options, n = nextOptions(lines)
			return b, n
		}
		for ; n < len(lines) && indented(lines[n]); n++ {
			if _, ok := parseOption(lines[n]); ok {
				break
			}
			b.example = append(b.example, lines[n])
		}
	}
	return b, n
}

// nextOptions returns the flags at the beginning of lines, and how many lines they have.
func nextOptions(lines []string) (all []option, n int) {
	for ; n < len(lines) && indented(lines[n]); n++ {
		o, ok := parseOption(lines[n])
		switch last := len(all) - 1; {
		case ok:
			all = append(all, o)
		case strings.HasPrefix(lines[n], "   "):
			all[last].about = append(all[last].about, strings.TrimSpace(lines[n]))
		default:
			return all, n
		}
	}
	return all, n
}

func indented(line string) bool { return line != "" && (line[0] == ' ' || line[0] == '\t') }

// summary returns what the command does: the beginning of the first sentence after the usage.
func summary(text string) string {
	for b := range blocks(text) {
		if b.paragraph != "" {
			s, _, _ := strings.Cut(b.paragraph, ". ")
			s, _, _ = strings.Cut(s, ": ")
			return strings.TrimSuffix(s, ".")
		}
	}
	return ""
}
