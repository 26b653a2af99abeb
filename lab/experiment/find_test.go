package experiment

import (
	"slices"
	"strings"
	"testing"

	"github.com/zmylab/zmy/lab/contender"
	"github.com/zmylab/zmy/lab/run"
)

func TestList(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{List(nil), ""}, {List([]string{"a"}), "a"}, {List([]string{"a", "b", "c"}), "a, b and c"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}

// TestLeading: the first of the ranking, without the baseline; none for the default.
func TestLeading(t *testing.T) {
	r := &run.Run{}
	if got := Leading(r, 5); got != nil {
		t.Errorf("no ranking: %v", got)
	}
	for _, n := range strings.Fields("a b std-json c d e f g") {
		r.Ranking = append(r.Ranking, run.Rank{Codec: n})
	}
	if got := strings.Join(Leading(r, 5), " "); got != "a b c d e" {
		t.Errorf("leading: %s", got)
	}
}

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
