package describe

import (
	"strconv"
	"strings"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/schema"
)

// Limits are those that the directive //zmy:limits MaxWire=1048576 of a struct
// names: what the options of its writers say, for others to know.
func Limits(t *ir.Type) (l schema.Limits) {
	for _, word := range Directive(t, "zmy:limits ") {
		name, value, _ := strings.Cut(word, "=")
		n, err := strconv.ParseUint(value, 10, 32)
		switch limit := uint32(n); {
		case err != nil: // which check.ZMY refuses
		case name == "MaxWire":
			l.MaxWire = limit
		case name == "MaxRaw":
			l.MaxRaw = limit
		case name == "MaxDepth":
			l.MaxDepth = limit
		}
	}
	return l
}

// Directive returns the words behind a directive of a type.
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
