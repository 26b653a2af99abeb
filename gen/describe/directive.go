package describe

import (
	"strings"

	"github.com/zmylab/zmy/gen/ir"
)

// Directive looks for directives of a type that begin with name, such as "zmy:sentinel ", and
// returns the words that follow name in all of them.
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
