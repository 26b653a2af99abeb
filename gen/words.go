package gen

import (
	"go/scanner"
	"go/token"
	"slices"

	"github.com/zmylab/zmy/gen/ir"
)

// words are the predeclared names that generated code uses.
var words = []string{
	"any", "append", "bool", "byte", "cap", "clear", "copy", "error", "false", "float32", "float64", "int", "int16", "int32", "int64",
	"int8", "len", "make", "new", "nil", "panic", "string", "true", "uint", "uint16", "uint32", "uint64", "uint8", "uintptr",
}

// A package may declare len or string itself, which would change the meaning of generated code. The
// generator refuses that only if the generated code uses the name: most such declarations do no
// harm.

// shadowed returns an error if src uses a predeclared name that the package redeclares.
func shadowed(k *ir.Package, src []byte) error {
	var ps ir.Problems
	used := map[string]bool{}
	for _, name := range k.Names {
		if !slices.Contains(words, name) {
			continue
		}
		if len(used) == 0 {
			used = identifiers(src)
		}
		if used[name] {
			ps = append(ps, ir.Problem{Msg: "package " + k.Path + " declares " + name + ", which generated code needs in Go's own meaning",
				Hint: "rename it"})
		}
	}
	return ps.Err()
}

// identifiers returns the identifiers in Go source, except those after a dot.
func identifiers(src []byte) map[string]bool {
	names := map[string]bool{}
	fset := token.NewFileSet()
	var s scanner.Scanner
	s.Init(fset.AddFile("", -1, len(src)), src, func(token.Position, string) {}, 0)
	last := token.ILLEGAL
	for {
		_, tok, lit := s.Scan()
		switch {
		case tok == token.EOF:
			return names
		case tok == token.IDENT && last != token.PERIOD:
			names[lit] = true
		}
		last = tok
	}
}
