package experiment

import (
	"slices"

	"github.com/zmylab/zmy/lab/contender"
)

// here are those of the leading codecs that this run knows, and the user's own: a
// codec of -contender in the report may be gone, and one of now may not be there.
func here(leading []string, table []contender.Info) []string {
	var names []string
	for _, i := range table {
		if slices.Contains(leading, i.Name) {
			names = append(names, i.Name)
		}
	}
	if len(names) == 0 {
		return nil // the default ones, the user's among them
	}
	for _, i := range table {
		if i.Yours() && !slices.Contains(names, i.Name) {
			names = append(names, i.Name)
		}
	}
	return names
}
