package lab

import (
	"slices"
	"strings"

	"github.com/zmylab/zmy/lab/run"
)

// dashed returns a warning for each list of fields that codecs write although json:"-" keeps them
// out of JSON. A program that moves from JSON to such a codec would send or store these fields.
// Codecs with the same fields share a warning.
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

// fieldNames lists fields as the subject's package spells them, separated by commas.
func fieldNames(r *run.Run, fields []string) string {
	var out []string
	for _, f := range fields {
		f = strings.TrimPrefix(f, r.Subject.Package+".")
		out = append(out, f[strings.LastIndexByte(f, '/')+1:])
	}
	return strings.Join(out, ", ")
}
