package selftest

import (
	"fmt"
	"io"
	"strings"
)

// Line returns a row as one line of plain text, for a terminal or a log.
func (r Row) Line() string {
	s := fmt.Sprintf("%-12s %s: expected %s; found %s", r.Outcome, r.What, r.Expected, r.Found)
	if r.Outcome == Skipped {
		s = fmt.Sprintf("%-12s %s: %s", r.Outcome, r.What, r.Found)
	}
	if r.Tries > 1 {
		s += fmt.Sprintf(" (try %d)", r.Tries)
	}
	return strings.Join(strings.FieldsFunc(s, func(c rune) bool { return c == '\n' || c == '\r' }), " ⏎ ")
}

// Summary prints the number of rows with each outcome. It reports whether none failed and whether
// all were decided.
func Summary(w io.Writer, rows []Row) (passed, decided bool, err error) {
	count, seconds := map[string]int{}, 0.0
	for _, r := range rows {
		count[r.Outcome]++
		seconds += r.Seconds
	}
	var parts []string
	for _, o := range []string{Pass, Fail, Undecided, Skipped} {
		if count[o] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", count[o], o))
		}
	}
	_, err = fmt.Fprintf(w, "\n%d rows: %s, in %.0f s\n", len(rows), strings.Join(parts, ", "), seconds)
	return count[Fail] == 0, count[Undecided] == 0, err
}
