package describe

import (
	"strings"

	"github.com/zmylab/zmy/gen/ir"
)

// Directive returns the words behind the prefix name in the directives of a type.
func Directive(t *ir.Type, name string) (words []string) {
	if t.Name == nil {
		return nil
	}
	for _, d := range t.Name.Dirs {
		if args, ok := strings.CutPrefix(d, name); ok {
			words = append(words, strings.Fields(args)...)
		}
	}
	return words
}
