package lab

import (
	"fmt"
	"slices"
	"strings"

	"github.com/zmylab/zmy/lab/contender"
	"github.com/zmylab/zmy/lab/run"
)

// UsageError is a mistake in what the user asked for.
type UsageError struct{ Text string }

func (e *UsageError) Error() string { return e.Text }

// Usagef returns a *UsageError with a formatted text.
func Usagef(format string, args ...any) error { return &UsageError{fmt.Sprintf(format, args...)} }

// choose picks contenders by name and returns them in table order. Without names it picks all that
// are not Extra, and those of the Extra ones whose module is among required: a codec in use is what
// its user wants to compare. The name "all" picks every one, and "few" stands for some. The baseline is always picked, since
// every ratio is taken against it.
func choose(table []contender.Info, names, required []string) ([]contender.Info, error) {
	if slices.Contains(names, "all") {
		return table, nil
	}
	if len(names) == 0 {
		return slices.DeleteFunc(slices.Clone(table), func(i contender.Info) bool { return i.Extra && !inUse(i, required) }), nil
	}
	if slices.Contains(names, "few") {
		names = append(slices.DeleteFunc(slices.Clone(names), func(n string) bool { return n == "few" }), few...)
	}
	var known []string
	for _, info := range table {
		known = append(known, info.Name)
	}
	for _, n := range names {
		if !slices.Contains(known, n) {
			hint := ""
			if near := Nearest(n, known); near != "" {
				hint = "; did you mean " + near + "?"
			}
			return nil, Usagef("-codecs: there is no codec %q%s\nknown: %s", n, hint, strings.Join(known, " "))
		}
	}
	return slices.DeleteFunc(slices.Clone(table), func(i contender.Info) bool {
		return i.Name != run.Baseline && !slices.Contains(names, i.Name)
	}), nil
}

// few are the contenders for a first answer: this project's, and of the others a fast and widely used one of each kind, JSON and binary.
var few = []string{"fxjson", "zmy", "sonic", "protobuf", "fxproto"}

// sayDownloads says what the go command has to download for the workers of the contenders.
func (l *Opened) sayDownloads(infos []contender.Info) {
	if d := contender.Downloads(infos, l.subject.Work.Host.GOMODCACHE); d.Modules > 0 {
		l.ui.Say(fmt.Sprintf("modules of codecs that are not in the module cache: some %.0f MB to download", max(1, float64(d.Bytes)/1e6)))
	}
}

// inUse reports whether the codec's own module, the first of its list, is among required. Native
// rows do not count: the row on the user's type answers the user's question.
func inUse(i contender.Info, required []string) bool {
	return !i.Native && len(i.Modules) > 0 && i.Modules[0].Path != contender.RuntimePath && slices.Contains(required, i.Modules[0].Path)
}

// unchosen returns the names of the contenders that can be measured, but are not among infos.
func unchosen(table, infos []contender.Info) (names []string) {
	for _, i := range table {
		if i.Generate != nil && !slices.ContainsFunc(infos, func(c contender.Info) bool { return c.Name == i.Name }) {
			names = append(names, i.Name)
		}
	}
	return names
}

// Nearest returns the word that differs from s by the fewest edits, two at most. If there is none,
// it returns the first word that begins with s, or "".
func Nearest(s string, words []string) string {
	best, least := "", 3
	for _, w := range words {
		if d := edits(s, w); d < least && d < len(w) {
			best, least = w, d
		}
	}
	for _, w := range words {
		if best == "" && len(s) > 1 && strings.HasPrefix(w, s) {
			best = w
		}
	}
	return best
}

// edits returns the Levenshtein distance between a and b, in bytes.
func edits(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diag := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diag
			if a[i] != b[j] {
				cost = 1 + min(diag, row[j], row[j+1])
			}
			diag, row[j+1] = row[j+1], cost
		}
	}
	return row[len(b)]
}
