package check

import (
	"slices"
	"strconv"
	"strings"

	"github.com/zmylab/zmy/gen/ir"
)

// limitWords are the options that a directive //zmy:limits may name.
var limitWords = []string{"MaxWire", "MaxRaw", "MaxDepth"}

// limits holds a directive //zmy:limits to its form. It says under which options
// the messages of a struct are written, for zmy.lock and for readers of schemas.
func (c *zmyCheck) limits(args string, pos ir.Pos, path string) {
	for word := range strings.FieldsSeq(args) {
		name, value, _ := strings.Cut(word, "=")
		n, err := strconv.ParseUint(value, 10, 31)
		if err != nil || n == 0 || !slices.Contains(limitWords, name) {
			c.problem(pos, path, "write it as in //zmy:limits MaxWire=1048576; there are also MaxRaw and MaxDepth", "bad word %q in directive //zmy:limits", word)
		}
	}
}
