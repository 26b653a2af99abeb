package lab

import (
	"slices"
	"strings"

	"github.com/zmylab/zmy/lab/run"
)

// dashed warns of the codecs whose messages have fields that json:"-" keeps out of JSON: whoever
// leaves JSON for one of them sends or stores these. Codecs with the same fields share a warning.
func dashed(r *run.Run) (warnings []string) {
	var lists []string
	codecs := map[string][]string{}
	for _, c := range r.Contenders {
		if c.Status != run.StatusMeasured || len(c.Dashed) == 0 {
			continue
		}
		list := fieldNames(r, c.Dashed)
		if codecs[list] == nil {
			lists = append(lists, list)
		}
		codecs[list] = append(codecs[list], c.Name)
	}
	for _, list := range lists {
		names := codecs[list]
		slices.Sort(names)
		verb := " write "
		if len(names) == 1 {
			verb = " writes "
		}
		warnings = append(warnings, strings.Join(names, ", ")+verb+list+`, which json:"-" keeps out of JSON`)
	}
	return warnings
}

// fieldNames lists fields as a reader of the subject's package calls them.
func fieldNames(r *run.Run, fields []string) string {
	var out []string
	for _, f := range fields {
		f = strings.TrimPrefix(f, r.Subject.Package+".")
		out = append(out, f[strings.LastIndexByte(f, '/')+1:])
	}
	return strings.Join(out, ", ")
}
