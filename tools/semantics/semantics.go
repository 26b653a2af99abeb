// Package semantics finds out where JSON libraries differ from encoding/json. Its test runs each
// library, in the configuration that is closest, on the cases of testdata, and compares the results
// with the table in docs/guide/fxjson.md:
//
//	go test ./tools/semantics -update
package semantics

import (
	"fmt"
	"strings"
)

// Libraries are the columns of the table. The first is the model.
var Libraries = []string{"encoding/json", "fxjson", "goccy", "sonic", "jsoniter", "easyjson"}

// Table formats the results of each library, in the order of names, as a Markdown table. A cell is
// empty if the library does what the model does.
func Table(names []string, results map[string][]string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "| case | %s |\n|---|%s\n", strings.Join(Libraries, " | "), strings.Repeat("---|", len(Libraries)))
	same := map[string]int{}
	for i, name := range names {
		want := results[Libraries[0]][i]
		fmt.Fprintf(&b, "| %s | %s |", name, cell(want))
		for _, l := range Libraries[1:] {
			if got := results[l][i]; got == want {
				same[l]++
				b.WriteString(" |")
			} else {
				fmt.Fprintf(&b, " %s |", cell(got))
			}
		}
		b.WriteByte('\n')
	}
	fmt.Fprintf(&b, "| **the same** | %d |", len(names))
	for _, l := range Libraries[1:] {
		fmt.Fprintf(&b, " **%d** |", same[l])
	}
	b.WriteByte('\n')
	return b.String()
}

// cell formats a result for the table: certain words unchanged, all else as code.
func cell(s string) string {
	switch s {
	case "error", "accepted", "panic", "the program dies", "does not compile", "any order":
		return s
	}
	if len(s) > 60 {
		s = s[:60] + "…"
	}
	s = strings.Trim(fmt.Sprintf("%+q", s), `"`)
	s = strings.ReplaceAll(s, `\"`, `"`)
	s = strings.ReplaceAll(s, `\\`, `\`)
	return "`" + strings.ReplaceAll(s, "|", `\|`) + "`"
}
