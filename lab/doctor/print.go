package doctor

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

// JSON writes the findings as an array of objects.
func JSON(w io.Writer, all []Finding) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(all)
}

// Text writes one line for each finding, and below it what the lack costs and what mends it.
func Text(w io.Writer, all []Finding) error {
	var b strings.Builder
	wide := 0
	for _, f := range all {
		wide = max(wide, len(f.Name))
	}
	lacks := 0
	for _, f := range all {
		fmt.Fprintf(&b, "%-8s %-*s  %s\n", f.State, wide, f.Name, f.Value)
		if f.State != OK && f.State != Unknown {
			lacks++
		}
		for _, note := range []struct{ mark, text string }{{"costs", f.Costs}, {"mend", f.Mend}} {
			if note.text != "" {
				fmt.Fprintf(&b, "%*s%-6s %s\n", 9+wide+2, "", note.mark+":", note.text)
			}
		}
	}
	switch {
	case !Usable(all):
		b.WriteString("\nThe lab cannot measure here: mend what is broken.\n")
	case lacks == 0:
		b.WriteString("\nNothing is missing.\n")
	default:
		fmt.Fprintf(&b, "\nThe lab works; %d of %d points cost something. It says in each report what that means for its figures.\n",
			lacks, len(all))
	}
	_, err := io.WriteString(w, b.String())
	return err
}
