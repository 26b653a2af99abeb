package lab

import (
	"slices"
	"strings"

	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/lab/stats"
)

// dashed returns a warning for each list of fields that codecs write although json:"-" keeps them
// out of JSON. A program that moves from JSON to such a codec would send or store these fields.
// Codecs that write the same fields share a warning.
func dashed(r *run.Run) (warnings []string) {
	var lists stats.Shared
	for _, c := range r.Contenders {
		if c.Status == run.StatusMeasured && len(c.Dashed) > 0 {
			lists.Add(c.Name, fieldNames(r, c.Dashed))
		}
	}
	for _, g := range lists {
		slices.Sort(g.Who)
		verb := " write "
		if len(g.Who) == 1 {
			verb = " writes "
		}
		warnings = append(warnings, strings.Join(g.Who, ", ")+verb+g.What+`, which json:"-" keeps out of JSON`)
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
