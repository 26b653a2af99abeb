package experiment

import (
	"slices"
	"testing"

	"github.com/zmylab/zmy/lab/contender"
)

func TestHere(t *testing.T) {
	table := []contender.Info{{Name: "a"}, {Name: "b"}, {Name: "mine", Use: []string{"dir"}}}
	for _, c := range []struct{ leading, want []string }{
		{nil, nil},
		{[]string{"gone"}, nil},
		{[]string{"b", "gone", "a"}, []string{"a", "b", "mine"}},
		{[]string{"mine", "a"}, []string{"a", "mine"}},
	} {
		if got := here(c.leading, table); !slices.Equal(got, c.want) {
			t.Errorf("of %q: %q, want %q", c.leading, got, c.want)
		}
	}
}
