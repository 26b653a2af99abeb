package experiment

import (
	"slices"

	"github.com/zmylab/zmy/lab/contender"
)

// here returns the leading codecs that table knows, and then the user's own codecs. A codec of the
// report may be unknown, since -contender may name other packages now than it did then.
func here(leading []string, table []contender.Info) []string {
	var names []string
	for _, i := range table {
		if slices.Contains(leading, i.Name) {
			names = append(names, i.Name)
		}
	}
	if len(names) == 0 {
		return nil // the default codecs; the user's are among them
	}
	for _, i := range table {
		if i.Yours() && !slices.Contains(names, i.Name) {
			names = append(names, i.Name)
		}
	}
	return names
}
